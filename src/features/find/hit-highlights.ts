/** Locates hits in the DOM and highlights them without changing the text. */
import { findMatches, type Hit } from '../../conversation/find/hits.ts';

/** Elements that separate text: words on both sides are not adjacent. */
const blockSelector = 'p, li, h1, h2, h3, h4, h5, h6, td, th, pre, blockquote, div';
const ignoredSelector = 'button, [aria-hidden=true]';

/** Returns the message that contains the hit, if it is mounted. */
export function findHitMessage(
  root: ParentNode,
  { messageKey }: Pick<Hit, 'messageKey'>,
): HTMLElement | undefined {
  const messages = root.querySelectorAll<HTMLElement>('[data-message]');
  return [...messages].find(({ dataset }) => dataset['message'] === messageKey);
}

/** Returns the range of the hit, or `undefined` while its text is collapsed or not mounted. */
export function findHitRange(root: ParentNode, hit: Hit, pattern: RegExp): Range | undefined {
  const message = findHitMessage(root, hit);
  return message && findTextRanges(message, hit.kind, pattern)[hit.occurrence];
}

/** Returns the ranges of all matches in texts of this kind within a message. */
export function findTextRanges(message: Element, kind: Hit['kind'], pattern: RegExp): Range[] {
  const texts = [...message.querySelectorAll(`[data-text-kind="${kind}"]`)];
  return (message.matches(`[data-text-kind="${kind}"]`) ? [message, ...texts] : texts).flatMap((text) =>
    findRangesInElement(text, pattern),
  );
}

interface TextSegment {
  node: Text;
  /** Offset of the node in the whole text. */
  start: number;
}

function findRangesInElement(root: Element, pattern: RegExp): Range[] {
  const segments: TextSegment[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
    if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
    return node.matches(ignoredSelector) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const closestBlock = node.parentElement?.closest(blockSelector) ?? null;
    if (closestBlock !== block && text !== '') text += '\n';
    block = closestBlock;
    segments.push({ node, start: text.length });
    text += node.data;
  }
  return findMatches(text, pattern).flatMap(({ start, end }) => {
    const first = findSegmentAt(segments, start);
    const last = findSegmentAt(segments, end - 1);
    if (!first || !last) return [];
    const range = document.createRange();
    range.setStart(first.node, Math.min(start - first.start, first.node.length));
    range.setEnd(last.node, Math.min(end - last.start, last.node.length));
    return [range];
  });
}

function findSegmentAt(segments: readonly TextSegment[], offset: number): TextSegment | undefined {
  let low = 0;
  let high = segments.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((segments[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return segments[low];
}

const hitName = 'find-hit';
const currentHitName = 'find-current-hit';
/** Maximum number of highlights; more slow down scrolling. */
const maxHighlights = 2000;

/** Highlights every mounted hit, and the current one differently. */
export function highlightHits(
  root: ParentNode,
  { hits, currentHit, pattern }: { hits: readonly Hit[]; currentHit: Hit | undefined; pattern: RegExp },
): void {
  if (!('highlights' in CSS)) return;
  const hitKeys = new Set(hits.map(({ messageKey, kind }) => `${kind} ${messageKey}`));
  const ranges: Range[] = [];
  for (const message of root.querySelectorAll<HTMLElement>('[data-message]')) {
    for (const kind of ['prompt', 'result', 'reasoning', 'answer'] as const) {
      if (ranges.length < maxHighlights && hitKeys.has(`${kind} ${message.dataset['message']}`))
        ranges.push(...findTextRanges(message, kind, pattern));
    }
  }
  CSS.highlights.set(hitName, new Highlight(...ranges.slice(0, maxHighlights)));
  const range = currentHit && findHitRange(root, currentHit, pattern);
  const highlight = new Highlight(...(range ? [range] : []));
  highlight.priority = 1;
  CSS.highlights.set(currentHitName, highlight);
}

export function clearHighlights(): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.delete(hitName);
  CSS.highlights.delete(currentHitName);
}

const ringGapPx = 2;

export function isRing(node: Node): boolean {
  return node instanceof HTMLElement && node.dataset['ring'] !== undefined;
}

/** Draws a ring around the hit; the ring scrolls with the message. Returns a function that removes the ring. */
export function showHitRing(message: HTMLElement, range: Range): () => void {
  const ring = document.createElement('i');
  ring.className = 'pointer-events-none absolute top-0 left-0 rounded-1 border-[1.5px] border-needle';
  ring.ariaHidden = 'true';
  ring.dataset['ring'] = '';
  message.append(ring);
  const updatePosition = () => {
    const messageRect = message.getBoundingClientRect();
    const rects = [...range.getClientRects()];
    const [first] = rects;
    ring.hidden = first === undefined;
    if (!first) return;
    // If a match wraps, the ring surrounds its first line.
    const lineRects = rects.filter(({ top, bottom }) => top < first.bottom && bottom > first.top);
    const left = Math.min(...lineRects.map((rect) => rect.left));
    const right = Math.max(...lineRects.map((rect) => rect.right));
    ring.style.translate = `${left - messageRect.left - ringGapPx}px ${first.top - messageRect.top - ringGapPx}px`;
    ring.style.width = `${right - left + 2 * ringGapPx}px`;
    ring.style.height = `${first.height + 2 * ringGapPx}px`;
  };
  const resizeObserver = new ResizeObserver(updatePosition);
  resizeObserver.observe(message);
  updatePosition();
  return () => {
    resizeObserver.disconnect();
    ring.remove();
  };
}
