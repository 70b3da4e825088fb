/**
 * Named elements that other parts of the page can focus. An element declares itself with `{...target.attributes}`, or
 * names the target that receives focus when it is removed with `{...getNextFocusAttributes(target)}`, so callers do not
 * depend on its markup.
 */

export interface FocusTarget {
  /** Attributes of the target element. If several elements have them, the first visible one counts. */
  attributes: { 'data-focus-target': string };
  selector: string;
  findElement: () => HTMLElement | undefined;
  /** Focuses the target, or the first field or button in it. Returns false if it is not visible. */
  focus: () => boolean;
}

export function createFocusTarget(name: string): FocusTarget {
  const selector = `[data-focus-target="${name}"]`;
  const findElement = () => [...document.querySelectorAll(selector)].find(canHaveFocus);
  return {
    attributes: { 'data-focus-target': name },
    selector,
    findElement,
    focus: () => {
      const target = findElement();
      if (!target) return false;
      focusWithin(target);
      return true;
    },
  };
}

/** Any multi-line field. */
export const anyTextArea = { selector: 'textarea' };

/**
 * Returns attributes for an element that may be removed while focused. They name the targets to focus next, which
 * `use-focus-successor.ts` searches for nearby.
 */
export function getNextFocusAttributes(...targets: readonly Pick<FocusTarget, 'selector'>[]): {
  'data-focus-next': string;
} {
  return { 'data-focus-next': targets.map(({ selector }) => selector).join(', ') };
}

const focusableSelector =
  'a[href]:not([tabindex="-1"]), button:not([tabindex="-1"]), input:not([tabindex="-1"]), textarea, [tabindex="0"]';
/** Matches elements that accept text. */
export const fieldSelector = 'textarea, input:not([type=checkbox]), [contenteditable=true]';

/** Returns whether the element is visible and neither disabled nor covered. */
export function canHaveFocus(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(':disabled, [inert], [inert] *')
  );
}

/** Returns the first focusable element inside, if any. */
export function findFirstFocusable(part: Element, selector = focusableSelector): HTMLElement | undefined {
  return [...part.querySelectorAll(selector)].find(canHaveFocus);
}

/** Finds the field of an editor inside a shadow root. */
function findFieldInEditor(part: Element): HTMLElement | undefined {
  for (const { shadowRoot } of part.querySelectorAll('*')) {
    const inside = [...(shadowRoot?.querySelectorAll(fieldSelector) ?? [])].find(canHaveFocus);
    if (inside) return inside;
  }
  return undefined;
}

function focusWithin(container: HTMLElement): void {
  if (container.matches(focusableSelector)) return container.focus();
  container.scrollIntoView({ block: 'center' });
  const field = findFirstFocusable(container, fieldSelector) ?? findFieldInEditor(container);
  const target =
    field ?? findFirstFocusable(container, 'button') ?? findFirstFocusable(container) ?? container;
  target.focus({ preventScroll: true });
}
