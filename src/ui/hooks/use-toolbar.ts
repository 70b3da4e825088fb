import {
  useLayoutEffect,
  type FocusEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type RefObject,
} from 'react';

/** Excludes items of menus opened inside the toolbar, and buttons in parts that handle arrow keys themselves. */
const buttonSelector = 'button:not([role=menuitem], [disabled], [data-own-arrows] *)';

function findButtons(toolbar: HTMLElement): HTMLButtonElement[] {
  return [...toolbar.querySelectorAll<HTMLButtonElement>(buttonSelector)];
}

/** Gives the buttons of a toolbar one tab stop; Left, Right, Home and End move between them. */
export function useToolbar(toolbar: RefObject<HTMLElement | null>): HTMLAttributes<HTMLElement> {
  // Runs after every render, since buttons are added, removed and disabled.
  useLayoutEffect(() => {
    const buttons = toolbar.current ? findButtons(toolbar.current) : [];
    const tabStop =
      buttons.find((button) => button.tabIndex === 0 && button.dataset['stop'] !== undefined) ?? buttons[0];
    for (const button of buttons) setTabStop(button, button === tabStop);
  });

  return {
    role: 'toolbar',
    onFocus: (event: FocusEvent<HTMLElement>) => {
      const focused = event.target;
      if (!(focused instanceof HTMLButtonElement) || !focused.matches(buttonSelector)) return;
      for (const button of findButtons(event.currentTarget)) setTabStop(button, button === focused);
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const buttons = findButtons(event.currentTarget);
      const currentIndex = buttons.findIndex((button) => button === event.target);
      const nextIndex = getNextIndex(event.key, currentIndex, buttons.length);
      if (currentIndex < 0 || nextIndex === undefined || event.defaultPrevented) return;
      event.preventDefault();
      buttons[nextIndex]?.focus();
    },
  };
}

function setTabStop(button: HTMLButtonElement, isTabStop: boolean): void {
  button.tabIndex = isTabStop ? 0 : -1;
  if (isTabStop) button.dataset['stop'] = '';
  else delete button.dataset['stop'];
}

function getNextIndex(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (index + 1) % count;
  if (key === 'ArrowLeft') return (index - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}
