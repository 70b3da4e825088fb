import { chunk } from 'es-toolkit';
import { startTransition, useEffect, useLayoutEffect, useMemo, useState, type RefObject } from 'react';

import type { PromptRow } from '../../conversation/session/prompt-rows.ts';
import { finishSlices } from '../../markdown/draw/run-in-slices.ts';
import { useFind, useSessionServices } from '../../state/contexts.tsx';
import { scrollToTarget } from '../find/scroll-to-target.ts';
import { findLastAbove, getScrollView, type ScrollView } from '../workspace/scroll-view.ts';
import { usePrinting } from './use-printing.ts';

/**
 * Number of rows per group: small enough to render a group within a frame or two, large enough to keep the number of
 * groups low.
 */
const rowsPerGroup = 8;
/** Number of groups that fill the largest screen with some reserve for scrolling. */
const initialGroupCount = 2;
/** Pause between two groups, which leaves the main thread free for other work, in ms. */
const pauseMs = 8;

/** Scroll container of the conversation and its state. */
export interface ConversationViewport {
  scroller: RefObject<HTMLElement | null>;
  isAtEnd: boolean;
  isFlat: boolean;
}

export interface RenderedGroup {
  rows: readonly PromptRow[];
  index: number;
  /** False if the group only reserves the space of its rows. */
  isMounted: boolean;
  /** True once the group has been near the visible part. */
  wasNear: boolean;
  isLast: boolean;
  /** True if the view scrolls to a turn in this group, whose real height is then needed. */
  isScrollTarget: boolean;
}

/**
 * Divides the rows into groups and decides which are mounted, so that a long session never blocks the page: the last
 * groups immediately, earlier ones one per task from last to first, those that come into view or contain the scroll
 * target at once, and all for printing. Mounted groups stay mounted. Also scrolls to the target and reports the turn
 * being read.
 */
export function useRenderedGroups(
  rows: readonly PromptRow[],
  { scroller, isAtEnd, isFlat }: ConversationViewport,
): RenderedGroup[] {
  const { find, view } = useSessionServices();
  const groups = useMemo(() => chunk(rows, rowsPerGroup), [rows]);
  const scrollTarget = useFind((state) => state.scrollTarget);
  const targetIndex = groups.findIndex((group) =>
    group.some(({ promptId }) => promptId === scrollTarget?.promptId),
  );
  const firstInitialIndex = Math.max(0, groups.length - initialGroupCount);
  /** Index of the first mounted group; all later groups, including new ones, are mounted as well. */
  const [firstMountedIndex, setFirstMountedIndex] = useState(firstInitialIndex);
  const [nearIndexes, setNearIndexes] = useState<ReadonlySet<number>>(new Set());
  const newIndexes = [...groups.keys()].filter(
    (index) => (index >= firstInitialIndex || index === targetIndex) && !nearIndexes.has(index),
  );
  if (newIndexes.length > 0) setNearIndexes(new Set([...nearIndexes, ...newIndexes]));

  const isPrinting = usePrinting();
  if (isPrinting && firstMountedIndex > 0) setFirstMountedIndex(0);
  useLayoutEffect(() => {
    if (isPrinting) finishSlices();
  }, [isPrinting]);

  useEffect(() => {
    if (firstMountedIndex === 0) return undefined;
    // A transition yields to key presses and frames.
    const mountOneMore = () =>
      startTransition(() => setFirstMountedIndex((current) => Math.max(0, current - 1)));
    const timer = setTimeout(mountOneMore, pauseMs);
    return () => clearTimeout(timer);
  }, [firstMountedIndex]);

  useEffect(() => {
    // Browsers report a group shortly before it scrolls into view.
    const onChange = (event: Event) => {
      if (!(event instanceof ContentVisibilityAutoStateChangeEvent) || event.skipped) return;
      const groupIndex = event.target instanceof HTMLElement ? event.target.dataset['group'] : undefined;
      if (groupIndex === undefined) return;
      const index = Number(groupIndex);
      setNearIndexes((current) => (current.has(index) ? current : new Set(current).add(index)));
    };
    const conversation = scroller.current;
    conversation?.addEventListener('contentvisibilityautostatechange', onChange, true);
    return () => conversation?.removeEventListener('contentvisibilityautostatechange', onChange, true);
  }, [scroller]);

  useEffect(() => {
    const conversation = scroller.current;
    if (!conversation || !scrollTarget) return undefined;
    return scrollToTarget(conversation, getScrollView(conversation, isFlat), scrollTarget, () => {
      if (find.getState().scrollTarget === scrollTarget) find.setState({ scrollTarget: undefined });
    });
  }, [scroller, scrollTarget, find, isFlat]);

  useEffect(() => {
    const conversation = scroller.current;
    if (!conversation || isAtEnd) return undefined;
    const setPromptInView = (promptInView: string | undefined) => view.setState({ promptInView });
    return observePromptInView(conversation, getScrollView(conversation, isFlat), setPromptInView);
  }, [scroller, isAtEnd, isFlat, view]);

  const canDetectVisibility = 'ContentVisibilityAutoStateChangeEvent' in globalThis;
  return groups.map((group, index) => ({
    rows: group,
    index,
    isMounted: index >= firstMountedIndex || nearIndexes.has(index),
    wasNear: !canDetectVisibility || nearIndexes.has(index),
    isLast: index === groups.length - 1,
    isScrollTarget: index === targetIndex,
  }));
}

/**
 * Reports the prompt of the turn being read: the last turn whose prompt starts above the middle of the view. At the end
 * of the conversation, this is always the last turn, however little of it is visible, and nothing is observed.
 */
function observePromptInView(
  conversation: HTMLElement,
  { eventTarget, getBox }: ScrollView,
  onChange: (promptId: string | undefined) => void,
): () => void {
  let pendingFrame: number | undefined;
  const update = () => {
    pendingFrame = undefined;
    const { top, height } = getBox();
    onChange(findPromptAbove(conversation, top + height / 2));
  };
  // Update in the next frame, in which layout is computed anyway.
  const scheduleUpdate = () => {
    pendingFrame ??= requestAnimationFrame(update);
  };
  scheduleUpdate();
  eventTarget.addEventListener('scroll', scheduleUpdate, { passive: true });
  const resizeObserver = new ResizeObserver(scheduleUpdate);
  resizeObserver.observe(conversation);
  return () => {
    if (pendingFrame !== undefined) cancelAnimationFrame(pendingFrame);
    eventTarget.removeEventListener('scroll', scheduleUpdate);
    resizeObserver.disconnect();
    onChange(undefined);
  };
}

/** Returns the last prompt that starts above this height or, if there is none, the first one. Searches from the end. */
function findPromptAbove(conversation: HTMLElement, y: number): string | undefined {
  const group = findLastAbove(conversation.firstElementChild?.lastElementChild, y, (element) =>
    element.matches(':has(> [data-prompt])'),
  );
  const headings = group?.querySelectorAll<HTMLElement>(':scope > [data-prompt]') ?? [];
  const heading =
    findLastAbove([...headings].at(-1), y, (element) => element.matches('[data-prompt]')) ??
    conversation.querySelector('[data-prompt]');
  return heading instanceof HTMLElement ? heading.dataset['prompt'] : undefined;
}
