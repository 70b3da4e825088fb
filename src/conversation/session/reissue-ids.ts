import type { Run, RunId, SessionData, Vote } from './types.ts';

/** Returns the session with new IDs throughout. `runIds` maps old to new IDs, for the tapes. */
export function reissueIds(
  data: SessionData,
  newId: () => string,
): { data: SessionData; runIds: [RunId, RunId][] } {
  const ids = new Map<string, string>();
  const getNewId = (id: string): string => {
    const reissuedId = ids.get(id) ?? newId();
    ids.set(id, reissuedId);
    return reissuedId;
  };
  const reissueVote = (vote: Vote): Vote => ({
    ...vote,
    turnIds: vote.turnIds.map(getNewId),
    winner: vote.winner === 'equal' ? vote.winner : getNewId(vote.winner),
  });
  const sessionId = getNewId(data.session.id);
  const reissueRecords = <T extends { id: string; sessionId: string }>(
    records: Record<string, T>,
    reissueFields: (record: T) => T,
  ) =>
    Object.fromEntries(
      Object.values(records).map((record) => {
        const id = getNewId(record.id);
        return [id, { ...reissueFields(record), id, sessionId }];
      }),
    );
  const copy: SessionData = {
    session: { ...data.session, id: sessionId, laneIds: data.session.laneIds.map(getNewId) },
    lanes: reissueRecords(data.lanes, (lane) =>
      lane.tip === undefined ? lane : { ...lane, tip: getNewId(lane.tip) },
    ),
    prompts: reissueRecords(data.prompts, (prompt) => ({
      ...prompt,
      ...(prompt.replaces === undefined ? {} : { replaces: getNewId(prompt.replaces) }),
      ...(prompt.better === undefined ? {} : { better: prompt.better.map(reissueVote) }),
    })),
    turns: reissueRecords(data.turns, (turn) => ({
      ...turn,
      laneId: getNewId(turn.laneId),
      promptId: getNewId(turn.promptId),
      ...(turn.parent ? { parent: { ...turn.parent, turnId: getNewId(turn.parent.turnId) } } : {}),
      ...(turn.reply?.kind === 'run' ? { reply: { kind: 'run', runId: getNewId(turn.reply.runId) } } : {}),
    })),
    runs: reissueRecords(data.runs, (run: Run) => run),
  };
  return { data: copy, runIds: Object.keys(data.runs).map((id) => [id, getNewId(id)]) };
}
