import {
  matchLaneResults,
  getSendableResults,
  type LaneResults,
} from '../../conversation/request/pending-tool-results.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import type { Message } from '../../gateway/wire.ts';
import { useSessionShallow, useSessionServices } from '../../state/contexts.tsx';
import { formatLaneNames, formatMissingResults } from './format-missing-results.ts';
import { usePendingRows } from './use-pending-rows.ts';

/** Tool results missing in the given lanes. */
export interface PendingResults {
  /** Number of results that `send` sends; while no lane is complete, the number of all required results. */
  count: number;
  /** True if at least one lane has all its results. */
  canSend: boolean;
  /** Sentence that lists the missing results per lane; undefined if none are missing. */
  missingText: string | undefined;
  /**
   * Lanes to which `send` sends now, such as "lanes A and B"; undefined with a single lane, or if no lane is complete.
   */
  targetText: string | undefined;
  /**
   * Sends each result to all lanes with its call, followed by the messages. Lanes without calls receive only the
   * messages. Resolves when the answers have ended.
   */
  send: (messages: Message[]) => Promise<void>;
}

/** Returns the pending results; `undefined` if none of these lanes needs one. */
export function usePendingResults(laneIds: readonly LaneId[]): PendingResults | undefined {
  const { actions } = useSessionServices();
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
