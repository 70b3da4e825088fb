import { useEffect } from 'react';

/** One end of a selection: an offset in the text of its part, and the selected text beside it. */
interface KeptEnd {
  node: Node;
  nodeOffset: number;
  part: Element;
  textOffset: number;
  nearText: string;
}

interface KeptSelection {
  start: KeptEnd;
  end: KeptEnd;
  isBackward: boolean;
}

/** Selected characters that tell a place in a text from others. */
const nearChars = 40;
/** The text of a larger part takes too long to be read whenever it changes. */
const maxPartChars = 300_000;

/**
 * Keeps text selected while the parts around it are drawn again: text that grows, code that gets its colours, links that
 * get their addresses. `selector` finds the part that holds an end of the selection.
 */
export function useKeptSelection(selector: string): void {
  useEffect(() => {
    let kept: KeptSelection | undefined;
    const observer = new MutationObserver(() => {
      if (kept && !isUntouched(kept)) restore(kept);
    });
    const onSelect = () => {
      observer.disconnect();
      kept = readSelection(selector);
      for (const part of new Set(kept && [kept.start.part, kept.end.part]))
        observer.observe(part, { childList: true, characterData: true, subtree: true });
    };
    document.addEventListener('selectionchange', onSelect);
    return () => {
      observer.disconnect();
      document.removeEventListener('selectionchange', onSelect);
    };
  }, [selector]);
}

function readSelection(selector: string): KeptSelection | undefined {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const start = readEnd(range, 'start', selector);
  const end = readEnd(range, 'end', selector);
  if (!start || !end) return undefined;
  const isBackward = selection.anchorNode !== start.node || selection.anchorOffset !== start.nodeOffset;
  return { start, end, isBackward };
}

function readEnd(range: Range, side: 'start' | 'end', selector: string): KeptEnd | undefined {
  const isStart = side === 'start';
  const node = isStart ? range.startContainer : range.endContainer;
  const nodeOffset = isStart ? range.startOffset : range.endOffset;
  const part = (node instanceof Element ? node : node.parentElement)?.closest(selector);
  if (!part) return undefined;
  const before = document.createRange();
  before.selectNodeContents(part);
  before.setEnd(node, nodeOffset);
  const textOffset = before.toString().length;
  const text = part.textContent;
  if (text.length > maxPartChars) return undefined;
  const selected = range.toString();
  const nearText = isStart
    ? text.slice(textOffset, textOffset + Math.min(nearChars, selected.length))
    : text.slice(Math.max(0, textOffset - Math.min(nearChars, selected.length)), textOffset);
  return { node, nodeOffset, part, textOffset, nearText };
}

function isUntouched({ start, end }: KeptSelection): boolean {
  const selection = document.getSelection();
  if (!selection || selection.rangeCount === 0) return false;
  const range = selection.getRangeAt(0);
  const isSame =
    range.startContainer === start.node &&
    range.startOffset === start.nodeOffset &&
    range.endContainer === end.node &&
    range.endOffset === end.nodeOffset;
  return isSame && start.node.isConnected && end.node.isConnected;
}

function restore({ start, end, isBackward }: KeptSelection): void {
  const selection = document.getSelection();
  const from = findEnd(start, start.textOffset, 0);
  const to = findEnd(end, end.textOffset - end.nearText.length, end.nearText.length);
  // Text that is gone cannot stay selected.
  if (!selection || !from || !to) return;
  const [anchor, focus] = isBackward ? [to, from] : [from, to];
  selection.setBaseAndExtent(anchor.node, anchor.offset, focus.node, focus.offset);
}

/** Returns the place of an end in the text as it is now: where its own words stand, nearest to where they stood. */
function findEnd(
  { part, nearText }: KeptEnd,
  expected: number,
  shift: number,
): { node: Node; offset: number } | undefined {
  const text = part.textContent;
  const after = text.indexOf(nearText, Math.max(0, expected));
  const before = text.lastIndexOf(nearText, Math.max(0, expected));
  if (after < 0 && before < 0) return undefined;
  const isBefore = after < 0 || (before >= 0 && expected - before < after - expected);
  let remaining = (isBefore ? before : after) + shift;
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node.textContent ?? '';
    // The start of a selection stands before its first letter, its end behind its last.
    if (remaining < length || (shift > 0 && remaining === length)) return { node, offset: remaining };
    remaining -= length;
  }
  return undefined;
}
