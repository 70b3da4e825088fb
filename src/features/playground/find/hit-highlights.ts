/** Hits in the page: where they are drawn, and the marks on them. The text itself is not touched. */
import { findMatches, type Hit } from '../../../conversation/find/hits.ts';

/** Elements that end a line of text: words on both sides of one are not beside each other. */
const blocks = 'p, li, h1, h2, h3, h4, h5, h6, td, th, pre, blockquote, div';
const unread = 'button, [aria-hidden=true]';

/** The message that the hit is in, where it is in the page. */
export function messageOfHit(within: ParentNode, { message }: Pick<Hit, 'message'>): HTMLElement | undefined {
  const messages = within.querySelectorAll<HTMLElement>('[data-message]');
  return [...messages].find(({ dataset }) => dataset['message'] === message);
}

/** Where the hit is drawn; undefined while that is folded or not in the page. */
export function rangeOfHit(within: ParentNode, hit: Hit, pattern: RegExp): Range | undefined {
  const message = messageOfHit(within, hit);
  return message && rangesIn(message, hit.kind, pattern)[hit.occurrence];
}

/** All matches in the texts of this kind in a message. */
export function rangesIn(message: Element, kind: Hit['kind'], pattern: RegExp): Range[] {
  const texts = [...message.querySelectorAll(`[data-said="${kind}"]`)];
  return (message.matches(`[data-said="${kind}"]`) ? [message, ...texts] : texts).flatMap((text) =>
    rangesInText(text, pattern),
  );
}

interface Piece {
  node: Text;
  /** Where it begins in the whole text. */
  from: number;
}

function rangesInText(root: Element, pattern: RegExp): Range[] {
  const pieces: Piece[] = [];
  let text = '';
  let block: Element | null = null;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
    if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
    return node.matches(unread) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
  });
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const within = node.parentElement?.closest(blocks) ?? null;
    if (within !== block && text !== '') text += '\n';
    block = within;
    pieces.push({ node, from: text.length });
    text += node.data;
  }
  return findMatches(text, pattern).flatMap(({ start, end }) => {
    const first = pieceAt(pieces, start);
    const last = pieceAt(pieces, end - 1);
    if (!first || !last) return [];
    const range = document.createRange();
    range.setStart(first.node, Math.min(start - first.from, first.node.length));
    range.setEnd(last.node, Math.min(end - last.from, last.node.length));
    return [range];
  });
}

function pieceAt(pieces: readonly Piece[], at: number): Piece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((pieces[middle]?.from ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return pieces[low];
}

const hitName = 'find-hit';
const hereName = 'find-here';
/** More marks than anyone looks at make each scroll slow. */
const mostMarks = 2000;

/** Marks every hit that is in the page, and the one that one is at. */
export function markHits(
  within: ParentNode,
  { hits, here, pattern }: { hits: readonly Hit[]; here: Hit | undefined; pattern: RegExp },
): void {
  if (!('highlights' in CSS)) return;
  const wanted = new Set(hits.map(({ message, kind }) => `${kind} ${message}`));
  const ranges: Range[] = [];
  for (const message of within.querySelectorAll<HTMLElement>('[data-message]')) {
    for (const kind of ['prompt', 'result', 'reasoning', 'answer'] as const) {
      if (ranges.length < mostMarks && wanted.has(`${kind} ${message.dataset['message']}`))
        ranges.push(...rangesIn(message, kind, pattern));
    }
  }
  CSS.highlights.set(hitName, new Highlight(...ranges.slice(0, mostMarks)));
  const range = here && rangeOfHit(within, here, pattern);
  const highlight = new Highlight(...(range ? [range] : []));
  highlight.priority = 1;
  CSS.highlights.set(hereName, highlight);
}

export function unmarkHits(): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.delete(hitName);
  CSS.highlights.delete(hereName);
}

const ringGapPx = 2;

export function isRing(node: Node): boolean {
  return node instanceof HTMLElement && node.dataset['ring'] !== undefined;
}

/** A ring around the hit, drawn over its message and moving with it. Answers with how to take it away. */
export function ringHit(message: HTMLElement, range: Range): () => void {
  const ring = document.createElement('i');
  ring.className = 'pointer-events-none absolute top-0 left-0 rounded-1 border-[1.5px] border-needle';
  ring.ariaHidden = 'true';
  ring.dataset['ring'] = '';
  message.append(ring);
  const place = () => {
    const from = message.getBoundingClientRect();
    const rects = [...range.getClientRects()];
    const [first] = rects;
    ring.hidden = first === undefined;
    if (!first) return;
    // A match that goes on in the next line has its ring where it begins.
    const inLine = rects.filter(({ top, bottom }) => top < first.bottom && bottom > first.top);
    const left = Math.min(...inLine.map((rect) => rect.left));
    const right = Math.max(...inLine.map((rect) => rect.right));
    ring.style.translate = `${left - from.left - ringGapPx}px ${first.top - from.top - ringGapPx}px`;
    ring.style.width = `${right - left + 2 * ringGapPx}px`;
    ring.style.height = `${first.height + 2 * ringGapPx}px`;
  };
  const resized = new ResizeObserver(place);
  resized.observe(message);
  place();
  return () => {
    resized.disconnect();
    ring.remove();
  };
}
