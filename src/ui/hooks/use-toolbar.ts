import {
  useLayoutEffect,
  type FocusEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type RefObject,
} from 'react';

/** Items of a menu that opens inside the toolbar are not its own, nor is a part with arrow keys of its own. */
const ownButtons = 'button:not([role=menuitem], [disabled], [data-own-arrows] *)';

function buttonsIn(toolbar: HTMLElement): HTMLButtonElement[] {
  return [...toolbar.querySelectorAll<HTMLButtonElement>(ownButtons)];
}

/** One tab stop for all buttons of a toolbar; Left, Right, Home and End move among them. */
export function useToolbar(toolbar: RefObject<HTMLElement | null>): HTMLAttributes<HTMLElement> {
  // After every render: buttons come, go and are disabled.
  useLayoutEffect(() => {
    const buttons = toolbar.current ? buttonsIn(toolbar.current) : [];
    const stop =
      buttons.find((button) => button.tabIndex === 0 && button.dataset['stop'] !== undefined) ?? buttons[0];
    for (const button of buttons) makeStop(button, button === stop);
  });

  return {
    role: 'toolbar',
    onFocus: (event: FocusEvent<HTMLElement>) => {
      const focused = event.target;
      if (!(focused instanceof HTMLButtonElement) || !focused.matches(ownButtons)) return;
      for (const button of buttonsIn(event.currentTarget)) makeStop(button, button === focused);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const buttons = buttonsIn(event.currentTarget);
      const at = buttons.findIndex((button) => button === event.target);
      const next = placeAfter(event.key, at, buttons.length);
      if (at < 0 || next === undefined || event.defaultPrevented) return;
      event.preventDefault();
      buttons[next]?.focus();
    },
  };
}

function makeStop(button: HTMLButtonElement, isStop: boolean): void {
  button.tabIndex = isStop ? 0 : -1;
  if (isStop) button.dataset['stop'] = '';
  else delete button.dataset['stop'];
}

function placeAfter(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
