/**
 * Places that the focus goes to from other parts of the page. An element says which one it is (`{...place.here}`), or
 * where the focus goes on when it goes away with it (`{...focusNext(place)}`): nobody else need know how it is drawn.
 */

export interface Place {
  /** What the element has that is this place. Of several the first one on screen counts. */
  here: { 'data-focus-place': string };
  selector: string;
  element: () => HTMLElement | undefined;
  /** Gives it the focus, or what in it is written into or pressed. False where it is not on screen. */
  focus: () => boolean;
}

export function createPlace(name: string): Place {
  const selector = `[data-focus-place="${name}"]`;
  const element = () => [...document.querySelectorAll(selector)].find(canHaveFocus);
  return {
    here: { 'data-focus-place': name },
    selector,
    element,
    focus: () => {
      const found = element();
      if (!found) return false;
      focusOn(found);
      return true;
    },
  };
}

/** Any field of several lines. */
export const textArea = { selector: 'textarea' };

/** For an element that takes the focus with it when it goes: where one goes on, near it. */
export function focusNext(...places: readonly Pick<Place, 'selector'>[]): { 'data-focus-next': string } {
  return { 'data-focus-next': places.map(({ selector }) => selector).join(', ') };
}

const focusable =
  'a[href]:not([tabindex="-1"]), button:not([tabindex="-1"]), input:not([tabindex="-1"]), textarea, [tabindex="0"]';
const fields = 'textarea, input:not([type=checkbox]), [contenteditable=true]';

/** On screen, and neither disabled nor behind something. */
export function canHaveFocus(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.matches(':disabled, [inert], [inert] *')
  );
}

/** The first thing in it that the focus can be given to. */
export function firstIn(part: Element, selector = focusable): HTMLElement | undefined {
  return [...part.querySelectorAll(selector)].find(canHaveFocus);
}

/** Finds the field of an editor, which is inside a shadow root. */
function firstInEditor(part: Element): HTMLElement | undefined {
  for (const { shadowRoot } of part.querySelectorAll('*')) {
    const inside = [...(shadowRoot?.querySelectorAll(fields) ?? [])].find(canHaveFocus);
    if (inside) return inside;
  }
  return undefined;
}

function focusOn(place: HTMLElement): void {
  if (place.matches(focusable)) return place.focus();
  place.scrollIntoView({ block: 'center' });
  const field = firstIn(place, fields) ?? firstInEditor(place);
  const inside = field ?? firstIn(place, 'button') ?? firstIn(place) ?? place;
  inside.focus({ preventScroll: true });
}
