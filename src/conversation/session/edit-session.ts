/** Edits sessions with pure functions from one SessionData to the next. */
import { uniq } from 'es-toolkit';

import type { Message } from '../../gateway/wire.ts';
import { createRun } from '../reply/run.ts';
import { getTextOrFileNames } from '../request/message-files.ts';
import {
  getAnswerVersions,
  compareSeq,
  findNewestLeaf,
  getLanePath,
  indexById,
  getRunId,
  getRun,
  hasSameParent,
  getSubtree,
} from './turn-tree.ts';
import type {
  Lane,
  LaneId,
  Prompt,
  PromptId,
  Run,
  RunId,
  SessionData,
  Setup,
  ToolResult,
  Turn,
  TurnId,
} from './types.ts';
import { fillMessage } from './variables.ts';

/** Clock (`now`, epoch ms) and ID generator, passed in for tests. */
export interface Environment {
  now: () => number;
  newId: () => string;
}

export function createEmptySession({ now, newId }: Environment, setups: readonly Setup[]): SessionData {
  const id = newId();
  const lanes = setups.map((setup): Lane => ({ id: newId(), sessionId: id, setup }));
  return {
    session: {
      id,
      title: defaultTitle,
      createdAt: now(),
      updatedAt: now(),
      laneIds: lanes.map((lane) => lane.id),
    },
    lanes: Object.fromEntries(lanes.map((lane) => [lane.id, lane])),
    prompts: {},
    turns: {},
    runs: {},
  };
}

/** Returns true for a session without messages, which need not be stored. */
export function isEmptySession(data: SessionData): boolean {
  return Object.keys(data.prompts).length === 0;
}

/** Step between sequence numbers, large enough to separate records that several tabs add at the same time. */
const seqStep = 2 ** 20;

/**
 * Returns the sequence number of the next prompt or turn. Prompts added simultaneously in different tabs get different
 * numbers.
 */
export function getNextSeq(data: SessionData, id: string): number {
  const records = [...Object.values(data.prompts), ...Object.values(data.turns)];
  const newestSeq = records.reduce((max, { seq }) => Math.max(max, seq), 0);
  return (Math.floor(newestSeq / seqStep) + 1) * seqStep + (hashId(id) % seqStep);
}

/** Computes the FNV-1a hash of an ID, which spreads similar IDs. */
function hashId(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

export function addPrompt(
  data: SessionData,
  { now, newId }: Environment,
  input: { messages: Message[]; results?: ToolResult[]; replaces?: PromptId },
): { data: SessionData; promptId: PromptId } {
  const id = newId();
  const prompt: Prompt = {
    id,
    sessionId: data.session.id,
    seq: getNextSeq(data, id),
    createdAt: now(),
    ...input,
  };
  const session = { ...data.session, updatedAt: now() };
  const isFirst = Object.keys(data.prompts).length === 0;
  if (isFirst && !session.titled) {
    const { variables = {} } = session;
    session.title = deriveTitle(input.messages.map((message) => fillMessage(message, variables)));
  }
  return {
    data: { ...data, session, prompts: { ...data.prompts, [prompt.id]: prompt } },
    promptId: prompt.id,
  };
}

/** Appends a turn to the lane with a queued run of its current setup; without `run`, the turn is only saved. */
export function addTurn(
  data: SessionData,
  { newId }: Environment,
  laneId: LaneId,
  turnInput: { promptId: PromptId; parent?: Turn['parent']; run: boolean },
): { data: SessionData; turnId: TurnId; runId?: RunId } {
  const lane = data.lanes[laneId];
  if (!lane) throw new Error(`There is no lane ${laneId} in session ${data.session.id}`);
  const run = turnInput.run ? createRun(newId(), data.session.id, lane.setup) : undefined;
  const id = newId();
  const turn: Turn = {
    id,
    sessionId: data.session.id,
    laneId,
    seq: getNextSeq(data, id),
    promptId: turnInput.promptId,
    ...(turnInput.parent ? { parent: turnInput.parent } : {}),
    ...(run ? { reply: { kind: 'run', runId: run.id } } : {}),
  };
  const next: SessionData = {
    ...data,
    lanes: { ...data.lanes, [laneId]: { ...lane, tip: turn.id } },
    turns: { ...data.turns, [turn.id]: turn },
    runs: run ? { ...data.runs, [run.id]: run } : data.runs,
  };
  return run ? { data: next, turnId: turn.id, runId: run.id } : { data: next, turnId: turn.id };
}

/** Returns the parent of the lane's next turn: its last turn, at the shown candidate. */
export function getNextTurnParent(data: SessionData, laneId: LaneId): Turn['parent'] {
  const tip = data.lanes[laneId]?.tip;
  const turn = tip === undefined ? undefined : data.turns[tip];
  return turn && { turnId: turn.id, choice: turn.shownChoice ?? 0 };
}

export function setRun(data: SessionData, run: Run): SessionData {
  return { ...data, runs: { ...data.runs, [run.id]: run } };
}

export function changeLane(data: SessionData, laneId: LaneId, change: (lane: Lane) => Lane): SessionData {
  const lane = data.lanes[laneId];
  return lane ? { ...data, lanes: { ...data.lanes, [laneId]: change(lane) } } : data;
}

export function changeTurn(data: SessionData, turnId: TurnId, change: (turn: Turn) => Turn): SessionData {
  const turn = data.turns[turnId];
  return turn ? { ...data, turns: { ...data.turns, [turnId]: change(turn) } } : data;
}

/** Shows this turn and its newest descendants. */
export function withShownTurn(data: SessionData, turn: Turn): SessionData {
  return changeLane(data, turn.laneId, (lane) => ({ ...lane, tip: findNewestLeaf(data, turn.id) }));
}

/** Shows this candidate of the turn and its newest descendants. */
export function withShownCandidate(data: SessionData, turnId: TurnId, candidateIndex: number): SessionData {
  const chosen = changeTurn(data, turnId, (turn) => ({ ...turn, shownChoice: candidateIndex }));
  const turn = chosen.turns[turnId];
  return turn ? withShownTurn(chosen, turn) : data;
}

/**
 * Selects the candidates along the path of a lane so that each turn shows the one that the next turn continues from.
 */
function alignShownCandidates(data: SessionData, laneId: LaneId): SessionData {
  const lane = data.lanes[laneId];
  return (lane ? getLanePath(data, lane) : []).reduce((next, { parent }) => {
    const parentTurn = parent && next.turns[parent.turnId];
    if (!parentTurn || (parentTurn.shownChoice ?? 0) === parent.choice) return next;
    return changeTurn(next, parentTurn.id, (turn) => ({ ...turn, shownChoice: parent.choice }));
  }, data);
}

/** Everything needed to restore deleted turns. */
export interface Removal {
  turns: Turn[];
  prompts: Prompt[];
  runs: Run[];
  tips: { laneId: LaneId; tip: TurnId | undefined }[];
}

/** Removes these turns and their descendants, with prompts and runs that are no longer used. */
export function removeTurns(
  data: SessionData,
  rootIds: readonly TurnId[],
): { data: SessionData; removal: Removal } {
  const turns = getSubtree(data, rootIds);
  const removedTurnIds = new Set(turns.map((turn) => turn.id));
  const remainingTurns = Object.values(data.turns).filter((turn) => !removedTurnIds.has(turn.id));
  const remainingPromptIds = new Set(remainingTurns.map((turn) => turn.promptId));
  const prompts = uniq(turns.flatMap((turn) => data.prompts[turn.promptId] ?? [])).filter(
    (prompt) => !remainingPromptIds.has(prompt.id),
  );
  // Duplicated lanes share their runs.
  const remainingRunIds = new Set(remainingTurns.map(getRunId));
  const runs = uniq(turns.flatMap((turn) => getRun(data, turn) ?? [])).filter(
    (run) => !remainingRunIds.has(run.id),
  );
  const remainingData: SessionData = {
    ...data,
    turns: indexById(remainingTurns),
    prompts: withoutRecords(data.prompts, prompts),
    runs: withoutRecords(data.runs, runs),
  };
  const tips: Removal['tips'] = [];
  const lanes = { ...data.lanes };
  for (const lane of Object.values(data.lanes)) {
    if (lane.tip === undefined || !removedTurnIds.has(lane.tip)) continue;
    tips.push({ laneId: lane.id, tip: lane.tip });
    lanes[lane.id] = withTip(lane, findReplacementTip(data, remainingData, lane.tip, removedTurnIds));
  }
  return { data: { ...remainingData, lanes }, removal: { turns, prompts, runs, tips } };
}

/** Returns the nearest turn to show instead: another version of the highest removed turn, otherwise its parent. */
function findReplacementTip(
  previousData: SessionData,
  remainingData: SessionData,
  tip: TurnId,
  removedTurnIds: ReadonlySet<TurnId>,
): TurnId | undefined {
  let topTurn = previousData.turns[tip];
  while (topTurn?.parent && removedTurnIds.has(topTurn.parent.turnId))
    topTurn = previousData.turns[topTurn.parent.turnId];
  if (!topTurn) return undefined;
  const { id, laneId, parent } = topTurn;
  const version =
    getAnswerVersions(previousData, topTurn).findLast((turn) => !removedTurnIds.has(turn.id)) ??
    Object.values(previousData.turns)
      .filter(
        (turn) =>
          turn.laneId === laneId &&
          !removedTurnIds.has(turn.id) &&
          turn.id !== id &&
          hasSameParent(turn, topTurn),
      )
      .toSorted(compareSeq)
      .at(-1);
  return version ? findNewestLeaf(remainingData, version.id) : parent?.turnId;
}

function withTip(lane: Lane, tip: TurnId | undefined): Lane {
  const { tip: _, ...rest } = lane;
  return tip === undefined ? rest : { ...rest, tip };
}

/** Restores removed turns. */
export function restoreTurns(data: SessionData, removal: Removal): SessionData {
  const lanes = { ...data.lanes };
  for (const { laneId, tip } of removal.tips) {
    const lane = lanes[laneId];
    if (lane) lanes[laneId] = withTip(lane, tip);
  }
  const restored: SessionData = {
    ...data,
    lanes,
    turns: { ...data.turns, ...indexById(removal.turns) },
    prompts: { ...data.prompts, ...indexById(removal.prompts) },
    runs: { ...data.runs, ...indexById(removal.runs) },
  };
  return removal.tips.reduce((next, { laneId }) => alignShownCandidates(next, laneId), restored);
}

function withoutRecords<T extends { id: string }>(
  recordMap: Record<string, T>,
  removedRecords: readonly T[],
): Record<string, T> {
  const ids = new Set(removedRecords.map((record) => record.id));
  return indexById(Object.values(recordMap).filter((record) => !ids.has(record.id)));
}

/**
 * Summarises a session for the history: models in order of use, number of prompts, tokens (estimated where no usage was
 * reported) and marks.
 */
export function summarizeForHistory(data: SessionData): NonNullable<SessionData['session']['summary']> {
  const runs = Object.values(data.runs);
  const models = [...new Set(runs.map((run) => run.setup.model))];
  const tokenCounts = runs.map(
    (run) => run.usage?.totalTokens ?? (run.estimatedPromptTokens ?? 0) + run.deltas,
  );
  const tokens = tokenCounts.reduce((sum, count) => sum + count, 0);
  const isEstimated = runs.some((run) => run.usage?.totalTokens === undefined && run.deltas > 0);
  const marks = [...new Set(Object.values(data.turns).flatMap((turn) => turn.remark?.mark ?? []))];
  return {
    models,
    prompts: Object.keys(data.prompts).length,
    ...(tokens > 0 ? { tokens } : {}),
    ...(tokens > 0 && isEstimated ? { tokensEstimated: true } : {}),
    ...(marks.length > 0 ? { marks } : {}),
  };
}

export const defaultTitle = 'New session';

/** Derives a title from the first prompt: its first line with text, without Markdown marks, at most 60 characters. */
export function deriveTitle(messages: readonly Message[]): string {
  const text = messages.map((message) => getTextOrFileNames(message.content)).join('\n');
  // Blank lines and marks before the first word are skipped, even across lines.
  const start = /[^\s#>*\-`]/.exec(text)?.index;
  if (start === undefined) return defaultTitle;
  const end = text.indexOf('\n', start);
  const line = text.slice(start, end < 0 ? undefined : end).trim();
  // A character has at most two UTF-16 units.
  const chars = Array.from(line.slice(0, 122));
  if (chars.length <= 60) return line;
  const truncated = chars.slice(0, 60).join('');
  const spaceIndex = truncated.lastIndexOf(' ');
  return `${truncated.slice(0, spaceIndex > 30 ? spaceIndex : undefined).trimEnd()}…`;
}
