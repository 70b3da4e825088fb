/** F6: from one part of the page to the next, and back to where one was in it. */

/** In the order of the page. A part that is not on screen is left out. */
const parts = ['.top', '.bar', '.heads', '.scroll', '.cp', 'aside.side', 'aside.inspector', 'main.screen'];

const focusable =
  'a[href]:not([tabindex="-1"]), button:not([tabindex="-1"], :disabled), input:not([hidden], [tabindex="-1"], :disabled), textarea, [tabindex="0"]';

/** Where the focus was in each part when it left it. */
const lastIn = new WeakMap<Element, HTMLElement>();

function isSeen(element: Element): element is HTMLElement {
  return element instanceof HTMLElement && element.checkVisibility({ visibilityProperty: true });
}

/** The newest answer is where reading goes on; it takes the focus, but the Tab key does not stop there. */
function newestAnswer(part: HTMLElement): HTMLElement | undefined {
  const answers = part.querySelectorAll<HTMLElement>('article[aria-label^="Assistant message"]');
  const row = answers.item(answers.length - 1)?.parentElement;
  const answer = row?.querySelector<HTMLElement>(':scope > article');
  if (answer && !answer.hasAttribute('tabindex')) answer.tabIndex = -1;
  return answer ?? undefined;
}

function targetIn(part: HTMLElement): HTMLElement {
  const last = lastIn.get(part);
  if (last?.isConnected && part.contains(last) && isSeen(last)) return last;
  if (part.matches('.scroll')) return newestAnswer(part) ?? part;
  const message = part.querySelector<HTMLElement>('textarea[aria-label^="Message"]');
  const first = message ?? [...part.querySelectorAll(focusable)].find(isSeen);
  if (first instanceof HTMLElement) return first;
  part.tabIndex = -1;
  return part;
}

/** Moves the focus to the next part of the page, or with -1 to the one before; round at the ends. */
export function focusNextRegion(step: 1 | -1): void {
  const shown = parts.flatMap((selector) =>
    [...document.querySelectorAll(selector)].filter(isSeen).slice(0, 1),
  );
  const focused = document.activeElement;
  const from = shown.findIndex((part) => part.contains(focused));
  const part = shown[from];
  if (part && focused instanceof HTMLElement) {
    // In the conversation one comes back to what is newest then, unless one was inside of a message.
    if (!focused.matches('article, .scroll')) lastIn.set(part, focused);
    else lastIn.delete(part);
  }
  const next =
    shown[from < 0 ? (step > 0 ? 0 : shown.length - 1) : (from + step + shown.length) % shown.length];
  if (!next) return;
  const target = targetIn(next);
  target.focus({ preventScroll: next.matches('.scroll') && target !== next });
  if (target !== next && next.matches('.scroll')) target.scrollIntoView({ block: 'nearest' });
}

/** Left and Right on the button of a lane's header go to the same button of the next lane. */
export function moveBetweenLanes(event: KeyboardEvent): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const button =
    event.target instanceof HTMLElement && event.target.matches('button') ? event.target : undefined;
  const header = button?.closest('section.lh');
  if (
    step === 0 ||
    !button ||
    !header ||
    event.defaultPrevented ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey
  )
    return;
  const buttons = (lane: Element) =>
    [...lane.querySelectorAll<HTMLElement>('button:not([role=menuitem])')].filter(isSeen);
  const headers = [...document.querySelectorAll('section.lh')];
  const next = headers[headers.indexOf(header) + step];
  if (!next || button.closest('[role=menu], [role=toolbar]')) return;
  // Counted from the end: a lane that runs has one more button, before its menu.
  const place = buttons(header).toReversed().indexOf(button);
  const other = buttons(next).toReversed()[place] ?? buttons(next).at(-1);
  if (!other) return;
  event.preventDefault();
  other.focus();
}
