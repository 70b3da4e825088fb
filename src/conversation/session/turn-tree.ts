/** Reading a lane: the path shown, the versions of an answer, the versions of a prompt. */
import type { Message } from '../../gateway/wire.ts';
import type { Lane, Prompt, PromptId, Run, RunId, SessionData, Turn, TurnId } from './types.ts';

/** The run that answers this turn; undefined where a person wrote the answer or there is none. */
export function runOf({ runs }: Pick<SessionData, 'runs'>, turn: Turn | undefined): Run | undefined {
  return turn?.reply?.kind === 'run' ? runs[turn.reply.runId] : undefined;
}

/** The id of that run. */
export function runIdOf(turn: Turn | undefined): RunId | undefined {
  return turn?.reply?.kind === 'run' ? turn.reply.runId : undefined;
}

/** The answer that a person wrote to this turn. */
export function writtenOf(turn: Turn | undefined): Message | undefined {
  return turn?.reply?.kind === 'written' ? turn.reply.message : undefined;
}

/** The turn that this run answers. */
export function turnOfRun({ turns }: Pick<SessionData, 'turns'>, runId: RunId): Turn | undefined {
  return Object.values(turns).find((turn) => runIdOf(turn) === runId);
}

/** What was read from a session's turns before. Every edit makes other turns, so nothing here is ever stale. */
interface Readings {
  paths: Map<TurnId, readonly Turn[]>;
  siblings: Map<string, Turn[]> | undefined;
  /** By turn: the newest one that goes on from the candidate shown. */
  children: Map<TurnId, Turn> | undefined;
}

const readings = new WeakMap<SessionData['turns'], Readings>();

function readingsOf({ turns }: SessionData): Readings {
  const known = readings.get(turns);
  if (known) return known;
  const made: Readings = { paths: new Map(), siblings: undefined, children: undefined };
  readings.set(turns, made);
  return made;
}

/** The shown turns of a lane, first to last. */
export function pathOf(data: SessionData, lane: Lane): readonly Turn[] {
  if (lane.tip === undefined) return [];
  const { paths } = readingsOf(data);
  const known = paths.get(lane.tip);
  if (known) return known;
  const path = pathTo(data, lane.tip);
  paths.set(lane.tip, path);
  return path;
}

/** The turns from the first to this one, including it. */
export function pathTo(data: SessionData, turnId: TurnId): Turn[] {
  const path: Turn[] = [];
  const seen = new Set<TurnId>();
  let turn = data.turns[turnId];
  while (turn && !seen.has(turn.id)) {
    seen.add(turn.id);
    path.push(turn);
    turn = turn.parent && data.turns[turn.parent.turnId];
  }
  return path.toReversed();
}

/** The order in which things were said, the same in every tab: where two of them tie, their ids decide. */
export function bySeq(one: { id: string; seq: number }, other: { id: string; seq: number }): number {
  if (one.seq !== other.seq || one.id === other.id) return one.seq - other.seq;
  return one.id < other.id ? -1 : 1;
}

export function recordsById<T extends { id: string }>(records: readonly T[]): Record<string, T> {
  return Object.fromEntries(records.map((record) => [record.id, record]));
}

export function sameParent(one: Turn, other: Turn): boolean {
  return (
    one.parent?.turnId === other.parent?.turnId && (one.parent?.choice ?? 0) === (other.parent?.choice ?? 0)
  );
}

/** All turns of the lane that hang where this one hangs, oldest first. Every message on screen asks for its own. */
function siblingsOf(data: SessionData, turn: Turn): readonly Turn[] {
  const known = readingsOf(data);
  known.siblings ??= turnsByPlace(data);
  return known.siblings.get(placeOf(turn)) ?? [];
}

function turnsByPlace(data: SessionData): Map<string, Turn[]> {
  const places = new Map<string, Turn[]>();
  for (const turn of Object.values(data.turns).toSorted(bySeq)) {
    const place = placeOf(turn);
    const found = places.get(place);
    if (found) found.push(turn);
    else places.set(place, [turn]);
  }
  return places;
}

/** Names where a turn hangs: its lane, the turn above and the candidate of it. */
function placeOf({ laneId, parent }: Turn): string {
  return `${laneId} ${parent?.turnId ?? ''} ${parent?.choice ?? 0}`;
}

/** These turns, without those that are gone. */
export function turnsOf(data: SessionData, turnIds: readonly TurnId[]): Turn[] {
  return turnIds.flatMap((turnId) => data.turns[turnId] ?? []);
}

/** Versions of the answer: same lane, same parent, same prompt; oldest first, this one among them. */
export function answerVersions(data: SessionData, turn: Turn): Turn[] {
  return siblingsOf(data, turn).filter((other) => other.promptId === turn.promptId);
}

/**
 * Versions of the prompt of this turn, oldest first: all prompts that the lane holds at this place. Not only
 * its chain of `replaces`: where one of the chain was deleted, or where something else was said before a
 * deletion was taken back, the rest could never be shown again.
 */
export function promptVersions(data: SessionData, turn: Turn): Prompt[] {
  const ids = new Set(siblingsOf(data, turn).map((sibling) => sibling.promptId));
  return [...ids].flatMap((id) => data.prompts[id] ?? []).toSorted(bySeq);
}

/** The same over the turns of one row: every version that one of their lanes holds there. */
export function promptVersionsOf(data: SessionData, turns: readonly Turn[]): Prompt[] {
  const ids = new Set(turns.flatMap((turn) => promptVersions(data, turn).map((prompt) => prompt.id)));
  return [...ids].flatMap((id) => data.prompts[id] ?? []).toSorted(bySeq);
}

/**
 * The end of the path through this turn: at each step the newest turn that goes on from the candidate shown.
 * The turn itself where nothing does.
 */
export function newestLeaf(data: SessionData, turnId: TurnId): TurnId {
  const known = readingsOf(data);
  const children = (known.children ??= newestChildren(data));
  let leaf = turnId;
  const seen = new Set<TurnId>();
  // A damaged record may make a turn its own ancestor.
  for (let child = children.get(leaf); child && !seen.has(leaf); child = children.get(leaf)) {
    seen.add(leaf);
    leaf = child.id;
  }
  return leaf;
}

function newestChildren({ turns }: SessionData): Map<TurnId, Turn> {
  const children = new Map<TurnId, Turn>();
  for (const turn of Object.values(turns)) {
    const parent = turn.parent && turns[turn.parent.turnId];
    if (!parent || turn.parent?.choice !== (parent.shownChoice ?? 0)) continue;
    const known = children.get(parent.id);
    if (!known || bySeq(known, turn) < 0) children.set(parent.id, turn);
  }
  return children;
}

/** The newest turn of the lane at the place of `turn` that answers this version of its prompt. */
export function newestAnswerTo(data: SessionData, turn: Turn, promptId: PromptId): Turn | undefined {
  return siblingsOf(data, turn).findLast((sibling) => sibling.promptId === promptId);
}

/** This turn and everything below it. */
export function subtreeOf(data: SessionData, rootIds: readonly TurnId[]): Turn[] {
  const inside = new Set(rootIds);
  // A child is always younger than its parent, so one pass in order of age finds them all.
  const byAge = Object.values(data.turns).toSorted(bySeq);
  for (const turn of byAge) if (turn.parent && inside.has(turn.parent.turnId)) inside.add(turn.id);
  return byAge.filter((turn) => inside.has(turn.id));
}

/** The last turn of each lane that has one. */
export function latestTurns(data: SessionData): Turn[] {
  return data.session.laneIds.flatMap((id) => data.turns[data.lanes[id]?.tip ?? ''] ?? []);
}

/** A lane's letter by position: A, B, C, … */
export function laneLetter(index: number): string {
  return String.fromCharCode(65 + index);
}
