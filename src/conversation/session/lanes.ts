/** Adds, copies, moves and removes lanes together with their histories. */
import { partition } from 'es-toolkit';

import { isLive } from '../reply/run.ts';
import { PARAMS, type Params } from '../setup/params.ts';
import { withValidToolChoice } from '../setup/tool-choice.ts';
import { changeLane, type Environment, type Removal } from './edit-session.ts';
import { getPathTo, indexById, getRunId, getRun } from './turn-tree.ts';
import type { Lane, LaneId, SessionData, Setup, Turn, TurnId } from './types.ts';

export const maxLanes = 6;

/**
 * Inserts a copy of the lane, with its whole tree, after it. Runs are shared, because finished runs do not change. The
 * copy has no name, because names tell lanes apart.
 */
export function duplicateLane(data: SessionData, environment: Environment, laneId: LaneId): SessionData {
  const source = data.lanes[laneId];
  if (!source || data.session.laneIds.length >= maxLanes) return data;
  // Descendants of an omitted (live) turn cannot be copied.
  const turns = Object.values(data.turns).filter(
    (turn) =>
      turn.laneId === laneId && !getPathTo(data, turn.id).some((ancestor) => isLiveTurn(data, ancestor)),
  );
  return addLaneCopy(data, environment, source, turns, source.tip);
}

/** Creates a lane with only the path to this turn, so that it can be continued differently. */
export function branchToLane(data: SessionData, environment: Environment, turnId: TurnId): SessionData {
  const turn = data.turns[turnId];
  const source = turn && data.lanes[turn.laneId];
  if (!source || data.session.laneIds.length >= maxLanes) return data;
  return addLaneCopy(data, environment, source, getPathTo(data, turnId), turnId);
}

/** Creates a session with the path to this turn. Runs are copied under new IDs, returned as [old, new] pairs. */
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
  const getNewId = (id: string): string => {
    const copyId = ids.get(id) ?? newId();
    ids.set(id, copyId);
    return copyId;
  };
  const path = getPathTo(data, turnId);
  const laneId = getNewId(source.id);
  const prompts = path.flatMap((pathTurn) => data.prompts[pathTurn.promptId] ?? []);
  const runs = path.flatMap((pathTurn) => getRun(data, pathTurn) ?? []);
  const turns = path.map((pathTurn) => ({
    ...withNewIds(pathTurn, getNewId),
    sessionId,
    laneId,
    promptId: getNewId(pathTurn.promptId),
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
    lanes: { [laneId]: { ...source, id: laneId, sessionId, tip: getNewId(turnId) } },
    prompts: Object.fromEntries(
      prompts.map((prompt) => {
        const { replaces: _, ...rest } = prompt;
        return [getNewId(prompt.id), { ...rest, id: getNewId(prompt.id), sessionId }];
      }),
    ),
    turns: Object.fromEntries(
      turns.map((pathTurn): [TurnId, Turn] => {
        const runId = getRunId(pathTurn);
        const reply: Partial<Turn> =
          runId === undefined ? {} : { reply: { kind: 'run', runId: getNewId(runId) } };
        return [pathTurn.id, { ...pathTurn, ...reply }];
      }),
    ),
    runs: Object.fromEntries(
      runs.map((run) => [getNewId(run.id), { ...run, id: getNewId(run.id), sessionId }]),
    ),
  };
  return { data: branch, runIds: runs.map((run) => [run.id, getNewId(run.id)]) };
}

function isLiveTurn(data: SessionData, turn: Turn): boolean {
  const run = getRun(data, turn);
  return run !== undefined && isLive(run);
}

function withNewIds(turn: Turn, getNewId: (id: string) => string): Turn {
  const parent = turn.parent && { ...turn.parent, turnId: getNewId(turn.parent.turnId) };
  return { ...turn, id: getNewId(turn.id), ...(parent ? { parent } : {}) };
}

function addLaneCopy(
  data: SessionData,
  { newId }: Environment,
  source: Lane,
  turns: readonly Turn[],
  tip: TurnId | undefined,
): SessionData {
  const laneId = newId();
  const ids = new Map(turns.map((turn) => [turn.id, newId()]));
  const getNewId = (id: string): string => ids.get(id) ?? id;
  const copies = turns.map((turn) => ({ ...withNewIds(turn, getNewId), laneId }));
  const copiedTip = findNearestCopied(data, tip, ids);
  const lane: Lane = {
    id: laneId,
    sessionId: data.session.id,
    setup: source.setup,
    ...(copiedTip ? { tip: getNewId(copiedTip) } : {}),
  };
  const index = data.session.laneIds.indexOf(source.id) + 1;
  return {
    ...data,
    session: { ...data.session, laneIds: data.session.laneIds.toSpliced(index, 0, laneId) },
    lanes: { ...data.lanes, [laneId]: lane },
    turns: { ...data.turns, ...Object.fromEntries(copies.map((turn) => [turn.id, turn])) },
  };
}

/** Returns the tip, or its nearest copied ancestor if the tip is still live and was not copied. */
function findNearestCopied(
  data: SessionData,
  tip: TurnId | undefined,
  copiedIds: ReadonlyMap<TurnId, TurnId>,
): TurnId | undefined {
  let turn = tip === undefined ? undefined : data.turns[tip];
  while (turn && !copiedIds.has(turn.id)) turn = turn.parent && data.turns[turn.parent.turnId];
  return turn?.id;
}

/** Everything needed to restore a removed lane. */
export interface LaneRemoval {
  lane: Lane;
  index: number;
  turnRemoval: Removal;
}

/** Removes a lane and everything that only it uses. The last lane cannot be removed. */
export function removeLane(
  data: SessionData,
  laneId: LaneId,
): { data: SessionData; laneRemoval: LaneRemoval } | undefined {
  const lane = data.lanes[laneId];
  if (!lane || data.session.laneIds.length < 2) return undefined;
  const [removedTurns, remainingTurns] = partition(
    Object.values(data.turns),
    (turn) => turn.laneId === laneId,
  );
  const remainingPromptIds = new Set(remainingTurns.map((turn) => turn.promptId));
  const remainingRunIds = new Set(remainingTurns.flatMap((turn) => getRunId(turn) ?? []));
  const removedRunIds = new Set(removedTurns.flatMap((turn) => getRunId(turn) ?? []));
  const removedPromptIds = new Set(removedTurns.map((turn) => turn.promptId));
  const [prompts, remainingPrompts] = partition(
    Object.values(data.prompts),
    (prompt) => removedPromptIds.has(prompt.id) && !remainingPromptIds.has(prompt.id),
  );
  const [runs, remainingRuns] = partition(
    Object.values(data.runs),
    (run) => removedRunIds.has(run.id) && !remainingRunIds.has(run.id),
  );
  const { [laneId]: _, ...lanes } = data.lanes;
  const next: SessionData = {
    session: { ...data.session, laneIds: data.session.laneIds.filter((id) => id !== laneId) },
    lanes,
    turns: indexById(remainingTurns),
    prompts: indexById(remainingPrompts),
    runs: indexById(remainingRuns),
  };
  const index = data.session.laneIds.indexOf(laneId);
  return {
    data: next,
    laneRemoval: { lane, index, turnRemoval: { turns: removedTurns, prompts, runs, tips: [] } },
  };
}

export function restoreLane(data: SessionData, { lane, index, turnRemoval }: LaneRemoval): SessionData {
  return {
    session: { ...data.session, laneIds: data.session.laneIds.toSpliced(index, 0, lane.id) },
    lanes: { ...data.lanes, [lane.id]: lane },
    turns: { ...data.turns, ...indexById(turnRemoval.turns) },
    prompts: { ...data.prompts, ...indexById(turnRemoval.prompts) },
    runs: { ...data.runs, ...indexById(turnRemoval.runs) },
  };
}

/** Returns the name that the user gave to a lane; undefined for the only lane, which is not told from others. */
export function getLaneName({ session, lanes }: SessionData, laneId: LaneId): string | undefined {
  return session.laneIds.length > 1 ? lanes[laneId]?.name : undefined;
}

/** Gives a lane a name; an empty one removes it. */
export function renameLane(data: SessionData, laneId: LaneId, name: string): SessionData {
  return changeLane(data, laneId, ({ name: _, ...lane }) => (name === '' ? lane : { ...lane, name }));
}

/** Moves a lane by `step` positions; letters follow positions. */
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

/** Returns an edit that applies the changed parameters, and no others, to any setup. */
export function createParamsEdit(before: Params, after: Params): (setup: Setup) => Setup {
  const editedParams: Params = {};
  for (const { name } of PARAMS) {
    const next = after[name];
    // A removed parameter counts as not sent.
    if (next !== before[name]) editedParams[name] = next ?? { sent: false, text: before[name]?.text ?? '' };
  }
  return (setup) => ({
    ...setup,
    params: withValidToolChoice(setup.params, { ...setup.params, ...editedParams }),
  });
}
