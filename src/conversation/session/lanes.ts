import { isLive } from '../reply/run.ts';
import { PARAMS, type Params } from '../setup/params.ts';
import { withValidToolChoice } from '../setup/tool-choice.ts';
/** Lanes come, go and change places; their histories go with them and nothing is lost on the way. */
import type { Environment, Removal } from './edit-session.ts';
import { pathTo, recordsById, runIdOf, runOf } from './turn-tree.ts';
import type { Lane, LaneId, SessionData, Setup, Turn, TurnId } from './types.ts';

export const mostLanes = 6;

/** A copy of the lane behind it, with its whole tree. Runs are shared: they do not change any more. */
export function duplicateLane(data: SessionData, environment: Environment, laneId: LaneId): SessionData {
  const source = data.lanes[laneId];
  if (!source || data.session.laneIds.length >= mostLanes) return data;
  // What hangs below a turn that is left out has no place in the copy.
  const turns = Object.values(data.turns).filter(
    (turn) => turn.laneId === laneId && !pathTo(data, turn.id).some((above) => isLiveTurn(data, above)),
  );
  return withCopy(data, environment, source, turns, source.tip);
}

/** A new lane that holds only the path to this turn: a place to go on from there differently. */
export function branchToLane(data: SessionData, environment: Environment, turnId: TurnId): SessionData {
  const turn = data.turns[turnId];
  const source = turn && data.lanes[turn.laneId];
  if (!source || data.session.laneIds.length >= mostLanes) return data;
  return withCopy(data, environment, source, pathTo(data, turnId), turnId);
}

/** A session of its own that holds the path to this turn. Its runs are copies under new ids: [old, new]. */
export function branchToSession(
  data: SessionData,
  { now, newId }: Environment,
  turnId: TurnId,
): { data: SessionData; runIds: [string, string][] } | undefined {
  const turn = data.turns[turnId];
  const source = turn && data.lanes[turn.laneId];
  if (!source) return undefined;
  const sessionId = newId();
  const ids = new Map<string, string>();
  const fresh = (id: string): string => {
    const known = ids.get(id) ?? newId();
    ids.set(id, known);
    return known;
  };
  const path = pathTo(data, turnId);
  const laneId = fresh(source.id);
  const prompts = path.flatMap((each) => data.prompts[each.promptId] ?? []);
  const runs = path.flatMap((each) => runOf(data, each) ?? []);
  const turns = path.map((each) => ({
    ...renamedTurn(each, fresh),
    sessionId,
    laneId,
    promptId: fresh(each.promptId),
  }));
  const branch: SessionData = {
    session: {
      id: sessionId,
      title: `${data.session.title} (branch)`,
      titled: true,
      createdAt: now(),
      updatedAt: now(),
      laneIds: [laneId],
      ...(data.session.variables ? { variables: data.session.variables } : {}),
    },
    lanes: { [laneId]: { id: laneId, sessionId, setup: source.setup, tip: fresh(turnId) } },
    prompts: Object.fromEntries(
      prompts.map((prompt) => {
        const { replaces: _, ...rest } = prompt;
        return [fresh(prompt.id), { ...rest, id: fresh(prompt.id), sessionId }];
      }),
    ),
    turns: Object.fromEntries(
      turns.map((each): [TurnId, Turn] => {
        const runId = runIdOf(each);
        const reply: Partial<Turn> =
          runId === undefined ? {} : { reply: { kind: 'run', runId: fresh(runId) } };
        return [each.id, { ...each, ...reply }];
      }),
    ),
    runs: Object.fromEntries(runs.map((run) => [fresh(run.id), { ...run, id: fresh(run.id), sessionId }])),
  };
  return { data: branch, runIds: runs.map((run) => [run.id, fresh(run.id)]) };
}

function isLiveTurn(data: SessionData, turn: Turn): boolean {
  const run = runOf(data, turn);
  return run !== undefined && isLive(run);
}

function renamedTurn(turn: Turn, fresh: (id: string) => string): Turn {
  const parent = turn.parent && { ...turn.parent, turnId: fresh(turn.parent.turnId) };
  return { ...turn, id: fresh(turn.id), ...(parent ? { parent } : {}) };
}

function withCopy(
  data: SessionData,
  { newId }: Environment,
  source: Lane,
  turns: readonly Turn[],
  tip: TurnId | undefined,
): SessionData {
  const laneId = newId();
  const ids = new Map(turns.map((turn) => [turn.id, newId()]));
  const fresh = (id: string): string => ids.get(id) ?? id;
  const copies = turns.map((turn) => ({ ...renamedTurn(turn, fresh), laneId }));
  const shownTip = nearestKept(data, tip, ids);
  const lane: Lane = {
    id: laneId,
    sessionId: data.session.id,
    setup: source.setup,
    ...(shownTip ? { tip: fresh(shownTip) } : {}),
  };
  const at = data.session.laneIds.indexOf(source.id) + 1;
  return {
    ...data,
    session: { ...data.session, laneIds: data.session.laneIds.toSpliced(at, 0, laneId) },
    lanes: { ...data.lanes, [laneId]: lane },
    turns: { ...data.turns, ...Object.fromEntries(copies.map((turn) => [turn.id, turn])) },
  };
}

/** The tip, or the turn above it where the tip itself was left out because it is still live. */
function nearestKept(
  data: SessionData,
  tip: TurnId | undefined,
  kept: ReadonlyMap<TurnId, TurnId>,
): TurnId | undefined {
  let turn = tip === undefined ? undefined : data.turns[tip];
  while (turn && !kept.has(turn.id)) turn = turn.parent && data.turns[turn.parent.turnId];
  return turn?.id;
}

/** What the removal of a lane took, to be put back where it was. */
export interface LaneRemoval {
  lane: Lane;
  index: number;
  removal: Removal;
}

/** Takes a lane out with all that only it holds. The last lane stays. */
export function removeLane(
  data: SessionData,
  laneId: LaneId,
): { data: SessionData; removed: LaneRemoval } | undefined {
  const lane = data.lanes[laneId];
  if (!lane || data.session.laneIds.length < 2) return undefined;
  const [gone, kept] = partition(Object.values(data.turns), (turn) => turn.laneId === laneId);
  const heldPrompts = new Set(kept.map((turn) => turn.promptId));
  const heldRuns = new Set(kept.flatMap((turn) => runIdOf(turn) ?? []));
  const goneRuns = new Set(gone.flatMap((turn) => runIdOf(turn) ?? []));
  const gonePrompts = new Set(gone.map((turn) => turn.promptId));
  const [prompts, restPrompts] = partition(
    Object.values(data.prompts),
    (prompt) => gonePrompts.has(prompt.id) && !heldPrompts.has(prompt.id),
  );
  const [runs, restRuns] = partition(
    Object.values(data.runs),
    (run) => goneRuns.has(run.id) && !heldRuns.has(run.id),
  );
  const { [laneId]: _, ...lanes } = data.lanes;
  const next: SessionData = {
    session: { ...data.session, laneIds: data.session.laneIds.filter((id) => id !== laneId) },
    lanes,
    turns: recordsById(kept),
    prompts: recordsById(restPrompts),
    runs: recordsById(restRuns),
  };
  const index = data.session.laneIds.indexOf(laneId);
  return { data: next, removed: { lane, index, removal: { turns: gone, prompts, runs, tips: [] } } };
}

export function restoreLane(data: SessionData, { lane, index, removal }: LaneRemoval): SessionData {
  return {
    session: { ...data.session, laneIds: data.session.laneIds.toSpliced(index, 0, lane.id) },
    lanes: { ...data.lanes, [lane.id]: lane },
    turns: { ...data.turns, ...recordsById(removal.turns) },
    prompts: { ...data.prompts, ...recordsById(removal.prompts) },
    runs: { ...data.runs, ...recordsById(removal.runs) },
  };
}

/** Moves a lane by `step` places; letters follow positions. */
export function moveLane(data: SessionData, laneId: LaneId, step: number): SessionData {
  const from = data.session.laneIds.indexOf(laneId);
  const to = from + step;
  if (from < 0 || to < 0 || to >= data.session.laneIds.length) return data;
  const laneIds = data.session.laneIds.toSpliced(from, 1).toSpliced(to, 0, laneId);
  return { ...data, session: { ...data.session, laneIds } };
}

/** Changes the setup of these lanes for their next runs. */
export function changeSetups(
  data: SessionData,
  laneIds: readonly LaneId[],
  change: (setup: Setup, laneId: LaneId) => Setup,
): SessionData {
  const changed = laneIds.flatMap((id): [string, Lane][] => {
    const lane = data.lanes[id];
    return lane ? [[id, { ...lane, setup: change(lane.setup, id) }]] : [];
  });
  return { ...data, lanes: { ...data.lanes, ...Object.fromEntries(changed) } };
}

function partition<T>(all: readonly T[], isIn: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isIn), all.filter((each) => !isIn(each))];
}

/** What an edit of one lane's parameters does to the setup of any lane: it writes the rows that it touched, and no other. */
export function paramsEdit(before: Params, after: Params): (setup: Setup) => Setup {
  const touched: Params = {};
  for (const { name } of PARAMS) {
    const next = after[name];
    // A row that was taken away counts as not sent.
    if (next !== before[name]) touched[name] = next ?? { sent: false, text: before[name]?.text ?? '' };
  }
  return (setup) => ({
    ...setup,
    params: withValidToolChoice(setup.params, { ...setup.params, ...touched }),
  });
}
