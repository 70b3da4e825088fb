import {
  matchLaneResults,
  getSendableResults,
  type LaneResults,
} from '../../../conversation/request/pending-tool-results.ts';
import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import type { Message } from '../../../gateway/wire.ts';
import { usePlayground, useSessionShallow } from '../../../state/use-playground.tsx';
import { laneNames, missingWords } from './format-missing-results.ts';
import { useWaitingRows } from './use-pending-rows.ts';

/** Tool results that the lanes in question wait for. */
export interface PendingResults {
  /** How many results go out by `send`; all that are needed while no lane is complete. */
  count: number;
  /** At least one lane has all its results. */
  canSend: boolean;
  /** Which lane still lacks what, in a sentence; undefined where nothing is missing. */
  missing: string | undefined;
  /** "lanes A and B" that get them now; undefined where there is one lane, or none is complete. */
  to: string | undefined;
  /**
   * Sends the results, each to all lanes that made its call, and the messages after them. Messages go also to
   * those of the lanes that made no calls. Resolves when the answers have ended.
   */
  send: (messages: Message[]) => Promise<void>;
}

/** Undefined where none of these lanes waits for a result. */
export function usePendingResults(laneIds: readonly LaneId[]): PendingResults | undefined {
  const { actions } = usePlayground();
  const { rows, writtenFor } = useWaitingRows();
  const allLaneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const concerned = rows.filter((row) => row.lanes.some(({ laneId }) => laneIds.includes(laneId)));
  if (concerned.length === 0) return undefined;

  const waiting = concerned
    .flatMap((row) => matchLaneResults(row, writtenFor(row.promptId)))
    .filter(({ lane }) => laneIds.includes(lane.laneId));
  const ready = concerned.flatMap((row) => getSendableResults(row, writtenFor(row.promptId), laneIds) ?? []);
  const canSend = ready.length > 0;
  const letters = ready
    .flatMap((each) => each.laneIds.map((laneId) => getLaneLetter(allLaneIds.indexOf(laneId))))
    .toSorted();
  const results = ready.reduce((sum, each) => sum + each.results.length, 0);

  return {
    count: canSend ? results : distinctCalls(waiting),
    canSend,
    missing: missingWords(waiting, allLaneIds),
    to: canSend && allLaneIds.length > 1 ? laneNames(letters) : undefined,
    send: async (messages) => {
      const waitingIds = new Set(waiting.map(({ lane }) => lane.laneId));
      const others = messages.length === 0 ? [] : laneIds.filter((laneId) => !waitingIds.has(laneId));
      await Promise.all(
        ready.map((each, index) => {
          const to = index === 0 ? [...each.laneIds, ...others] : each.laneIds;
          return actions.sendPrompt({ messages, results: each.results }, to);
        }),
      );
    },
  };
}

function distinctCalls(waiting: readonly LaneResults[]): number {
  return new Set(waiting.flatMap(({ results }) => results.map(({ key }) => key))).size;
}
