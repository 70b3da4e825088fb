import { describeNote } from '../../../conversation/reply/describe-note.ts';
import { getEnding, shouldSuggestUsage } from '../../../conversation/reply/ending.ts';
import { isLive } from '../../../conversation/reply/run.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import { withSent } from '../../../conversation/setup/params.ts';
import { isRetriedWithoutUsage } from '../../../conversation/setup/refused-fields.ts';
import { useLane, useSession, useView, useSessionServices } from '../../../state/contexts.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ExtraData } from '../message/extra-data.tsx';

/** Non-blocking notes on unusual behaviour of the stream and on how to get better metrics. */
export function NotesView({ turn, run, isLast }: { turn: Turn; run: Run; isLast: boolean }) {
  const namesHidden = useView((view) => view.namesHidden);
  const hasUsageRetry = useSession((data) => isRetriedWithoutUsage(data, turn));
  if (isLive(run)) return null;
  const ending = getEnding(run);
  const isInCard = ending !== undefined && ending.tone !== 'line';
  return (
    <>
      {(run.notes.length > 0 || hasUsageRetry) && (
        <ul className="mt-2 text-12 text-ink-3 normal-nums">
          {hasUsageRetry && (
            <li>
              The gateway rejected stream_options, so Bench retried without it. The rejected attempt is the
              previous version.
            </li>
          )}
          {run.notes.map((note) => (
            <li key={note.kind}>{describeNote(note, namesHidden)}</li>
          ))}
        </ul>
      )}
      {!isInCard && <ExtraData run={run} />}
      {isLast && <UsageAdvice turn={turn} run={run} />}
    </>
  );
}

function UsageAdvice({ turn, run }: { turn: Turn; run: Run }) {
  const { actions } = useSessionServices();
  const params = useLane(turn.laneId)?.setup.params ?? {};
  if (!shouldSuggestUsage(run, params)) return null;
  return (
    <p className="mt-1 flex flex-wrap items-center gap-1 text-12 text-ink-3 normal-nums">
      The provider reported no token counts. These are estimates.
      <Button
        size="small"
        variant="ghost"
        onClick={() => actions.changeSetup(turn.laneId, { params: withSent(params, 'stream_options', true) })}
      >
        Request token counts
      </Button>
    </p>
  );
}
