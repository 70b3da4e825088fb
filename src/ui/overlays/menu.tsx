import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

import { cn } from '../cn.ts';
import { iconButtonVariants } from '../controls/icon-button.tsx';
import type { FocusTarget } from '../focus/focus-target.ts';
import { getNextItemIndex } from '../hooks/next-item-index.ts';
import { Ellipsis } from '../icons.tsx';
import { anchorPopover, type Placement } from './anchor-popover.ts';
import { popoverLook } from './popover.ts';

export interface MenuItem {
  label: string;
  onPick: () => void;
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

interface MenuProps {
  /** Accessible name of the button and the menu. If `children` are text, it should contain them. */
  label: string;
  items: readonly MenuItem[];
  /** Content of the button; three dots by default. */
  children?: ReactNode;
  /** Classes of the button, such as `buttonVariants()`; those of an icon button by default. */
  className?: string;
  placement?: Placement;
  /** Focus target of the button. */
  focusTarget?: FocusTarget;
}

/**
 * A button that opens a menu in a popover. Arrow keys, Home, End and typing move, Enter and Space pick, Escape, Tab and
 * a click outside close; focus returns to the button.
 */
export function Menu({ label, items, children, className, placement = 'end', focusTarget }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const shouldFocusLast = useRef(false);
  const [open, setOpen] = useState(false);

  const getItemElements = () =>
    Array.from(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []);
  const close = () => {
    list.current?.hidePopover();
    button.current?.focus();
  };

  const onToggle = (isOpen: boolean) => {
    setOpen(isOpen);
    if (!isOpen || !button.current || !list.current) return;
    anchorPopover(button.current, list.current, placement);
    getItemElements()
      .at(shouldFocusLast.current ? -1 : 0)
      ?.focus();
    shouldFocusLast.current = false;
  };

  const onButtonKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    shouldFocusLast.current = event.key === 'ArrowUp';
    list.current?.showPopover();
  };

  const onListKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault();
      event.stopPropagation();
      close();
      return;
    }
    const elements = getItemElements();
    const focusedIndex = elements.findIndex((element) => element === document.activeElement);
    const nextIndex = getNextItemIndex(
      elements.map((element) => element.textContent ?? ''),
      focusedIndex,
      event.key,
    );
    if (nextIndex === undefined) return;
    event.preventDefault();
    elements[nextIndex]?.focus();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className ?? iconButtonVariants()}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        popoverTarget={id}
        {...focusTarget?.attributes}
        onKeyDown={onButtonKeyDown}
      >
        {children ?? <Ellipsis className="icon-16" aria-hidden />}
      </button>
      <div
        ref={list}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        className={cn('max-w-[min(360px,calc(100vw-16px))] min-w-42 p-1', popoverLook)}
        onToggle={(event) => onToggle(event.newState === 'open')}
        onKeyDown={onListKeyDown}
      >
        {items.map((item) => (
          <MenuRow key={item.label} item={item} close={close} />
        ))}
      </div>
    </>
  );
}

function MenuRow({ item, close }: { item: MenuItem; close: () => void }) {
  const remark = item.disabledReason ?? item.hint;
  return (
    <>
      {item.startsGroup && <hr className="m-1 h-px border-0 bg-line" />}
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        title={remark}
        className={cn(
          'flex min-h-7 w-full items-center gap-2 rounded-2 px-2 py-0.75 text-13 max-phone:min-h-11',
          'hover:bg-hover focus:bg-hover focus:outline-none',
          'focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-ink',
          'aria-disabled:cursor-default aria-disabled:text-ink-3',
          item.isDestructive ? 'text-err-ink [&>svg]:text-err-ink' : 'text-ink [&>svg]:text-ink-3',
        )}
        aria-disabled={item.disabledReason !== undefined}
        onClick={() => {
          if (item.disabledReason !== undefined) return;
          close();
          item.onPick();
        }}
      >
        {item.icon}
        {item.label}
        {/* Not part of the accessible name; the item's title includes it. */}
        {remark && (
          <small aria-hidden className="ml-auto pl-4 text-12 text-ink-3">
            {remark}
          </small>
        )}
      </button>
    </>
  );
}
