/** Reads a lane: the shown path, the versions of answers and the versions of prompts. */
import { groupBy } from 'es-toolkit';

import type { Message } from '../../gateway/wire.ts';
import type { Lane, Prompt, PromptId, Run, RunId, SessionData, Turn, TurnId } from './types.ts';

/** Returns the run of this turn, `undefined` for manual replies and turns without a reply. */
export function getRun({ runs }: Pick<SessionData, 'runs'>, turn: Turn | undefined): Run | undefined {
  return turn?.reply?.kind === 'run' ? runs[turn.reply.runId] : undefined;
}

/** Returns the ID of the turn's run. */
export function getRunId(turn: Turn | undefined): RunId | undefined {
  return turn?.reply?.kind === 'run' ? turn.reply.runId : undefined;
}

/** Returns the reply that the user wrote for this turn. */
export function getManualReply(turn: Turn | undefined): Message | undefined {
  return turn?.reply?.kind === 'written' ? turn.reply.message : undefined;
}

/** Returns the turn to which this run belongs. */
export function findTurnByRun({ turns }: Pick<SessionData, 'turns'>, runId: RunId): Turn | undefined {
  return Object.values(turns).find((turn) => getRunId(turn) === runId);
}

/** Derived data of the turns of a session. Every edit creates a new `turns` object, so the cache is never stale. */
interface TurnTreeCache {
  paths: Map<TurnId, readonly Turn[]>;
  turnsByParent: Record<string, Turn[]> | undefined;
  /** Newest turn that continues from the shown candidate, by parent turn. */
  newestChildren: Map<TurnId, Turn> | undefined;
  /** First turn of each run; further ones are copies of it in other lanes. */
  originalTurns: Map<RunId, Turn> | undefined;
}

const treeCaches = new WeakMap<SessionData['turns'], TurnTreeCache>();

function getTreeCache({ turns }: SessionData): TurnTreeCache {
  const cached = treeCaches.get(turns);
  if (cached) return cached;
  const treeCache: TurnTreeCache = {
    paths: new Map(),
    turnsByParent: undefined,
    newestChildren: undefined,
    originalTurns: undefined,
  };
  treeCaches.set(turns, treeCache);
  return treeCache;
}

/**
 * Returns the turn whose answer this turn copies, because its lane was duplicated; `undefined` for a turn that was
 * answered itself. IDs begin with the time, so the original has the smallest one.
 */
export function getCopiedTurn(data: SessionData, turn: Turn | undefined): Turn | undefined {
  const runId = getRunId(turn);
  if (turn === undefined || runId === undefined) return undefined;
  const treeCache = getTreeCache(data);
  if (treeCache.originalTurns === undefined) {
    treeCache.originalTurns = new Map();
    for (const candidate of Object.values(data.turns)) {
      const candidateRunId = getRunId(candidate);
      if (candidateRunId === undefined) continue;
      const first = treeCache.originalTurns.get(candidateRunId);
      if (first === undefined || candidate.id < first.id)
        treeCache.originalTurns.set(candidateRunId, candidate);
    }
  }
  const original = treeCache.originalTurns.get(runId);
  return original === turn ? undefined : original;
}

/** Returns the shown turns of a lane, first to last. */
export function getLanePath(data: SessionData, lane: Lane): readonly Turn[] {
  if (lane.tip === undefined) return [];
  const { paths } = getTreeCache(data);
  const cachedPath = paths.get(lane.tip);
  if (cachedPath) return cachedPath;
  const path = getPathTo(data, lane.tip);
  paths.set(lane.tip, path);
  return path;
}

/** Returns the path from the first turn to this one, inclusive. */
export function getPathTo(data: SessionData, turnId: TurnId): Turn[] {
  const path: Turn[] = [];
  const visitedIds = new Set<TurnId>();
  let turn = data.turns[turnId];
  while (turn && !visitedIds.has(turn.id)) {
    visitedIds.add(turn.id);
    path.push(turn);
    turn = turn.parent && data.turns[turn.parent.turnId];
  }
  return path.toReversed();
}

/** Compares sequence numbers, then IDs, so that the order is the same in every tab. */
export function compareSeq(a: { id: string; seq: number }, b: { id: string; seq: number }): number {
  if (a.seq !== b.seq || a.id === b.id) return a.seq - b.seq;
  return a.id < b.id ? -1 : 1;
}

export function indexById<T extends { id: string }>(records: readonly T[]): Record<string, T> {
  return Object.fromEntries(records.map((record) => [record.id, record]));
}

export function hasSameParent(a: Turn, b: Turn): boolean {
  return a.parent?.turnId === b.parent?.turnId && (a.parent?.choice ?? 0) === (b.parent?.choice ?? 0);
}

/**
 * Returns all turns of the lane with the same parent, oldest first. Cached, because every message on screen calls it.
 */
function getSiblings(data: SessionData, turn: Turn): readonly Turn[] {
  const treeCache = getTreeCache(data);
  treeCache.turnsByParent ??= groupBy(Object.values(data.turns).toSorted(compareSeq), getParentKey);
  return treeCache.turnsByParent[getParentKey(turn)] ?? [];
}

/** Returns a key for the parent: lane, turn and candidate. */
function getParentKey({ laneId, parent }: Turn): string {
  return `${laneId} ${parent?.turnId ?? ''} ${parent?.choice ?? 0}`;
}

/** Returns the existing turns with these IDs. */
export function getTurns(data: SessionData, turnIds: readonly TurnId[]): Turn[] {
  return turnIds.flatMap((turnId) => data.turns[turnId] ?? []);
}

/** Returns the versions of an answer (same lane, parent and prompt), oldest first, including this one. */
export function getAnswerVersions(data: SessionData, turn: Turn): Turn[] {
  return getSiblings(data, turn).filter((sibling) => sibling.promptId === turn.promptId);
}

/**
 * Returns all prompts of the lane at the position of this turn, oldest first. The `replaces` chain is not used, because
 * versions beyond a deleted or restored prompt would become unreachable.
 */
export function getPromptVersions(data: SessionData, turn: Turn): Prompt[] {
  const ids = new Set(getSiblings(data, turn).map((sibling) => sibling.promptId));
  return [...ids].flatMap((id) => data.prompts[id] ?? []).toSorted(compareSeq);
}

/** Returns the prompt versions for all turns of a row. */
export function getRowPromptVersions(data: SessionData, turns: readonly Turn[]): Prompt[] {
  const ids = new Set(turns.flatMap((turn) => getPromptVersions(data, turn).map((prompt) => prompt.id)));
  return [...ids].flatMap((id) => data.prompts[id] ?? []).toSorted(compareSeq);
}

/**
 * Returns the end of the path through this turn, following the newest turn that continues from the shown candidate, or
 * the turn itself.
 */
export function findNewestLeaf(data: SessionData, turnId: TurnId): TurnId {
  const treeCache = getTreeCache(data);
  const newestChildren = (treeCache.newestChildren ??= findNewestChildren(data));
  let leafId = turnId;
  const visitedIds = new Set<TurnId>();
  // A damaged record may make a turn its own ancestor.
  for (
    let child = newestChildren.get(leafId);
    child && !visitedIds.has(leafId);
    child = newestChildren.get(leafId)
  ) {
    visitedIds.add(leafId);
    leafId = child.id;
  }
  return leafId;
}

function findNewestChildren({ turns }: SessionData): Map<TurnId, Turn> {
  const newestChildren = new Map<TurnId, Turn>();
  for (const turn of Object.values(turns)) {
    const parent = turn.parent && turns[turn.parent.turnId];
    if (!parent || turn.parent?.choice !== (parent.shownChoice ?? 0)) continue;
    const newestChild = newestChildren.get(parent.id);
    if (!newestChild || compareSeq(newestChild, turn) < 0) newestChildren.set(parent.id, turn);
  }
  return newestChildren;
}

/** Returns the lane's newest turn at the same position that answers this prompt version. */
export function findNewestAnswer(data: SessionData, turn: Turn, promptId: PromptId): Turn | undefined {
  return getSiblings(data, turn).findLast((sibling) => sibling.promptId === promptId);
}

/** Returns these turns and all their descendants. */
export function getSubtree(data: SessionData, rootIds: readonly TurnId[]): Turn[] {
  const subtreeIds = new Set(rootIds);
  // A child is always newer than its parent, so one pass in sequence order finds all descendants.
  const turnsByAge = Object.values(data.turns).toSorted(compareSeq);
  for (const turn of turnsByAge)
    if (turn.parent && subtreeIds.has(turn.parent.turnId)) subtreeIds.add(turn.id);
  return turnsByAge.filter((turn) => subtreeIds.has(turn.id));
}

/** Returns the last turn of each lane that has one. */
export function getLatestTurns(data: SessionData): Turn[] {
  return data.session.laneIds.flatMap((id) => data.turns[data.lanes[id]?.tip ?? ''] ?? []);
}

/** Returns the letter of a lane position: A, B, C, … */
export function getLaneLetter(index: number): string {
  return String.fromCharCode(65 + index);
}
