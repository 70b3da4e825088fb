/**
 * Determines which tool calls need results, which results were entered for the lanes of a row, and which can be sent.
 */
import type { ToolCall } from '../../gateway/wire.ts';
import { parseJson } from '../../lib/json.ts';
import { isLive } from '../reply/run.ts';
import { getCandidate } from '../session/candidates.ts';
import { getManualReply } from '../session/turn-tree.ts';
import type { LaneId, PromptId, Run, ToolResult, Turn, TurnId } from '../session/types.ts';
import { getToolCalls } from './request.ts';
import { getCallKey, getCallIdentities, matchResults, type CallIdentity } from './tool-results.ts';

/** Result being typed. Empty text is kept, because it prevents copying the result of another lane. */
export interface DraftToolResult {
  text: string;
  isError?: true;
}

/** Draft results by call key (getCallKey). */
export type DraftToolResults = Readonly<Record<string, DraftToolResult>>;

/** Calls of one lane that need results. */
export interface PendingLane {
  laneId: LaneId;
  turnId: TurnId;
  calls: ToolCall[];
}

/** Lanes whose replies to the same prompt have calls without results. */
export interface PendingResultsRow {
  promptId: PromptId;
  lanes: PendingLane[];
}

/** Result of a call, entered for it or copied from another call. */
export interface CallResult {
  key: string;
  identity: CallIdentity;
  text: string;
  isError: boolean;
  isReady: boolean;
  /** Arguments of the call that the result was entered for, if they differ. */
  copiedFrom?: string;
}

export interface LaneResults {
  lane: PendingLane;
  results: CallResult[];
  missingCount: number;
}

/** Returns the calls of the shown candidate, generated or written by hand. */
export function getShownCalls(turn: Turn, run: Run | undefined): ToolCall[] {
  const manualReply = getManualReply(turn);
  if (manualReply) return manualReply.role === 'assistant' ? (manualReply.tool_calls ?? []) : [];
  return run ? getToolCalls(turn, run, turn.shownChoice ?? 0) : [];
}

/** Returns false for incomplete argument JSON, because the intended call is unknown. */
export function hasCompleteArguments(call: ToolCall): boolean {
  const { arguments: text } = call.function;
  return text.trim() === '' || parseJson(text).ok;
}

/**
 * Returns the calls of this turn that can get results: none while streaming, and none if the answer was cut off inside
 * a call. Invalid argument JSON in a complete answer is a model error, so it can get a result.
 */
export function getPendingCalls(turn: Turn, run: Run | undefined): ToolCall[] {
  const calls = getShownCalls(turn, run);
  if (!run) return calls;
  if (isLive(run)) return [];
  const isComplete =
    run.phase.name === 'complete' && getCandidate(run, turn.shownChoice)?.finishReason !== 'length';
  return isComplete || calls.every(hasCompleteArguments) ? calls : [];
}

/** Groups the last turns of the lanes into one row per prompt, in the order of `lastTurns`. */
export function findPendingRows(
  lastTurns: readonly { turn: Turn; run: Run | undefined }[],
): PendingResultsRow[] {
  const rows = new Map<PromptId, PendingResultsRow>();
  for (const { turn, run } of lastTurns) {
    const calls = getPendingCalls(turn, run);
    if (calls.length === 0) continue;
    const row = rows.get(turn.promptId) ?? { promptId: turn.promptId, lanes: [] };
    row.lanes.push({ laneId: turn.laneId, turnId: turn.id, calls });
    rows.set(turn.promptId, row);
  }
  return [...rows.values()];
}

/**
 * Returns the result for each call of each lane: the result entered for the call, otherwise the result of the call with
 * the same name and position in another lane. Requests use the same rule (matchResults), so the displayed results are
 * the ones sent.
 */
export function matchLaneResults(row: PendingResultsRow, draftResults: DraftToolResults): LaneResults[] {
  const results = collectToolResults(row, draftResults);
  return row.lanes.map((lane) => {
    const identities = getCallIdentities(lane.calls);
    const matches = matchResults(lane.calls, results);
    const laneResults = identities.map((identity, index): CallResult => {
      const result = matches[index];
      const text = result?.content ?? '';
      const isCopied = result !== undefined && result.call.arguments !== identity.arguments;
      return {
        key: getCallKey(identity),
        identity,
        text,
        isError: result?.isError === true,
        isReady: text.trim() !== '',
        ...(isCopied ? { copiedFrom: result.call.arguments ?? '' } : {}),
      };
    });
    return {
      lane,
      results: laneResults,
      missingCount: laneResults.filter((result) => !result.isReady).length,
    };
  });
}

/**
 * Returns the results for one prompt and the lanes in which every call has a result, `undefined` if no lane is
 * complete.
 */
export function getSendableResults(
  row: PendingResultsRow,
  draftResults: DraftToolResults,
  laneIds: readonly LaneId[],
): { laneIds: LaneId[]; results: ToolResult[] } | undefined {
  const readyLanes = matchLaneResults(row, draftResults).filter(
    ({ lane, missingCount }) => missingCount === 0 && laneIds.includes(lane.laneId),
  );
  if (readyLanes.length === 0) return undefined;
  const results = collectToolResults(row, draftResults).filter((result) => result.content.trim() !== '');
  const usedResults = new Set(readyLanes.flatMap(({ lane }) => matchResults(lane.calls, results)));
  return {
    laneIds: readyLanes.map(({ lane }) => lane.laneId),
    results: results.filter((result) => usedResults.has(result)),
  };
}

/** Collects the results entered for the calls of the row, without duplicates. */
function collectToolResults(row: PendingResultsRow, draftResults: DraftToolResults): ToolResult[] {
  const resultsByKey = new Map<string, ToolResult>();
  for (const { name, ordinal, ...identity } of row.lanes.flatMap(({ calls }) => getCallIdentities(calls))) {
    const key = getCallKey({ name, ordinal, ...identity });
    const result = Object.hasOwn(draftResults, key) ? draftResults[key] : undefined;
    if (!result || resultsByKey.has(key)) continue;
    resultsByKey.set(key, {
      call: { name, ordinal, arguments: identity.arguments },
      content: result.text,
      ...(result.isError ? { isError: true } : {}),
    });
  }
  return [...resultsByKey.values()];
}
