import { useEffect } from 'react';

import { canHaveFocus, findFirstFocusable, type FocusTarget as NamedPlace } from './focus-target.ts';

/** Keeps the focus on the page when a pressed control removes itself. */

/** Interval and duration, in ms, of the checks for lost focus after a key press or click. */
const everyMs = 80;
const forMs = 2000;

/**
 * Elements that receive the focus when something inside them is removed. Focusing the whole conversation would be too
 * coarse.
 */
const parts = 'article, dialog, aside, [role=group], [role=region], section[aria-label]:not([data-region])';

/** Position of an element: an ancestor and the index of its child that contains the element. */
interface Level {
  parent: Element;
  index: number;
}

interface Place {
  element: HTMLElement;
  /** Ancestors from the inside out. */
  levels: readonly Level[];
  /** Selector of the next focus target, from `data-focus-next` on the element or an ancestor. */
  wanted: string | undefined;
}

function describePosition(element: HTMLElement): Place {
  const levels: Level[] = [];
  let child: Element = element;
  while (child.parentElement) {
    const parent = child.parentElement;
    levels.push({ parent, index: Array.prototype.indexOf.call(parent.children, child) });
    child = parent;
  }
  const wanted = element.closest<HTMLElement>('[data-focus-next]')?.dataset['focusNext'];
  return { element, levels, wanted };
}

function shownIn(part: Element | undefined, selector: string): HTMLElement | undefined {
  if (!part) return undefined;
  return part.matches(selector) && canHaveFocus(part) ? part : findFirstFocusable(part, selector);
}

/**
 * Returns the element to focus after a removal: the named target, the element that took its place, or the part that
 * contained it.
 */
function findSuccessor({ levels, wanted }: Place): HTMLElement | undefined {
  const left = levels.filter(({ parent }) => parent.isConnected);
  for (const [depth, { parent, index }] of left.entries()) {
    const inPlace = parent.children[Math.min(index, parent.children.length - 1)];
    // A neighbour of a different kind does not replace the removed element, so the element before it is tried as well.
    const before = parent.children[index - 1];
    const named = wanted && (shownIn(inPlace, wanted) ?? shownIn(before, wanted) ?? shownIn(parent, wanted));
    if (named) return named;
    // Only at the level of the removed element; ancestors hold unrelated messages.
    const message = depth === 0 && inPlace && [inPlace, ...inPlace.querySelectorAll('article')].at(-1);
    if (message && message.matches('article') && canHaveFocus(message)) return message;
    if (parent.matches(parts) && canHaveFocus(parent)) return parent;
  }
  return undefined;
}

function focusOn(target: HTMLElement): void {
  target.focus({ preventScroll: true });
  if (document.activeElement === target) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** Restores lost focus, but not focus that was moved or cleared on purpose. `home` is the last resort. */
export function useFocusRestore(home: NamedPlace): void {
  useEffect(() => keepFocus(home), [home]);
}

/** Starts watching the focus. Returns a function that stops it. */
function keepFocus(home: NamedPlace): () => void {
  let place: Place | undefined;
  let watchedUntil = 0;
  let isSecondLook = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // After a tap focus is of no use, and focusing a field would open the on-screen keyboard.
  let byTouch = false;

  const look = () => {
    timer = undefined;
    if (place && document.activeElement === document.body && !byTouch) {
      const target = canHaveFocus(place.element) ? place.element : findSuccessor(place);
      // An element may be removed in two steps, so its replacement may exist only at the second check.
      const isSure = target !== undefined || isSecondLook;
      isSecondLook = !isSure;
      const next = isSure
        ? (target ?? home.findElement() ?? findFirstFocusable(document.body, 'main'))
        : undefined;
      if (next) focusOn(next);
    }
    if (performance.now() < watchedUntil) timer = setTimeout(look, everyMs);
  };
  const watch = () => {
    watchedUntil = performance.now() + forMs;
    timer ??= setTimeout(look, everyMs);
  };
  const onFocusOut = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget) return;
    watch();
    // An element that is being removed is still in the page now, but not after this microtask.
    queueMicrotask(() => {
      const isLetGo =
        place?.element === target && document.activeElement === document.body && canHaveFocus(place.element);
      if (isLetGo) place = undefined;
    });
  };

  const gone = new AbortController();
  const options = { signal: gone.signal, capture: true };
  const onFocusIn = ({ target }: FocusEvent) => {
    place = target instanceof HTMLElement && target !== document.body ? describePosition(target) : undefined;
  };
  document.addEventListener('focusin', onFocusIn, options);
  document.addEventListener('focusout', onFocusOut, options);
  document.addEventListener('pointerdown', ({ pointerType }) => (byTouch = pointerType === 'touch'), options);
  document.addEventListener('keydown', () => ((byTouch = false), watch()), options);
  document.addEventListener('click', watch, options);
  if (document.activeElement instanceof HTMLElement && document.activeElement !== document.body)
    place = describePosition(document.activeElement);
  return () => {
    gone.abort();
    clearTimeout(timer);
  };
}
