/** Which calls wait for results, what has been written for them over all lanes of a row, and what can be sent. */
import type { ToolCall } from '../../gateway/wire.ts';
import { parseJson } from '../../lib/json.ts';
import { isLive } from '../reply/run.ts';
import { candidateOf } from '../session/candidates.ts';
import { writtenOf } from '../session/turn-tree.ts';
import type { LaneId, PromptId, Run, ToolResult, Turn, TurnId } from '../session/types.ts';
import { toolCallsOf } from './request.ts';
import { callKey, identitiesOf, resultsFor, type CallIdentity } from './tool-results.ts';

/** A result as it is typed. An empty text is kept, too: the person does not want another lane's result there. */
export interface WrittenResult {
  text: string;
  isError?: true;
}

/** By callKey. */
export type WrittenResults = Readonly<Record<string, WrittenResult>>;

/** The calls of one lane that wait for results. */
export interface WaitingLane {
  laneId: LaneId;
  turnId: TurnId;
  calls: ToolCall[];
}

/** The lanes that answered one prompt with calls that wait for results. */
export interface WaitingRow {
  promptId: PromptId;
  lanes: WaitingLane[];
}

/** What a call is answered with. `from`: the lanes' own words for a result that was written for another call. */
export interface CallAnswer {
  key: string;
  identity: CallIdentity;
  text: string;
  isError: boolean;
  isReady: boolean;
  /** The arguments of the call that it was written for, where they differ from this one's. */
  writtenFor?: string;
}

export interface LaneAnswers {
  lane: WaitingLane;
  answers: CallAnswer[];
  missing: number;
}

/** The calls of the candidate shown, whether a model made them or a person wrote them. */
export function shownCalls(turn: Turn, run: Run | undefined): ToolCall[] {
  const written = writtenOf(turn);
  if (written) return written.role === 'assistant' ? (written.tool_calls ?? []) : [];
  return run ? toolCallsOf(turn, run, turn.shownChoice ?? 0) : [];
}

/** False where the text of the arguments is not complete: nobody knows what was to be called. */
export function hasWholeArguments(call: ToolCall): boolean {
  const { arguments: text } = call.function;
  return text.trim() === '' || parseJson(text).ok;
}

/**
 * The calls of this turn that can be answered: none while they stream, and none of an answer that broke off
 * inside a call. Arguments that are not JSON in an answer that ended as it should are the model's own fault:
 * it can be told so.
 */
export function answerableCalls(turn: Turn, run: Run | undefined): ToolCall[] {
  const calls = shownCalls(turn, run);
  if (!run) return calls;
  if (isLive(run)) return [];
  const ended =
    run.phase.name === 'complete' && candidateOf(run, turn.shownChoice)?.finishReason !== 'length';
  return ended || calls.every(hasWholeArguments) ? calls : [];
}

/** Rows by prompt, in the order of the lanes given: each the last turn of its lane with its run. */
export function waitingRows(tips: readonly { turn: Turn; run: Run | undefined }[]): WaitingRow[] {
  const rows = new Map<PromptId, WaitingRow>();
  for (const { turn, run } of tips) {
    const calls = answerableCalls(turn, run);
    if (calls.length === 0) continue;
    const row = rows.get(turn.promptId) ?? { promptId: turn.promptId, lanes: [] };
    row.lanes.push({ laneId: turn.laneId, turnId: turn.id, calls });
    rows.set(turn.promptId, row);
  }
  return [...rows.values()];
}

/**
 * What answers each call of each lane: its own result, else the one of the call of the same name and place in
 * another lane. The same rule that the request is built by (resultsFor), so what is shown is what is sent.
 */
export function laneAnswers(row: WaitingRow, written: WrittenResults): LaneAnswers[] {
  const results = writtenResults(row, written);
  return row.lanes.map((lane) => {
    const identities = identitiesOf(lane.calls);
    const found = resultsFor(lane.calls, results);
    const answers = identities.map((identity, index): CallAnswer => {
      const result = found[index];
      const text = result?.content ?? '';
      const isBorrowed = result !== undefined && result.call.arguments !== identity.arguments;
      return {
        key: callKey(identity),
        identity,
        text,
        isError: result?.isError === true,
        isReady: text.trim() !== '',
        ...(isBorrowed ? { writtenFor: result.call.arguments ?? '' } : {}),
      };
    });
    return { lane, answers, missing: answers.filter((answer) => !answer.isReady).length };
  });
}

/** One prompt's worth: all results, and the lanes whose calls they all answer. Undefined where no lane is complete. */
export function sendableResults(
  row: WaitingRow,
  written: WrittenResults,
  laneIds: readonly LaneId[],
): { laneIds: LaneId[]; results: ToolResult[] } | undefined {
  const ready = laneAnswers(row, written).filter(
    ({ lane, missing }) => missing === 0 && laneIds.includes(lane.laneId),
  );
  if (ready.length === 0) return undefined;
  const results = writtenResults(row, written).filter((result) => result.content.trim() !== '');
  const used = new Set(ready.flatMap(({ lane }) => resultsFor(lane.calls, results)));
  return {
    laneIds: ready.map(({ lane }) => lane.laneId),
    results: results.filter((result) => used.has(result)),
  };
}

/** All that was written for the calls that the row shows now, each once. */
function writtenResults(row: WaitingRow, written: WrittenResults): ToolResult[] {
  const byKey = new Map<string, ToolResult>();
  for (const { name, ordinal, ...identity } of row.lanes.flatMap(({ calls }) => identitiesOf(calls))) {
    const key = callKey({ name, ordinal, ...identity });
    const result = Object.hasOwn(written, key) ? written[key] : undefined;
    if (!result || byKey.has(key)) continue;
    byKey.set(key, {
      call: { name, ordinal, arguments: identity.arguments },
      content: result.text,
      ...(result.isError ? { isError: true } : {}),
    });
  }
  return [...byKey.values()];
}
