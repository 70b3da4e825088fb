import { isLive } from '../../../conversation/reply/run.ts';
import {
  hasWholeArguments,
  laneAnswers,
  shownCalls,
} from '../../../conversation/request/tool-results-pending.ts';
import { candidateAt } from '../../../conversation/session/candidates.ts';
import { laneLetter } from '../../../conversation/session/tree.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import { useLane, usePlayground, useSessionParts } from '../../../state/react.tsx';
import { laneNames } from './missing-words.ts';
import { SendResults } from './send-results.tsx';
import { ToolCallCard } from './tool-call-card.tsx';
import { toolNamed } from './tool-named.ts';
import { usePendingResults } from './use-pending-results.ts';
import { useWaitingRows } from './use-waiting-rows.ts';

import './tools.css';

interface ToolCallsProps {
  turn: Turn;
  /** Undefined where a person wrote the answer. */
  run: Run | undefined;
  /** The candidate whose calls these are; only those of the one shown can be answered. */
  choice: number;
}

/** The calls of one answer, a card each; where it is the last turn of its lane, their results are written here. */
export function ToolCalls({ turn, run, choice }: ToolCallsProps) {
  const { toolDrafts } = usePlayground();
  const { rows, writtenFor } = useWaitingRows();
  const setup = useLane(turn.laneId)?.setup;
  const laneIds = useSessionParts((data) => data.session.laneIds) ?? [];
  const isShown = run === undefined || choice === candidateAt(run, turn.shownChoice);
  const row = isShown ? rows.find(({ lanes }) => lanes.some(({ turnId }) => turnId === turn.id)) : undefined;
  const lanes = row ? laneAnswers(row, writtenFor(row.promptId)) : [];
  const answers = lanes.find(({ lane }) => lane.turnId === turn.id)?.answers;
  const pending = usePendingResults(lanes.map(({ lane }) => lane.laneId));
  const live = run !== undefined && isLive(run);

  return (
    <div className="calls">
      {shownCalls({ ...turn, shownChoice: choice }, run).map((call, index) => {
        const answer = answers?.[index];
        const sharing = lanes.filter((each) => each.answers.some(({ key }) => key === answer?.key));
        const letters = sharing.map(({ lane }) => laneLetter(laneIds.indexOf(lane.laneId)));
        return (
          <ToolCallCard
            key={call.id}
            call={call}
            live={live}
            isCut={!live && !answer && !hasWholeArguments(call)}
            hasOwnId={!call.id.startsWith(`call_${turn.id}_`)}
            answer={answer}
            tool={toolNamed(call.function.name, [run?.setup.params, setup?.params])}
            sharedWith={letters.length > 1 ? laneNames(letters) : undefined}
            onWrite={(result) => {
              if (answer && row) toolDrafts.write(turn.sessionId, row.promptId, answer.key, result);
            }}
            onSend={() => {
              if (!pending?.canSend) return;
              document.getElementById('composer')?.focus();
              void pending.send([]);
            }}
          />
        );
      })}
      {pending && row?.lanes[0]?.turnId === turn.id && <SendResults pending={pending} />}
    </div>
  );
}
