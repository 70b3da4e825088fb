import { useStore } from 'zustand';

import { isLive } from '../../conversation/reply/run.ts';
import {
  hasCompleteArguments,
  matchLaneResults,
  getShownCalls,
} from '../../conversation/request/pending-tool-results.ts';
import { getCandidateIndex, getCandidate } from '../../conversation/session/candidates.ts';
import {
  emptyDraft,
  findRememberedResult,
  withRememberedResult,
  withResult,
} from '../../conversation/session/draft.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { Run, Turn } from '../../conversation/session/types.ts';
import type { Params } from '../../conversation/setup/params.ts';
import { parseExactNumbers } from '../../lib/exact-json.ts';
import { getOwnProperty, getStringProperty, type Json } from '../../lib/json.ts';
import { useLane, useSessionShallow, useSessionServices } from '../../state/contexts.tsx';
import { maxAutoRounds } from '../../state/runs/add-remembered-results.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { messageField } from '../workspace/playground-focus-targets.ts';
import { formatLaneNames } from './format-missing-results.ts';
import { ToolCallCard } from './tool-call-card.tsx';
import { usePendingResults, type PendingResults } from './use-pending-results.ts';
import { usePendingRows } from './use-pending-rows.ts';

interface ToolCallsProps {
  turn: Turn;
  /** Run of the answer; undefined if the answer was written by hand. */
  run: Run | undefined;
  /** Candidate with these calls; results can be added only to the selected candidate. */
  candidateIndex: number;
}

/** Tool calls of an answer, one card each. In the last turn of a lane, the cards include fields for the results. */
export function ToolCalls({ turn, run, candidateIndex }: ToolCallsProps) {
  const { drafts } = useSessionServices();
  const { rows, getDraftResults } = usePendingRows();
  const setup = useLane(turn.laneId)?.setup;
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  const isCurrentCandidate = run === undefined || candidateIndex === getCandidateIndex(run, turn.shownChoice);
  const row = isCurrentCandidate
    ? rows.find(({ lanes }) => lanes.some(({ turnId }) => turnId === turn.id))
    : undefined;
  const lanes = row ? matchLaneResults(row, getDraftResults(row.promptId)) : [];
  const callResults = lanes.find(({ lane }) => lane.turnId === turn.id)?.results;
  const pendingResults = usePendingResults(lanes.map(({ lane }) => lane.laneId));
  const live = run !== undefined && isLive(run);
  const parts = run ? (getCandidate(run, candidateIndex)?.parts ?? []) : [];
  const receivedIds = new Set(
    parts.flatMap((part) => (part.type === 'tool-call' && part.id ? [part.id] : [])),
  );
  const rememberedResults = useStore(drafts.state, (state) => state[turn.sessionId]?.answering.remembered);

  return (
    <div className="@container mt-2 grid gap-2">
      {getShownCalls({ ...turn, shownChoice: candidateIndex }, run).map((call, index) => {
        const callResult = callResults?.[index];
        const sharingLanes = lanes.filter((item) => item.results.some(({ key }) => key === callResult?.key));
        const letters = sharingLanes.map(({ lane }) => getLaneLetter(laneIds.indexOf(lane.laneId)));
        return (
          <ToolCallCard
            key={call.id}
            call={call}
            live={live}
            isCutOff={!live && !callResult && !hasCompleteArguments(call)}
            hasOwnId={receivedIds.has(call.id)}
            callResult={callResult}
            tool={findTool(call.function.name, [run?.setup.params, setup?.params])}
            sharedWith={letters.length > 1 ? formatLaneNames(letters) : undefined}
            onRemember={(remembered) => {
              if (!callResult) return;
              drafts.change(turn.sessionId, (draft) =>
                withRememberedResult(draft, callResult.identity, remembered),
              );
            }}
            remembered={
              callResult && rememberedResults && findRememberedResult(rememberedResults, callResult.identity)
            }
            onWrite={(result) => {
              if (!callResult || !row) return;
              drafts.change(turn.sessionId, (draft) =>
                withResult(draft, row.promptId, callResult.key, result),
              );
            }}
            onSend={() => {
              if (!pendingResults?.canSend) return;
              messageField.focus();
              void pendingResults.send([]);
            }}
          />
        );
      })}
      {pendingResults && row?.lanes[0]?.turnId === turn.id && (
        <SendResults pending={pendingResults} sessionId={turn.sessionId} />
      )}
    </div>
  );
}

/**
 * Button that sends results to all lanes that answered the same prompt with calls. Each result goes to all lanes with
 * its call.
 */
function SendResults({ pending: pendingResults, sessionId }: { pending: PendingResults; sessionId: string }) {
  const { count, canSend, missingText, targetText } = pendingResults;
  const { drafts } = useSessionServices();
  const autoAnswer = useStore(drafts.state, (state) => state[sessionId]?.answering) ?? emptyDraft.answering;
  return (
    <div className="mt-1 flex flex-wrap items-center gap-1.5">
      <Button variant="primary" disabled={!canSend} onClick={() => void pendingResults.send([])}>
        Send {count === 1 ? 'results' : `${count} results`}
      </Button>
      <span className="text-ink-3" role="status">
        {targetText && `To ${targetText}.`} {missingText}
      </span>
      <label className="flex min-h-6 cursor-pointer items-center gap-2 text-12 text-ink-2">
        <Checkbox
          checked={autoAnswer.isAutomatic}
          onChange={() =>
            drafts.change(sessionId, (draft) => ({
              ...draft,
              answering: { ...draft.answering, isAutomatic: !draft.answering.isAutomatic },
            }))
          }
        />
        Send results automatically, up to {maxAutoRounds} rounds
      </label>
    </div>
  );
}

/** Returns a tool definition by name: from the setup used for the call or, if it is not there, from a current setup. */
function findTool(name: string, setups: readonly (Params | undefined)[]): Json | undefined {
  for (const params of setups) {
    const parsed = parseExactNumbers(params?.tools?.text ?? '');
    if (!parsed.ok || !Array.isArray(parsed.value)) continue;
    const tool = parsed.value.find(
      (candidate) => getStringProperty(getOwnProperty(candidate, 'function'), 'name') === name,
    );
    if (tool !== undefined) return tool;
  }
  return undefined;
}
