import type { Run, RunId, SessionData, Vote } from './types.ts';

/** The same session under new ids throughout; `runIds` from old to new, for its tapes. */
export function reissueIds(
  data: SessionData,
  newId: () => string,
): { data: SessionData; runIds: [RunId, RunId][] } {
  const ids = new Map<string, string>();
  const fresh = (id: string): string => {
    const known = ids.get(id) ?? newId();
    ids.set(id, known);
    return known;
  };
  const voteAgain = (vote: Vote): Vote => ({
    ...vote,
    turnIds: vote.turnIds.map(fresh),
    winner: vote.winner === 'equal' ? vote.winner : fresh(vote.winner),
  });
  const sessionId = fresh(data.session.id);
  const each = <T extends { id: string; sessionId: string }>(
    records: Record<string, T>,
    rest: (record: T) => T,
  ) =>
    Object.fromEntries(
      Object.values(records).map((record) => {
        const id = fresh(record.id);
        return [id, { ...rest(record), id, sessionId }];
      }),
    );
  const copy: SessionData = {
    session: { ...data.session, id: sessionId, laneIds: data.session.laneIds.map(fresh) },
    lanes: each(data.lanes, (lane) => (lane.tip === undefined ? lane : { ...lane, tip: fresh(lane.tip) })),
    prompts: each(data.prompts, (prompt) => ({
      ...prompt,
      ...(prompt.replaces === undefined ? {} : { replaces: fresh(prompt.replaces) }),
      ...(prompt.better === undefined ? {} : { better: prompt.better.map(voteAgain) }),
    })),
    turns: each(data.turns, (turn) => ({
      ...turn,
      laneId: fresh(turn.laneId),
      promptId: fresh(turn.promptId),
      ...(turn.parent ? { parent: { ...turn.parent, turnId: fresh(turn.parent.turnId) } } : {}),
      ...(turn.reply?.kind === 'run' ? { reply: { kind: 'run', runId: fresh(turn.reply.runId) } } : {}),
    })),
    runs: each(data.runs, (run: Run) => run),
  };
  return { data: copy, runIds: Object.keys(data.runs).map((id) => [id, fresh(id)]) };
}
