import { isAskedWithoutUsage } from '../../../conversation/default-usage.ts';
import { endingOf } from '../../../conversation/ending.ts';
import { noteSentence } from '../../../conversation/note-sentence.ts';
import { withSent } from '../../../conversation/params.ts';
import { isLive } from '../../../conversation/run.ts';
import type { Run, Turn } from '../../../conversation/types.ts';
import { usageAdvice } from '../../../conversation/usage-advice.ts';
import { useLane, usePlayground, useSession, useView } from '../../../state/react.tsx';
import { Button } from '../../../ui/button.tsx';
import { LeftOver } from './left-over.tsx';

/** Small remarks that do not block: what was odd about the stream, and what would make its numbers better. */
export function NotesView({ turn, run, isLast }: { turn: Turn; run: Run; isLast: boolean }) {
  const namesHidden = useView((view) => view.namesHidden);
  const isAskedAgain = useSession((data) => isAskedWithoutUsage(data, turn));
  if (isLive(run)) return null;
  const ending = endingOf(run);
  const isInCard = ending !== undefined && ending.tone !== 'line';
  return (
    <>
      {(run.notes.length > 0 || isAskedAgain) && (
        <ul className="notes">
          {isAskedAgain && (
            <li>
              The gateway refused stream_options, so Bench asked again without it. What it said is the version
              before this one.
            </li>
          )}
          {run.notes.map((note) => (
            <li key={note.kind}>{noteSentence(note, namesHidden)}</li>
          ))}
        </ul>
      )}
      {!isInCard && <LeftOver run={run} />}
      {isLast && <UsageAdvice turn={turn} run={run} />}
    </>
  );
}

function UsageAdvice({ turn, run }: { turn: Turn; run: Run }) {
  const { actions } = usePlayground();
  const params = useLane(turn.laneId)?.setup.params ?? {};
  if (!usageAdvice(run, params)) return null;
  return (
    <p className="advice">
      No token counts came with this stream, so they are counted here.
      <Button
        size="small"
        look="quiet"
        onClick={() => actions.changeSetup(turn.laneId, { params: withSent(params, 'stream_options', true) })}
      >
        Ask for them from now on
      </Button>
    </p>
  );
}
