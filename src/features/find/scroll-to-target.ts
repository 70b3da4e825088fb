import type { Find } from '../../state/find/find-store.ts';
import type { ScrollView } from '../workspace/scroll-view.ts';
import { findHitMessage, findHitRange } from './hit-highlights.ts';

/** Position of the scroll target, as a share of the view's height from the top. */
const targetShare = 1 / 3;
/**
 * Number of unchanged frames after which scrolling ends. Rows get their real heights only near the visible part, and
 * rows above may be mounted later.
 */
const minStableFrames = 30;
/** Maximum number of frames to wait while a long session is being mounted. */
const maxWaitFrames = 600;
const tolerancePx = 2;

type ScrollTarget = NonNullable<Find['scrollTarget']>;

/**
 * Scrolls to a hit or turn, a third of the way down the view. Calls `onEnd` once the position is stable or the user
 * scrolls. Returns a function that stops it.
 */
export function scrollToTarget(
  conversation: HTMLElement,
  scrollView: ScrollView,
  target: ScrollTarget,
  onEnd: () => void,
): () => void {
  let frame = 0;
  let waitedFrames = 0;
  let stableCount = 0;
  let lastHeight = 0;
  const update = () => {
    const offset = computeOffset(conversation, scrollView, target);
    if (offset === undefined) {
      waitedFrames += 1;
      if (waitedFrames > maxWaitFrames) return onEnd();
    } else {
      const previousTop = scrollView.element.scrollTop;
      if (Math.abs(offset) > tolerancePx) scrollView.element.scrollTop += offset;
      const isStable =
        Math.abs(scrollView.element.scrollTop - previousTop) < tolerancePx &&
        scrollView.element.scrollHeight === lastHeight;
      lastHeight = scrollView.element.scrollHeight;
      stableCount = isStable ? stableCount + 1 : 0;
      if (stableCount >= minStableFrames) return onEnd();
    }
    frame = requestAnimationFrame(update);
  };
  frame = requestAnimationFrame(update);
  // Stops as soon as the user scrolls.
  const abortController = new AbortController();
  const { signal } = abortController;
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    conversation.addEventListener(type, onEnd, { passive: true, signal });
  return () => {
    cancelAnimationFrame(frame);
    abortController.abort();
  };
}

/** Returns the distance to the target position in px; `undefined` while the target is not mounted. */
function computeOffset(
  scroller: HTMLElement,
  scrollView: ScrollView,
  { promptId, hit, pattern }: ScrollTarget,
): number | undefined {
  const view = scrollView.getBox();
  const message = hit && findHitMessage(scroller, hit);
  // A sticky reply is measured at its non-sticky position.
  const isSticky = message?.matches('[data-lane]') === true;
  if (isSticky) message.style.position = 'static';
  const range = hit && pattern && findHitRange(scroller, hit, pattern);
  const target = range ?? message ?? findTurnHeading(scroller, promptId);
  const rect = target?.getBoundingClientRect();
  if (isSticky) message.style.position = '';
  return rect && rect.top - view.top - view.height * targetShare;
}

/** Returns the heading of the prompt's turn. */
function findTurnHeading(scroller: HTMLElement, promptId: string): HTMLElement | undefined {
  const headings = scroller.querySelectorAll<HTMLElement>('[data-prompt]');
  return [...headings].find(({ dataset }) => dataset['prompt'] === promptId);
}
