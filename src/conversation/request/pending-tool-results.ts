/** Which calls wait for results, what has been written for them over all lanes of a row, and what can be sent. */
import type { ToolCall } from '../../gateway/wire.ts';
import { parseJson } from '../../lib/json.ts';
import { isLive } from '../reply/run.ts';
import { getCandidate } from '../session/candidates.ts';
import { getManualReply } from '../session/turn-tree.ts';
import type { LaneId, PromptId, Run, ToolResult, Turn, TurnId } from '../session/types.ts';
import { getToolCalls } from './request.ts';
import { getCallKey, getCallIdentities, matchResults, type CallIdentity } from './tool-results.ts';

/** A result as it is typed. An empty text is kept, too: the person does not want another lane's result there. */
export interface DraftToolResult {
  text: string;
  isError?: true;
}

/** By getCallKey. */
export type DraftToolResults = Readonly<Record<string, DraftToolResult>>;

/** The calls of one lane that wait for results. */
export interface PendingLane {
  laneId: LaneId;
  turnId: TurnId;
  calls: ToolCall[];
}

/** The lanes that answered one prompt with calls that wait for results. */
export interface PendingResultsRow {
  promptId: PromptId;
  lanes: PendingLane[];
}

/** The result for a call, its own or copied from another call. */
export interface CallResult {
  key: string;
  identity: CallIdentity;
  text: string;
  isError: boolean;
  isReady: boolean;
  /** The arguments of the call that it was written for, where they differ from this one's. */
  copiedFrom?: string;
}

export interface LaneResults {
  lane: PendingLane;
  results: CallResult[];
  missingCount: number;
}

/** The calls of the candidate shown, whether a model made them or a person wrote them. */
export function getShownCalls(turn: Turn, run: Run | undefined): ToolCall[] {
  const manualReply = getManualReply(turn);
  if (manualReply) return manualReply.role === 'assistant' ? (manualReply.tool_calls ?? []) : [];
  return run ? getToolCalls(turn, run, turn.shownChoice ?? 0) : [];
}

/** False where the text of the arguments is not complete: nobody knows what was to be called. */
export function hasCompleteArguments(call: ToolCall): boolean {
  const { arguments: text } = call.function;
  return text.trim() === '' || parseJson(text).ok;
}

/**
 * The calls of this turn that can be answered: none while they stream, and none of an answer that broke off
 * inside a call. Arguments that are not JSON in an answer that ended as it should are the model's own fault:
 * it can be told so.
 */
export function getPendingCalls(turn: Turn, run: Run | undefined): ToolCall[] {
  const calls = getShownCalls(turn, run);
  if (!run) return calls;
  if (isLive(run)) return [];
  const isComplete =
    run.phase.name === 'complete' && getCandidate(run, turn.shownChoice)?.finishReason !== 'length';
  return isComplete || calls.every(hasCompleteArguments) ? calls : [];
}

/** Rows by prompt, in the order of the lanes given: each the last turn of its lane with its run. */
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
 * What answers each call of each lane: its own result, else the one of the call of the same name and place in
 * another lane. The same rule that the request is built by (matchResults), so what is shown is what is sent.
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

/** One prompt's worth: all results, and the lanes whose calls they all answer. Undefined where no lane is complete. */
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

/** All that was written for the calls that the row shows now, each once. */
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
