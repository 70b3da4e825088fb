import { useId, useRef, useState, type ReactNode } from 'react';

import { ButtonElement } from '../controls/button-element.tsx';
import { iconButtonVariants } from '../controls/icon-button.tsx';
import type { FocusTarget } from '../focus/focus-target.ts';
import { lazyComponent } from '../hooks/lazy-component.tsx';
import { Ellipsis } from '../icons.tsx';

export interface MenuItem {
  label: string;
  onPick: () => void;
  /** An icon with the class `icon-14`. */
  icon?: ReactNode;
  /** A shortcut or short remark on the right. */
  hint?: string;
  /** The disabled reason, shown in place of the hint. */
  disabledReason?: string;
  /** Drawn in the error colour because it removes something. */
  isDestructive?: boolean;
  /** Draws a line above this item. */
  startsGroup?: boolean;
}

/** Edge of the button with which a popup is aligned. */
export type MenuPlacement = 'start' | 'end';

interface MenuProps {
  /** Accessible name of the button and the menu. If `children` are text, it should contain them. */
  label: string;
  items: readonly MenuItem[];
  /** Content of the button; three dots by default. */
  children?: ReactNode;
  /** Classes of the button, such as `buttonVariants()`; those of an icon button by default. */
  className?: string;
  placement?: MenuPlacement;
  /** Focus target of the button. */
  focusTarget?: FocusTarget;
}

// Popups are larger than everything else that the first paint needs, so they load after it. Until a menu is opened it
// is only its button, of which a long conversation has hundreds.
const MenuPopup = lazyComponent('The menu', async () => (await import('./menu-popup.tsx')).MenuPopup, {
  loadTiming: 'first',
  fallback: null,
});

/**
 * A button that opens a menu. Arrow keys, Home, End and typing move, Enter and Space pick, Escape, Tab and a click
 * outside close; focus returns to the button.
 */
export function Menu({ label, items, children, className, placement = 'end', focusTarget }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [openedFrom, setOpenedFrom] = useState<'start' | 'end'>();
  const isOpen = openedFrom !== undefined;

  return (
    <>
      <ButtonElement
        ref={button}
        type="button"
        className={className ?? iconButtonVariants()}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        {...focusTarget?.attributes}
        onClick={() => setOpenedFrom(isOpen ? undefined : 'start')}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpenedFrom(event.key === 'ArrowDown' ? 'start' : 'end');
        }}
      >
        {children ?? <Ellipsis className="icon-16" aria-hidden />}
      </ButtonElement>
      {isOpen && (
        <MenuPopup
          id={id}
          label={label}
          items={items}
          placement={placement}
          button={button}
          startsAtEnd={openedFrom === 'end'}
          onClose={() => setOpenedFrom(undefined)}
        />
      )}
    </>
  );
}
