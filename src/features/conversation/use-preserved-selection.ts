import { useEffect } from 'react';

/** One end of a selection: an offset in the text of its element, and the selected text next to this end. */
interface SavedSelectionEnd {
  node: Node;
  nodeOffset: number;
  part: Element;
  textOffset: number;
  contextText: string;
}

interface SavedSelection {
  start: SavedSelectionEnd;
  end: SavedSelectionEnd;
  isBackward: boolean;
}

/** Number of selected characters that identify a position in a text. */
const maxContextChars = 40;
/** Maximum text length in characters; reading a longer text on every change would take too long. */
const maxPartChars = 300_000;

/**
 * Keeps text selected while its elements are rendered again: growing text, highlighted code, resolved links. `selector`
 * finds the element that contains an end of the selection.
 */
export function usePreservedSelection(selector: string): void {
  useEffect(() => {
    let savedSelection: SavedSelection | undefined;
    const observer = new MutationObserver(() => {
      if (savedSelection && !isSelectionIntact(savedSelection)) restoreSelection(savedSelection);
    });
    const onSelect = () => {
      observer.disconnect();
      savedSelection = readSelection(selector);
      for (const part of new Set(savedSelection && [savedSelection.start.part, savedSelection.end.part]))
        observer.observe(part, { childList: true, characterData: true, subtree: true });
    };
    document.addEventListener('selectionchange', onSelect);
    return () => {
      observer.disconnect();
      document.removeEventListener('selectionchange', onSelect);
    };
  }, [selector]);
}

function readSelection(selector: string): SavedSelection | undefined {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const start = readEnd(range, 'start', selector);
  const end = readEnd(range, 'end', selector);
  if (!start || !end) return undefined;
  const isBackward = selection.anchorNode !== start.node || selection.anchorOffset !== start.nodeOffset;
  return { start, end, isBackward };
}

function readEnd(range: Range, side: 'start' | 'end', selector: string): SavedSelectionEnd | undefined {
  const isStart = side === 'start';
  const node = isStart ? range.startContainer : range.endContainer;
  const nodeOffset = isStart ? range.startOffset : range.endOffset;
  const part = (node instanceof Element ? node : node.parentElement)?.closest(selector);
  if (!part) return undefined;
  const leadingRange = document.createRange();
  leadingRange.selectNodeContents(part);
  leadingRange.setEnd(node, nodeOffset);
  const textOffset = leadingRange.toString().length;
  const text = part.textContent;
  if (text.length > maxPartChars) return undefined;
  const selected = range.toString();
  const contextText = isStart
    ? text.slice(textOffset, textOffset + Math.min(maxContextChars, selected.length))
    : text.slice(Math.max(0, textOffset - Math.min(maxContextChars, selected.length)), textOffset);
  return { node, nodeOffset, part, textOffset, contextText };
}

function isSelectionIntact({ start, end }: SavedSelection): boolean {
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

function restoreSelection({ start, end, isBackward }: SavedSelection): void {
  const selection = document.getSelection();
  const from = findEnd(start, start.textOffset, 0);
  const to = findEnd(end, end.textOffset - end.contextText.length, end.contextText.length);
  // Removed text cannot stay selected.
  if (!selection || !from || !to) return;
  const [anchor, focus] = isBackward ? [to, from] : [from, to];
  selection.setBaseAndExtent(anchor.node, anchor.offset, focus.node, focus.offset);
}

/** Returns the position of a selection end in the current text: the match of its context nearest to the old offset. */
function findEnd(
  { part, contextText }: SavedSelectionEnd,
  expectedOffset: number,
  shift: number,
): { node: Node; offset: number } | undefined {
  const text = part.textContent;
  const nextIndex = text.indexOf(contextText, Math.max(0, expectedOffset));
  const previousIndex = text.lastIndexOf(contextText, Math.max(0, expectedOffset));
  if (nextIndex < 0 && previousIndex < 0) return undefined;
  const isPreviousCloser =
    nextIndex < 0 || (previousIndex >= 0 && expectedOffset - previousIndex < nextIndex - expectedOffset);
  let remaining = (isPreviousCloser ? previousIndex : nextIndex) + shift;
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node.textContent ?? '';
    // The start of a selection belongs before its first character, the end after its last.
    if (remaining < length || (shift > 0 && remaining === length)) return { node, offset: remaining };
    remaining -= length;
  }
  return undefined;
}
