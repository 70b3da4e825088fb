import { useRef, useState, type ReactNode } from 'react';

import { endingOf } from '../../../conversation/reply/ending.ts';
import { isLive } from '../../../conversation/reply/run.ts';
import { textOfContent } from '../../../conversation/request/request.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import { Markdown } from '../../../markdown/draw/markdown.tsx';
import { useRun, useSession, useTurn, useView } from '../../../state/react.tsx';
import type { Replay } from '../../../state/runs/replay.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { ModelId } from '../../models/model-id.tsx';
import { useFollowEnd } from '../conversation/use-follow-end.ts';
import { ReplayedTrace } from '../replay/replayed-trace.tsx';
import { ChoiceView } from '../reply/choice-view.tsx';
import { StageNumbers } from './stage-numbers.tsx';
import { PromptWords } from './stage-prompt.tsx';
import { StageStatus } from './stage-status.tsx';
import { StageTrace } from './stage-trace.tsx';

interface StageLaneProps {
  turnId: string;
  letter: string;
  numbersHidden: boolean;
  replay: Replay | undefined;
}

/** One answer for a room: whose it is, what it says, how it came. No address, no ID and no raw error is shown. */
export function StageLane({ turnId, letter, numbersHidden, replay }: StageLaneProps) {
  const turn = useTurn(turnId);
  const run = useRun(turn?.reply && 'runId' in turn.reply ? turn.reply.runId : undefined);
  const namesHidden = useView((view) => view.namesHidden);
  const isAlone = useSession((data) => data.session.laneIds.length === 1) ?? true;
  const isOwnPrompt = useSession((data) => !isShared(Object.values(data.turns), turn)) ?? false;
  if (!turn) return null;
  const name = run?.setup.model;
  return (
    <section
      className={`pl lane-${letter.toLowerCase()}`}
      aria-label={`Lane ${letter}`}
      data-status={run?.phase.name}
    >
      <header>
        {!isAlone && <LaneTile letter={letter} small={false} />}
        <h2>
          {namesHidden ? 'Name hidden' : name === undefined ? 'Written by hand' : <ModelId id={name} />}
        </h2>
        {replay && <span className="st warn">Recorded</span>}
        {run && <StageStatus run={run} />}
      </header>
      {isOwnPrompt && !isAlone && <PromptWords promptId={turn.promptId} />}
      <StageText key={turnId} letter={letter} live={run !== undefined && isLive(run)}>
        <Said turn={turn} run={run} />
      </StageText>
      {run && !numbersHidden && (
        <footer>
          {replay ? <ReplayedTrace run={run} replay={replay} look="stage" /> : <StageTrace run={run} />}
          <StageNumbers run={run} />
        </footer>
      )}
    </section>
  );
}

const nowhere = { current: null };

/** Scrolls along with an answer that arrives while it is on the stage; one that is there is read from its start. */
function StageText({ letter, live, children }: { letter: string; live: boolean; children: ReactNode }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [follows] = useState(live);
  useFollowEnd(follows ? scroller : nowhere, 0);
  return (
    <div
      ref={scroller}
      className="stage-text"
      tabIndex={0}
      role="group"
      aria-label={`Answer, lane ${letter}`}
    >
      <div>{children}</div>
    </div>
  );
}

/** Whether another lane's turn answers the same prompt. */
function isShared(turns: readonly Turn[], turn: Turn | undefined): boolean {
  return turns.some((other) => other.laneId !== turn?.laneId && other.promptId === turn?.promptId);
}

function Said({ turn, run }: { turn: Turn; run: Run | undefined }) {
  if (!run) {
    const written = turn.reply && 'written' in turn.reply ? textOfContent(turn.reply.written.content) : '';
    return written === '' ? (
      <p className="mut">Not answered yet</p>
    ) : (
      <Markdown text={written} live={false} />
    );
  }
  const ending = isLive(run) ? undefined : endingOf(run);
  return (
    <>
      {run.phase.name !== 'queued' && run.phase.name !== 'waiting' && (
        <ChoiceView turn={turn} run={run} choice={turn.shownChoice} raw={false} />
      )}
      {ending && <p className={`stage-end ${ending.tone}`}>{ending.title}</p>}
    </>
  );
}
