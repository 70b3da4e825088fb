import { useEffect } from 'react';

import { canHaveFocus, findFirstFocusable, type FocusTarget as NamedPlace } from './focus-target.ts';

/** Keeps the focus on the page: the key that was pressed on a control may well take the control away. */

/** How often, and how long after a key or a click, it is looked whether the focus fell. */
const everyMs = 80;
const forMs = 2000;

/** What takes the focus itself where something in it has gone. The whole conversation is too large a place to be in. */
const parts = 'article, dialog, aside, [role=group], [role=region], section[aria-label]:not([data-region])';

/** Where something stands: a parent, and the number of the child that holds it. */
interface Level {
  parent: Element;
  index: number;
}

interface Place {
  element: HTMLElement;
  /** From the inside out. */
  levels: readonly Level[];
  /** A selector, from `focusNext` on it or around it: what goes on when it has gone. */
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

/** What goes on where this has gone: what it names, what stands in its place now, or the part that it was in. */
function findSuccessor({ levels, wanted }: Place): HTMLElement | undefined {
  const left = levels.filter(({ parent }) => parent.isConnected);
  for (const [depth, { parent, index }] of left.entries()) {
    const inPlace = parent.children[Math.min(index, parent.children.length - 1)];
    // Beside parts of one kind stands what is none of them: then it is the one before.
    const before = parent.children[index - 1];
    const named = wanted && (shownIn(inPlace, wanted) ?? shownIn(before, wanted) ?? shownIn(parent, wanted));
    if (named) return named;
    // Only where something has gone: further out stands what holds it.
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

/** Focus that was moved or let go on purpose is left where it is. `home`: where it goes when all else has gone. */
export function useFocusRestore(home: NamedPlace): void {
  useEffect(() => keepFocus(home), [home]);
}

/** Starts keeping; answers with how to stop. */
function keepFocus(home: NamedPlace): () => void {
  let place: Place | undefined;
  let watchedUntil = 0;
  let isSecondLook = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A finger that taps has no use for the focus, and a field would bring up the keyboard.
  let byTouch = false;

  const look = () => {
    timer = undefined;
    if (place && document.activeElement === document.body && !byTouch) {
      const target = canHaveFocus(place.element) ? place.element : findSuccessor(place);
      // What has gone may go in two steps: what stands in its place is known after the second.
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
    // What is taken away is still here in this moment; before anything looks, it has gone.
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
