import type { KeyboardEvent } from 'react';

import { canHaveFocus } from '../../../ui/focus/focus-target.ts';

/** For side-by-side parts: Left and Right on a button move to the same button of the neighbouring part. */
export function focusNeighbourButton(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget: part, target } = event;
  const neighbours: Record<string, Element | null> = {
    ArrowLeft: part.previousElementSibling,
    ArrowRight: part.nextElementSibling,
  };
  const next = neighbours[event.key];
  if (!next || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
  if (!(target instanceof HTMLButtonElement) || target.closest('[role=menu], [role=toolbar]')) return;
  const listButtons = (container: Element) =>
    [...container.querySelectorAll('button:not([role=menuitem])')].filter(canHaveFocus);
  // Buttons are counted from the end, since a running lane has one more button before its menu.
  const indexFromEnd = listButtons(part).toReversed().indexOf(target);
  const targetButton = listButtons(next).toReversed()[indexFromEnd] ?? listButtons(next).at(-1);
  if (!targetButton) return;
  event.preventDefault();
  targetButton.focus();
}
