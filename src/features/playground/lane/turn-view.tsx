import { memo } from 'react';
import { isLive } from '../../../conversation/run.ts';
import { laneLetter } from '../../../conversation/tree.ts';
import { textOfContent } from '../../../conversation/request.ts';
import type { Run, Turn } from '../../../conversation/types.ts';
import { usePlayground, useRun, useSession, useTurn, useView } from '../../../state/react.tsx';
import { Button } from '../../../ui/button.tsx';
import { Markdown } from '../../../markdown/markdown.tsx';
import { EndingView } from './ending-view.tsx';
import { MetricsView } from './metrics-view.tsx';
import { NotesView } from './notes-view.tsx';
import { ReplyTools } from './reply-tools.tsx';
import { ReplyView } from './reply-view.tsx';

interface Props {
  turnId: string;
  laneIndex: number;
  number: number;
}

/** The reply of one lane to one prompt, with all that belongs to it. */
export const TurnView = memo(function TurnView({ turnId, laneIndex, number }: Props) {
  const turn = useTurn(turnId);
  const run = useRun(turn?.reply && 'runId' in turn.reply ? turn.reply.runId : undefined);
  const isLast = useSession((data) => turn !== undefined && data.lanes[turn.laneId]?.tip === turnId) ?? false;
  const isOneLane = useSession((data) => data.session.laneIds.length === 1) ?? true;
  if (!turn) return null;
  const letter = laneLetter(laneIndex);
  const namesHidden = useView((view) => view.namesHidden);
  const model = run && !namesHidden ? `, ${run.setup.model}` : '';
  return (
    <article
      className={`reply lane-${letter.toLowerCase()}`}
      aria-label={`Assistant message, lane ${letter}${model}, turn ${number}`}
      aria-busy={run !== undefined && isLive(run)}
      {...(run ? { 'data-status': run.phase.name } : {})}
    >
      <div className="col">
        <span aria-hidden>{isOneLane ? 'Reply' : ''}</span>
        <div className="cell">
          {run ?
            <RunView turn={turn} run={run} letter={letter} number={number} isLast={isLast} />
          : <WrittenReply turn={turn} />}
        </div>
        <span />
      </div>
    </article>
  );
});

interface RunViewProps {
  turn: Turn;
  run: Run;
  letter: string;
  number: number;
  isLast: boolean;
}

function RunView({ turn, run, letter, number, isLast }: RunViewProps) {
  return (
    <>
      <ReplyView turn={turn} run={run} />
      <NotesView turn={turn} run={run} isLast={isLast} />
      <EndingView turn={turn} run={run} isLast={isLast} />
      {!isLive(run) && <ReplyTools turn={turn} run={run} />}
      {!isLast && <MetricsView run={run} letter={letter} number={number} compact />}
    </>
  );
}

function WrittenReply({ turn }: { turn: Turn }) {
  const { actions } = usePlayground();
  if (turn.reply && 'written' in turn.reply) {
    return <Markdown text={textOfContent(turn.reply.written.content)} live={false} />;
  }
  return (
    <p className="not-run">
      <span className="mut">Saved, not sent yet.</span>
      <Button size="small" onClick={() => void actions.regenerate([turn.id])}>
        Run
      </Button>
    </p>
  );
}
