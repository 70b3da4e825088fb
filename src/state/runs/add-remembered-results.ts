/** Automatically adds tool results that are remembered by function name or arguments. */
import {
  matchLaneResults,
  getSendableResults,
  findPendingRows,
} from '../../conversation/request/pending-tool-results.ts';
import { emptyDraft, findRememberedResult, withResult } from '../../conversation/session/draft.ts';
import { getLanePath, getRunId } from '../../conversation/session/turn-tree.ts';
import type { Lane, RunId, SessionData } from '../../conversation/session/types.ts';
import type { Drafts } from '../drafts/drafts.ts';
import type { Actions } from '../sessions/actions.ts';
import { findSessionByRun, type SessionStore } from '../sessions/session-store.ts';

/** Maximum number of automatic rounds per user message, since a model may call tools forever. */
export const maxAutoRounds = 5;

/** Counts the latest prompts of a lane that contain only tool results. */
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

/** Adds remembered results to the tool calls of a finished run, and sends them if the user enabled that. */
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
      const result = findRememberedResult(remembered, identity)?.result;
      // An empty result was cleared by the user on purpose, so it is not filled in again.
      if (isReady || result === undefined || Object.hasOwn(getWrittenResults(), key)) continue;
      drafts.change(data.session.id, (draft) => withResult(draft, row.promptId, key, result));
    }
  if (!isAutomatic || countAutoRounds(data, lane) >= maxAutoRounds) return;
  const sendable = getSendableResults(row, getWrittenResults(), [lane.id]);
  if (sendable) void actions.sendPrompt({ messages: [], results: sendable.results }, [lane.id]);
}
