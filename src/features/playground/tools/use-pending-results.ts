import {
  matchLaneResults,
  getSendableResults,
  type LaneResults,
} from '../../../conversation/request/pending-tool-results.ts';
import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import type { Message } from '../../../gateway/wire.ts';
import { usePlayground, useSessionShallow } from '../../../state/use-playground.tsx';
import { formatLaneNames, formatMissingResults } from './format-missing-results.ts';
import { usePendingRows } from './use-pending-rows.ts';

/** Tool results that the lanes in question wait for. */
export interface PendingResults {
  /** How many results go out by `send`; all that are needed while no lane is complete. */
  count: number;
  /** At least one lane has all its results. */
  canSend: boolean;
  /** Which lane still lacks what, in a sentence; undefined where nothing is missing. */
  missingText: string | undefined;
  /** "lanes A and B" that get them now; undefined where there is one lane, or none is complete. */
  targetText: string | undefined;
  /**
   * Sends the results, each to all lanes that made its call, and the messages after them. Messages go also to
   * those of the lanes that made no calls. Resolves when the answers have ended.
   */
  send: (messages: Message[]) => Promise<void>;
}

/** Undefined where none of these lanes waits for a result. */
export function usePendingResults(laneIds: readonly LaneId[]): PendingResults | undefined {
  const { actions } = usePlayground();
  const { rows, getDraftResults } = usePendingRows();
  const allLaneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const relevantRows = rows.filter((row) => row.lanes.some(({ laneId }) => laneIds.includes(laneId)));
  if (relevantRows.length === 0) return undefined;

  const laneResults = relevantRows
    .flatMap((row) => matchLaneResults(row, getDraftResults(row.promptId)))
    .filter(({ lane }) => laneIds.includes(lane.laneId));
  const readyBatches = relevantRows.flatMap(
    (row) => getSendableResults(row, getDraftResults(row.promptId), laneIds) ?? [],
  );
  const canSend = readyBatches.length > 0;
  const letters = readyBatches
    .flatMap((batch) => batch.laneIds.map((laneId) => getLaneLetter(allLaneIds.indexOf(laneId))))
    .toSorted();
  const resultCount = readyBatches.reduce((sum, batch) => sum + batch.results.length, 0);

  return {
    count: canSend ? resultCount : countDistinctCalls(laneResults),
    canSend,
    missingText: formatMissingResults(laneResults, allLaneIds),
    targetText: canSend && allLaneIds.length > 1 ? formatLaneNames(letters) : undefined,
    send: async (messages) => {
      const waitingIds = new Set(laneResults.map(({ lane }) => lane.laneId));
      const otherLaneIds = messages.length === 0 ? [] : laneIds.filter((laneId) => !waitingIds.has(laneId));
      await Promise.all(
        readyBatches.map((batch, index) => {
          const targetLaneIds = index === 0 ? [...batch.laneIds, ...otherLaneIds] : batch.laneIds;
          return actions.sendPrompt({ messages, results: batch.results }, targetLaneIds);
        }),
      );
    },
  };
}

function countDistinctCalls(laneResults: readonly LaneResults[]): number {
  return new Set(laneResults.flatMap(({ results }) => results.map(({ key }) => key))).size;
}
