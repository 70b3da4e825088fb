/**
 * Places that the focus goes to from other parts of the page. An element says which one it is (`{...target.attributes}`), or
 * where the focus goes on when it goes away with it (`{...getNextFocusAttributes(target)}`): nobody else need know how it is drawn.
 */

export interface FocusTarget {
  /** What the element has that is this place. Of several the first one on screen counts. */
  attributes: { 'data-focus-target': string };
  selector: string;
  findElement: () => HTMLElement | undefined;
  /** Gives it the focus, or what in it is written into or pressed. False where it is not on screen. */
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

/** Any field of several lines. */
export const anyTextArea = { selector: 'textarea' };

/** For an element that takes the focus with it when it goes: where one goes on, near it. */
export function getNextFocusAttributes(...targets: readonly Pick<FocusTarget, 'selector'>[]): {
  'data-focus-next': string;
} {
  return { 'data-focus-next': targets.map(({ selector }) => selector).join(', ') };
}

const focusableSelector =
  'a[href]:not([tabindex="-1"]), button:not([tabindex="-1"]), input:not([tabindex="-1"]), textarea, [tabindex="0"]';
const fieldSelector = 'textarea, input:not([type=checkbox]), [contenteditable=true]';

/** On screen, and neither disabled nor behind something. */
export function canHaveFocus(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(':disabled, [inert], [inert] *')
  );
}

/** The first thing in it that the focus can be given to. */
export function findFirstFocusable(part: Element, selector = focusableSelector): HTMLElement | undefined {
  return [...part.querySelectorAll(selector)].find(canHaveFocus);
}

/** Finds the field of an editor, which is inside a shadow root. */
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
