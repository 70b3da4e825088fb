/** Reading a lane: the path shown, the versions of an answer, the versions of a prompt. */
import type { Message } from '../../gateway/wire.ts';
import type { Lane, Prompt, PromptId, Run, RunId, SessionData, Turn, TurnId } from './types.ts';

/** The run that answers this turn; undefined where a person wrote the answer or there is none. */
export function getRun({ runs }: Pick<SessionData, 'runs'>, turn: Turn | undefined): Run | undefined {
  return turn?.reply?.kind === 'run' ? runs[turn.reply.runId] : undefined;
}

/** The id of that run. */
export function getRunId(turn: Turn | undefined): RunId | undefined {
  return turn?.reply?.kind === 'run' ? turn.reply.runId : undefined;
}

/** The answer that a person wrote to this turn. */
export function getManualReply(turn: Turn | undefined): Message | undefined {
  return turn?.reply?.kind === 'written' ? turn.reply.message : undefined;
}

/** The turn that this run answers. */
export function findTurnByRun({ turns }: Pick<SessionData, 'turns'>, runId: RunId): Turn | undefined {
  return Object.values(turns).find((turn) => getRunId(turn) === runId);
}

/** What was read from a session's turns before. Every edit makes other turns, so nothing here is ever stale. */
interface TurnTreeCache {
  paths: Map<TurnId, readonly Turn[]>;
  turnsByParent: Map<string, Turn[]> | undefined;
  /** By turn: the newest one that goes on from the candidate shown. */
  newestChildren: Map<TurnId, Turn> | undefined;
}

const treeCaches = new WeakMap<SessionData['turns'], TurnTreeCache>();

function getTreeCache({ turns }: SessionData): TurnTreeCache {
  const cached = treeCaches.get(turns);
  if (cached) return cached;
  const treeCache: TurnTreeCache = { paths: new Map(), turnsByParent: undefined, newestChildren: undefined };
  treeCaches.set(turns, treeCache);
  return treeCache;
}

/** The shown turns of a lane, first to last. */
export function getLanePath(data: SessionData, lane: Lane): readonly Turn[] {
  if (lane.tip === undefined) return [];
  const { paths } = getTreeCache(data);
  const cachedPath = paths.get(lane.tip);
  if (cachedPath) return cachedPath;
  const path = getPathTo(data, lane.tip);
  paths.set(lane.tip, path);
  return path;
}

/** The turns from the first to this one, including it. */
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

/** The order in which things were said, the same in every tab: where two of them tie, their ids decide. */
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

/** All turns of the lane that hang where this one hangs, oldest first. Cached, since every message on screen calls it. */
function getSiblings(data: SessionData, turn: Turn): readonly Turn[] {
  const treeCache = getTreeCache(data);
  treeCache.turnsByParent ??= groupTurnsByParent(data);
  return treeCache.turnsByParent.get(getParentKey(turn)) ?? [];
}

function groupTurnsByParent(data: SessionData): Map<string, Turn[]> {
  const turnsByParent = new Map<string, Turn[]>();
  for (const turn of Object.values(data.turns).toSorted(compareSeq)) {
    const parentKey = getParentKey(turn);
    const siblings = turnsByParent.get(parentKey);
    if (siblings) siblings.push(turn);
    else turnsByParent.set(parentKey, [turn]);
  }
  return turnsByParent;
}

/** Names where a turn hangs: its lane, the turn above and the candidate of it. */
function getParentKey({ laneId, parent }: Turn): string {
  return `${laneId} ${parent?.turnId ?? ''} ${parent?.choice ?? 0}`;
}

/** These turns, without those that are gone. */
export function getTurns(data: SessionData, turnIds: readonly TurnId[]): Turn[] {
  return turnIds.flatMap((turnId) => data.turns[turnId] ?? []);
}

/** Versions of the answer: same lane, same parent, same prompt; oldest first, this one among them. */
export function getAnswerVersions(data: SessionData, turn: Turn): Turn[] {
  return getSiblings(data, turn).filter((sibling) => sibling.promptId === turn.promptId);
}

/**
 * Versions of the prompt of this turn, oldest first: all prompts that the lane holds at this place. Not only
 * its chain of `replaces`: where one of the chain was deleted, or where something else was said before a
 * deletion was taken back, the rest could never be shown again.
 */
export function getPromptVersions(data: SessionData, turn: Turn): Prompt[] {
  const ids = new Set(getSiblings(data, turn).map((sibling) => sibling.promptId));
  return [...ids].flatMap((id) => data.prompts[id] ?? []).toSorted(compareSeq);
}

/** The same over the turns of one row: every version that one of their lanes holds there. */
export function getRowPromptVersions(data: SessionData, turns: readonly Turn[]): Prompt[] {
  const ids = new Set(turns.flatMap((turn) => getPromptVersions(data, turn).map((prompt) => prompt.id)));
  return [...ids].flatMap((id) => data.prompts[id] ?? []).toSorted(compareSeq);
}

/**
 * The end of the path through this turn: at each step the newest turn that goes on from the candidate shown.
 * The turn itself where nothing does.
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

/** The newest turn of the lane at the place of `turn` that answers this version of its prompt. */
export function findNewestAnswer(data: SessionData, turn: Turn, promptId: PromptId): Turn | undefined {
  return getSiblings(data, turn).findLast((sibling) => sibling.promptId === promptId);
}

/** This turn and everything below it. */
export function getSubtree(data: SessionData, rootIds: readonly TurnId[]): Turn[] {
  const subtreeIds = new Set(rootIds);
  // A child is always younger than its parent, so one pass in order of age finds them all.
  const turnsByAge = Object.values(data.turns).toSorted(compareSeq);
  for (const turn of turnsByAge)
    if (turn.parent && subtreeIds.has(turn.parent.turnId)) subtreeIds.add(turn.id);
  return turnsByAge.filter((turn) => subtreeIds.has(turn.id));
}

/** The last turn of each lane that has one. */
export function getLatestTurns(data: SessionData): Turn[] {
  return data.session.laneIds.flatMap((id) => data.turns[data.lanes[id]?.tip ?? ''] ?? []);
}

/** A lane's letter by position: A, B, C, … */
export function getLaneLetter(index: number): string {
  return String.fromCharCode(65 + index);
}
