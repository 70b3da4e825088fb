/** Calls of tools that are answered without asking again: with results that are remembered by the name of the function. */
import {
  matchLaneResults,
  getSendableResults,
  findPendingRows,
} from '../../conversation/request/pending-tool-results.ts';
import { emptyDraft, withResult } from '../../conversation/session/draft.ts';
import { getLanePath, getRunId } from '../../conversation/session/turn-tree.ts';
import type { Lane, RunId, SessionData } from '../../conversation/session/types.ts';
import type { Drafts } from '../drafts/drafts.ts';
import type { Actions } from '../sessions/actions.ts';
import { findSessionByRun, type SessionStore } from '../sessions/session-store.ts';

/** What is sent by itself for one message of the person at most: a model may go on calling for ever. */
export const maxAutoRounds = 5;

/** How many of the last prompts of a lane brought results alone. */
export function countAutoRounds(data: SessionData, lane: Lane): number {
  const prompts = getLanePath(data, lane).map(({ promptId }) => data.prompts[promptId]);
  const last = prompts.findLastIndex((prompt) => prompt === undefined || prompt.messages.length > 0);
  return prompts.length - 1 - last;
}

interface RememberedResultsDeps {
  session: SessionStore;
  drafts: Drafts;
  actions: Pick<Actions, 'sendPrompt'>;
}

/** Writes the remembered results for the calls of a run that has ended, and sends them where that was chosen. */
export function addRememberedResults(
  runId: RunId,
  { session, drafts, actions }: RememberedResultsDeps,
): void {
  const data = findSessionByRun(session.getState(), runId);
  const turn = data && Object.values(data.turns).find((item) => getRunId(item) === runId);
  const lane = turn && data.lanes[turn.laneId];
  if (!lane || lane.tip !== turn.id) return;
  const [row] = findPendingRows([{ turn, run: data.runs[runId] }]);
  if (!row) return;
  const getDraft = () => drafts.state.getState()[data.session.id] ?? emptyDraft;
  const getWrittenResults = () => getDraft().results[row.promptId] ?? {};
  const { remembered, isAutomatic } = getDraft().answering;
  for (const { results } of matchLaneResults(row, getWrittenResults()))
    for (const { key, identity, isReady } of results) {
      const result = Object.hasOwn(remembered, identity.name) ? remembered[identity.name] : undefined;
      // An empty one was emptied on purpose.
      if (isReady || result === undefined || Object.hasOwn(getWrittenResults(), key)) continue;
      drafts.change(data.session.id, (draft) => withResult(draft, row.promptId, key, result));
    }
  if (!isAutomatic || countAutoRounds(data, lane) >= maxAutoRounds) return;
  const sendable = getSendableResults(row, getWrittenResults(), [lane.id]);
  if (sendable) void actions.sendPrompt({ messages: [], results: sendable.results }, [lane.id]);
}
