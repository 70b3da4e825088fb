import { laneLetter } from '../../../conversation/session/tree.ts';
import type { TurnId } from '../../../conversation/session/types.ts';
import { useRun, useTurn, useView } from '../../../state/react.tsx';
import type { Replay } from '../../../state/runs/replay.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { MetricsView } from '../lane/metrics-view.tsx';
import { EndingView } from '../reply/ending-view.tsx';
import { NotesView } from '../reply/notes-view.tsx';
import { ReplyView } from '../reply/reply-view.tsx';
import { ReplayedTrace } from './replayed-trace.tsx';

interface ReplayedReplyProps {
  turnId: TurnId;
  replay: Replay;
  laneIds: readonly string[];
}

/** One answer of a recording, in the view that it streamed in. */
export function ReplayedReply({ turnId, replay, laneIds }: ReplayedReplyProps) {
  const turn = useTurn(turnId);
  const run = useRun(turn?.reply && 'runId' in turn.reply ? turn.reply.runId : undefined);
  const namesHidden = useView((view) => view.namesHidden);
  if (!turn || !run) return null;
  const letter = laneLetter(Math.max(0, laneIds.indexOf(turn.laneId)));
  return (
    <article
      className={`replayed one-lane lane-${letter.toLowerCase()}`}
      aria-label={`Recorded message, lane ${letter}${namesHidden ? '' : `, ${run.setup.model}`}`}
      data-status={run.phase.name}
    >
      <header>
        <LaneTile letter={letter} />
        <b>{namesHidden ? 'Name hidden' : run.setup.model}</b>
        <span className="grow" />
        <span className="st warn">Recorded</span>
      </header>
      <div className="reply">
        <ReplyView turn={turn} run={run} raw={false} />
        <NotesView turn={turn} run={run} isLast={false} />
        <EndingView turn={turn} run={run} isLast={false} />
      </div>
      <footer>
        <ReplayedTrace run={run} replay={replay} />
        <MetricsView run={run} letter={letter} number={1} compact />
      </footer>
    </article>
  );
}
