/** Steps through versions of prompts and answers, and deletes them. */
import { isLive } from '../../conversation/reply/run.ts';
import {
  removeTurns,
  restoreTurns,
  withShownCandidate,
  withShownTurn,
  summarizeForHistory,
  type Removal,
} from '../../conversation/session/edit-session.ts';
import {
  getAnswerVersions,
  findNewestAnswer,
  getRowPromptVersions,
  getTurns,
} from '../../conversation/session/turn-tree.ts';
import type { SessionData, TurnId } from '../../conversation/session/types.ts';
import { formatList, pluralize } from '../../lib/format.ts';
import type { ActionDeps } from './actions.ts';
import { updateCurrentSession, updateSession, getCurrentSession, type OfferUndo } from './session-store.ts';

interface VersionActionDeps extends ActionDeps {
  offerUndo: OfferUndo;
}

export function createVersionActions({ store, driver, recorder, offerUndo }: VersionActionDeps) {
  const getCurrent = (): SessionData | undefined => getCurrentSession(store.getState());

  /** Shows another of the n candidates, which then continues the conversation. */
  function showCandidate(turnId: TurnId, candidateIndex: number): void {
    updateCurrentSession(store, (data) => withShownCandidate(data, turnId, candidateIndex));
  }

  /** Removes these turns and everything below them, and stops their runs; can be undone. */
  async function deleteTurns(rootIds: readonly TurnId[]): Promise<void> {
    const initial = getCurrent();
    if (!initial) return;
    const { removal: plannedRemoval } = removeTurns(initial, rootIds);
    await Promise.all(plannedRemoval.runs.filter(isLive).map((run) => driver.stop(run.id)));
    const data = getCurrent();
    if (!data || data.session.id !== initial.session.id) return;
    const { data: remaining, removal } = removeTurns(data, rootIds);
    updateSession(store, data.session.id, () => ({
      ...remaining,
      session: { ...remaining.session, summary: summarizeForHistory(remaining) },
    }));
    const restore = () =>
      updateSession(store, data.session.id, (current) => {
        const restored = restoreTurns(current, removal);
        return { ...restored, session: { ...restored.session, summary: summarizeForHistory(restored) } };
      });
    const expire = () => {
      for (const run of removal.runs) recorder.put(`tapes ${run.id}`, { store: 'tapes', remove: run.id });
    };
    offerUndo(describeDeletion(removal), restore, expire, { sessionId: data.session.id });
  }

  /** Deletes this version of the prompt with all its answers in the lanes of these turns, and everything below. */
  async function deletePrompt(turnIds: readonly TurnId[]): Promise<void> {
    const data = getCurrent();
    if (!data) return;
    const turns = getTurns(data, turnIds);
    await deleteTurns(turns.flatMap((turn) => getAnswerVersions(data, turn).map((version) => version.id)));
  }

  /** Shows the version of the answer `step` positions away. */
  function stepAnswer(turnId: TurnId, step: number): void {
    updateCurrentSession(store, (data) => {
      const turn = data.turns[turnId];
      if (!turn) return data;
      const versions = getAnswerVersions(data, turn);
      const next = versions[versions.findIndex((version) => version.id === turnId) + step];
      return next ? withShownTurn(data, next) : data;
    });
  }

  /** Shows the version of the prompt `step` positions away, with its newest answer, in every lane that has it. */
  function stepPrompt(turnIds: readonly TurnId[], step: number): void {
    updateCurrentSession(store, (data) => {
      const turns = getTurns(data, turnIds);
      const versions = getRowPromptVersions(data, turns);
      const next = versions[versions.findIndex((version) => version.id === turns[0]?.promptId) + step];
      if (!next) return data;
      return turns.reduce((updated, turn) => {
        const answer = findNewestAnswer(updated, turn, next.id);
        return answer ? withShownTurn(updated, answer) : updated;
      }, data);
    });
  }

  return { showCandidate, deleteTurns, deletePrompt, stepAnswer, stepPrompt };
}

/** Describes what was deleted across all lanes. */
function describeDeletion({ prompts, turns }: Removal): string {
  const answers = turns.filter((turn) => turn.reply).length;
  const lanes = new Set(turns.map((turn) => turn.laneId)).size;
  const parts = [
    ...(prompts.length > 0 ? [pluralize(prompts.length, 'message')] : []),
    ...(answers > 0 ? [pluralize(answers, 'answer')] : []),
  ];
  const suffix = lanes > 1 ? ` in ${lanes} lanes` : '';
  return `Deleted ${parts.length > 0 ? formatList(parts) : 'the message'}${suffix}.`;
}
