/**
 * Moves the focus when the focused element is removed. An element, or one around it, can name its successors with
 * `getNextFocusAttributes`. Otherwise the successor is the same control of the next item, else of the previous item,
 * else the part of the page that contained it.
 */
import { useCallback, type Ref } from 'react';

import { canHaveFocus, fieldSelector } from './focus-target.ts';

/** Elements that receive the focus if neither a named target nor another item remains. */
const partSelector = 'article, dialog, aside, main, [role=group], [role=region], section[aria-label]';

/** A ref for an element that may be removed while it contains the focus. */
export function moveFocusOnRemoval(element: HTMLElement | null): () => void {
  return () => {
    if (element) moveFocusFrom(element);
  };
}

/** Returns a ref that does the same and also sets `ref`. */
export function useFocusSuccessor<T extends HTMLElement>(ref?: Ref<T>): (element: T | null) => () => void {
  return useCallback(
    (element: T | null) => {
      const detach = attachRef(ref, element);
      return () => {
        if (element) moveFocusFrom(element);
        detach();
      };
    },
    [ref],
  );
}

function attachRef<T>(ref: Ref<T> | undefined, element: T | null): () => void {
  if (typeof ref === 'function') {
    const detach = ref(element);
    return typeof detach === 'function' ? detach : () => void ref(null);
  }
  if (ref) ref.current = element;
  return () => {
    if (ref) ref.current = null;
  };
}

/** Position of an element that is about to be removed, from the inside out. */
interface Level {
  element: Element;
  parent: Element;
  /** Siblings before the element, the nearest first. */
  previousSiblings: readonly Element[];
}

/** Runs while `removed` is still in the page. Moves the focus after React has finished the update. */
function moveFocusFrom(removed: HTMLElement): void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !removed.contains(focused)) return;
  const levels = listLevels(focused);
  const namedSelector = focused.closest<HTMLElement>('[data-focus-next]')?.dataset['focusNext'];
  // After a tap, focusing a field would open the on-screen keyboard.
  const canFocusField = focused.matches(':focus-visible') || matchMedia('(hover: hover)').matches;
  queueMicrotask(() => {
    const { activeElement } = document;
    const isLost =
      activeElement === document.body || (activeElement === focused && !canHaveFocus(activeElement));
    if (!isLost) return;
    const successor =
      findNamed(levels, namedSelector) ?? findSameControl(levels, focused) ?? findPart(levels);
    if (successor && (canFocusField || !successor.matches(fieldSelector))) focusSuccessor(successor);
  });
}

function listLevels(focused: Element): Level[] {
  const levels: Level[] = [];
  let element = focused;
  for (let parent = element.parentElement; parent; parent = element.parentElement) {
    const previousSiblings: Element[] = [];
    for (let sibling = element.previousElementSibling; sibling; sibling = sibling.previousElementSibling)
      previousSiblings.push(sibling);
    levels.push({ element, parent, previousSiblings });
    element = parent;
  }
  return levels.filter(({ parent }) => parent !== document.documentElement);
}

/** Returns what took the place of the element and what follows, then what is before it, the nearest first. */
function listNeighbours({ parent, previousSiblings }: Level): { element: Element; isBefore: boolean }[] {
  const children = [...parent.children];
  const previous = previousSiblings.find((sibling) => sibling.parentElement === parent);
  const index = previous ? children.indexOf(previous) + 1 : 0;
  return [
    ...children.slice(index).map((element) => ({ element, isBefore: false })),
    ...children
      .slice(0, index)
      .toReversed()
      .map((element) => ({ element, isBefore: true })),
  ];
}

function findNamed(levels: readonly Level[], selector: string | undefined): HTMLElement | undefined {
  if (selector === undefined) return undefined;
  for (const level of levels.filter(({ parent }) => parent.isConnected)) {
    for (const { element, isBefore } of listNeighbours(level)) {
      const matches = [element, ...element.querySelectorAll(selector)].filter(
        (match): match is HTMLElement => match.matches(selector) && canHaveFocus(match),
      );
      const match = matches.at(isBefore ? -1 : 0);
      if (match) return match;
    }
    if (level.parent.matches(selector) && canHaveFocus(level.parent)) return level.parent;
  }
  return undefined;
}

/** Returns the control of a neighbouring item at the same position as the focused one in the removed item. */
function findSameControl(levels: readonly Level[], focused: HTMLElement): HTMLElement | undefined {
  const level = levels.find(({ parent }) => parent.isConnected);
  if (!level) return undefined;
  const { element: item } = level;
  // Counted from the end, because the actions of an item are last.
  const listControls = (element: Element) => [...element.querySelectorAll(focused.tagName)].toReversed();
  const index = listControls(item).indexOf(focused);
  for (const { element } of listNeighbours(level)) {
    if (element.tagName !== item.tagName) continue;
    const controls = listControls(element);
    const control = item === focused ? element : (controls[index] ?? controls.at(0));
    if (control && canHaveFocus(control)) return control;
  }
  return undefined;
}

function findPart(levels: readonly Level[]): HTMLElement | undefined {
  const part = levels
    .map(({ parent }) => parent)
    .find((parent) => parent.isConnected && parent.matches(partSelector) && canHaveFocus(parent));
  const main = document.querySelector('main');
  return part instanceof HTMLElement ? part : main && canHaveFocus(main) ? main : undefined;
}

function focusSuccessor(successor: HTMLElement): void {
  ignoreKeyPress();
  successor.focus({ preventScroll: true });
  if (document.activeElement === successor) return;
  successor.tabIndex = -1;
  successor.focus({ preventScroll: true });
}

/** If the element was removed on `keydown`, the `keypress` of the same key would act on its successor. */
function ignoreKeyPress(): void {
  const nextKey = new AbortController();
  const options = { capture: true, signal: nextKey.signal };
  document.addEventListener('keypress', (event) => event.preventDefault(), options);
  document.addEventListener('keydown', () => nextKey.abort(), options);
}
