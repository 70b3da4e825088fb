import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

import { classes } from '../cn.ts';
import { iconButtonLook } from '../controls/icon-button.tsx';
import type { Place } from '../focus/focus-target.ts';
import { itemAfterKey } from '../hooks/next-item-index.ts';
import { Ellipsis } from '../icons.tsx';
import { placeBeside, type Placement } from './anchor-popover.ts';
import { popoverLook } from './popover.ts';

export interface MenuItem {
  label: string;
  onPick: () => void;
  icon?: ReactNode;
  /** A shortcut or short remark at the right. */
  hint?: string;
  /** Why it cannot be picked now; shown in place of the hint. */
  disabledBecause?: string;
  /** Drawn in the colour of errors: it removes something. */
  danger?: boolean;
  /** A line above this item. */
  startsGroup?: boolean;
}

interface MenuProps {
  /** Accessible name of the button and of the menu. Where `children` are words, it should contain them. */
  label: string;
  items: readonly MenuItem[];
  /** What the button shows; three dots where absent. */
  children?: ReactNode;
  /** The look of its button, such as `buttonLook()`; an icon's where absent. */
  className?: string;
  placement?: Placement;
  /** What others know its button as. */
  place?: Place;
}

/**
 * A button that opens a menu in a popover. Arrow keys, Home, End and typing move, Enter and Space pick,
 * Escape, Tab and a click outside close; focus returns to the button.
 */
export function Menu({ label, items, children, className, placement = 'end', place }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const opensAtEnd = useRef(false);
  const [open, setOpen] = useState(false);

  const itemElements = () => Array.from(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []);
  const close = () => {
    list.current?.hidePopover();
    button.current?.focus();
  };

  const onShown = (isOpen: boolean) => {
    setOpen(isOpen);
    if (!isOpen || !button.current || !list.current) return;
    placeBeside(button.current, list.current, placement);
    itemElements()
      .at(opensAtEnd.current ? -1 : 0)
      ?.focus();
    opensAtEnd.current = false;
  };

  const onButtonKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    opensAtEnd.current = event.key === 'ArrowUp';
    list.current?.showPopover();
  };

  const onListKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault();
      event.stopPropagation();
      close();
      return;
    }
    const elements = itemElements();
    const focused = elements.findIndex((element) => element === document.activeElement);
    const next = itemAfterKey(
      elements.map((element) => element.textContent ?? ''),
      focused,
      event.key,
    );
    if (next === undefined) return;
    event.preventDefault();
    elements[next]?.focus();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        className={className ?? iconButtonLook()}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        popoverTarget={id}
        {...place?.here}
        onKeyDown={onButtonKey}
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
        className={classes('max-w-[min(360px,calc(100vw-16px))] min-w-42 p-1', popoverLook)}
        onToggle={(event) => onShown(event.newState === 'open')}
        onKeyDown={onListKey}
      >
        {items.map((item) => (
          <MenuRow key={item.label} item={item} close={close} />
        ))}
      </div>
    </>
  );
}

function MenuRow({ item, close }: { item: MenuItem; close: () => void }) {
  const remark = item.disabledBecause ?? item.hint;
  return (
    <>
      {item.startsGroup && <hr className="m-1 h-px border-0 bg-line" />}
      <button
        type="button"
        role="menuitem"
        tabIndex={-1}
        title={remark}
        className={classes(
          'flex min-h-7 w-full items-center gap-2 rounded-2 px-2 py-0.75 text-13 max-phone:min-h-11',
          'hover:bg-hover focus:bg-hover focus:outline-none',
          'focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-ink',
          'aria-disabled:cursor-default aria-disabled:text-ink-3',
          item.danger ? 'text-err-ink [&>svg]:text-err-ink' : 'text-ink [&>svg]:text-ink-3',
        )}
        aria-disabled={item.disabledBecause !== undefined}
        onClick={() => {
          if (item.disabledBecause !== undefined) return;
          close();
          item.onPick();
        }}
      >
        {item.icon}
        {item.label}
        {/* No part of the name, which is what is read and said; the title tells it. */}
        {remark && (
          <small aria-hidden className="ml-auto pl-4 text-12 text-ink-3">
            {remark}
          </small>
        )}
      </button>
    </>
  );
}
