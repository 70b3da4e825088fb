import { EqualNot } from 'lucide-react';
import { useMemo } from 'react';

import { isLive } from '../../conversation/reply/run.ts';
import { buildRequest } from '../../conversation/request/request.ts';
import { differencesOf } from '../../conversation/session/differences.ts';
import { latestRunsOf } from '../../conversation/trace/trace.ts';
import { useSessionParts, useView } from '../../state/react.tsx';
import { useTextOnly } from '../models/use-text-only.ts';

/** What differs between the requests of the lanes, in words: the bodies of each lane's last turn with its current setup. */
export function DifferencesStrip() {
  const parts = useSessionParts(({ session, lanes, prompts, turns }) => ({ session, lanes, prompts, turns }));
  const ended = useSessionParts((data) =>
    Object.values(data.runs).filter((run) => run.endedMs !== undefined),
  );
  const timed = useSessionParts((data) =>
    latestRunsOf(data).flatMap((run) => (isLive(run) || run.status === undefined ? [] : [run.timedBy])),
  );
  const isTimedDifferently = new Set(timed).size > 1;
  const isTextOnly = useTextOnly();
  const namesHidden = useView((view) => view.namesHidden);
  const differences = useMemo(() => {
    if (!parts || parts.session.laneIds.length < 2) return [];
    const runs = Object.fromEntries((ended ?? []).map((run) => [run.id, run]));
    const bodies = parts.session.laneIds.flatMap((laneId) => {
      const lane = parts.lanes[laneId];
      return lane ? [buildRequest({ ...parts, runs }, lane.setup, lane.tip, isTextOnly)] : [];
    });
    return differencesOf(bodies);
  }, [parts, ended, isTextOnly]);
  if (!parts || parts.session.laneIds.length < 2) return null;
  return (
    <section className="differences" aria-label="Differences">
      {(differences.length > 0 || isTimedDifferently) && (
        <EqualNot className="-mr-2 icon-14 text-ink-3" aria-hidden />
      )}
      {namesHidden && differences.length > 0 && <span>What differs is hidden with the names.</span>}
      {!namesHidden &&
        differences.map(({ what, values }) => (
          <span key={what}>
            <b>{what}</b> {values.join(' / ')}
          </span>
        ))}
      {!namesHidden && isTimedDifferently && (
        <span title="The times of some answers were taken on the Bench server, those of others in this page.">
          <b>timed differently</b> {timed?.map((by) => (by === 'server' ? 'server' : 'page')).join(' / ')}
        </span>
      )}
    </section>
  );
}
