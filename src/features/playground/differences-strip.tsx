import { EqualNot } from 'lucide-react';
import { useMemo } from 'react';

import { buildRequest } from '../../conversation/request/request.ts';
import { differencesOf } from '../../conversation/session/differences.ts';
import { useSessionParts, useView } from '../../state/react.tsx';
import { useTextOnly } from '../models/use-text-only.ts';

/** What differs between the requests of the lanes, in words: the bodies of each lane's last turn with its current setup. */
export function DifferencesStrip() {
  const parts = useSessionParts(({ session, lanes, prompts, turns }) => ({ session, lanes, prompts, turns }));
  const ended = useSessionParts((data) =>
    Object.values(data.runs).filter((run) => run.endedMs !== undefined),
  );
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
      {differences.length > 0 && <EqualNot className="i s" aria-hidden />}
      {differences.map(({ what, values }) => (
        <span key={what}>
          <b>{what}</b> {namesHidden && what === 'model' ? 'hidden' : values.join(' / ')}
        </span>
      ))}
    </section>
  );
}
