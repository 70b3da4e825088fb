import { Menu } from '@base-ui/react/menu';
import { clsx } from 'clsx';
import { Fragment, useEffect, useRef, type RefObject } from 'react';
import { flushSync } from 'react-dom';

import type { MenuItem, MenuPlacement } from './menu.tsx';
import { getPortalProps, Popup, positionerProps } from './popup.tsx';

interface MenuPopupProps {
  id: string;
  label: string;
  items: readonly MenuItem[];
  placement: MenuPlacement;
  button: RefObject<HTMLButtonElement | null>;
  /** Focuses the last item instead of the first. */
  startsAtEnd: boolean;
  onClose: () => void;
}

/** The open menu of a button. */
export function MenuPopup({ id, label, items, placement, button, startsAtEnd, onClose }: MenuPopupProps) {
  const closeAndReturnFocus = () => {
    button.current?.focus();
    onClose();
  };
  const isInButton = (target: EventTarget | null) =>
    target instanceof Node && button.current?.contains(target) === true;

  return (
    <Menu.Root
      open
      modal={false}
      onOpenChange={(_, { reason, event }) => {
        if (reason === 'escape-key') closeAndReturnFocus();
        // A click on the button closes the menu on its own.
        else if (!isInButton(event.target) && !('relatedTarget' in event && isInButton(event.relatedTarget)))
          onClose();
      }}
    >
      <Menu.Portal {...getPortalProps(button.current)}>
        <Menu.Positioner {...positionerProps} anchor={button} align={placement}>
          <Menu.Popup
            id={id}
            aria-label={label}
            finalFocus={false}
            className="max-h-(--available-height) max-w-[min(420px,calc(100vw-16px))] min-w-42 overflow-y-auto p-1"
            render={<Popup />}
            onKeyDown={(event) => event.key === 'Tab' && closeAndReturnFocus()}
          >
            {items.map((item, index) => (
              <Fragment key={item.label}>
                {item.startsGroup && <Menu.Separator className="m-1 h-px bg-line" />}
                <MenuRow
                  item={item}
                  shouldFocus={index === (startsAtEnd ? items.length - 1 : 0)}
                  onPick={() => {
                    // The menu is removed and the focus returns first, so that a dialog opened by the item returns it
                    // there, too, and an item that removes the button passes it on.
                    flushSync(onClose);
                    button.current?.focus();
                    item.onPick();
                  }}
                />
              </Fragment>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

interface MenuRowProps {
  item: MenuItem;
  shouldFocus: boolean;
  onPick: () => void;
}

function MenuRow({ item, shouldFocus, onPick }: MenuRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (shouldFocus) row.current?.focus({ preventScroll: true });
  }, [shouldFocus]);
  const remark = item.disabledReason ?? item.hint;
  return (
    <Menu.Item
      ref={row}
      label={item.label}
      title={remark}
      className={clsx(
        'flex min-h-7 w-full items-center gap-2 rounded-2 px-2 py-0.75 text-13 max-phone:min-h-11',
        'focus:outline-none data-highlighted:bg-hover',
        'focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-ink',
        'aria-disabled:cursor-default aria-disabled:text-ink-3',
        item.isDestructive ? 'text-err-ink [&>svg]:text-err-ink' : 'text-ink [&>svg]:text-ink-3',
      )}
      disabled={item.disabledReason !== undefined}
      onClick={onPick}
    >
      {item.icon}
      <span className={clsx(remark !== undefined && 'max-w-48 flex-none')}>{item.label}</span>
      {/* Not part of the accessible name; the item's title includes it. */}
      {remark && (
        <small aria-hidden className="ml-auto pl-4 text-right text-12 text-ink-3">
          {remark}
        </small>
      )}
    </Menu.Item>
  );
}
