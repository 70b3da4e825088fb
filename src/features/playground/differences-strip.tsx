import { useMemo } from 'react';

import { isLive } from '../../conversation/reply/run.ts';
import { buildRequest } from '../../conversation/request/request.ts';
import { diffRequests } from '../../conversation/session/differences.ts';
import { getLatestRuns } from '../../conversation/trace/trace.ts';
import { useSessionShallow, useView } from '../../state/use-playground.tsx';
import { classes } from '../../ui/cn.ts';
import { EqualNot } from '../../ui/icons.tsx';
import { useRequestRules } from '../models/use-request-rules.ts';

const stripLook = classes(
  'flex flex-none flex-wrap items-center gap-x-4 gap-y-0.5 border-b border-line bg-bench px-4 py-1.25',
  'text-12 text-ink-2 normal-nums empty:border-0 empty:p-0',
);
const nameLook = classes('mr-0.5 text-ink [font:600_12px/18px_var(--mono)]');

/** What differs between the requests of the lanes, in words: the bodies of each lane's last turn with its current setup. */
export function DifferencesStrip() {
  const parts = useSessionShallow(({ session, lanes, prompts, turns }) => ({
    session,
    lanes,
    prompts,
    turns,
  }));
  const ended = useSessionShallow((data) =>
    Object.values(data.runs).filter((run) => run.endedMs !== undefined),
  );
  const timed = useSessionShallow((data) =>
    getLatestRuns(data).flatMap((run) => (isLive(run) || run.status === undefined ? [] : [run.timedBy])),
  );
  const isTimedDifferently = new Set(timed).size > 1;
  const requestRules = useRequestRules();
  const namesHidden = useView((view) => view.namesHidden);
  const differences = useMemo(() => {
    if (!parts || parts.session.laneIds.length < 2) return [];
    const runs = Object.fromEntries((ended ?? []).map((run) => [run.id, run]));
    const bodies = parts.session.laneIds.flatMap((laneId) => {
      const lane = parts.lanes[laneId];
      return lane ? [buildRequest({ ...parts, runs }, lane.setup, lane.tip, requestRules)] : [];
    });
    return diffRequests(bodies);
  }, [parts, ended, requestRules]);
  if (!parts || parts.session.laneIds.length < 2) return null;
  return (
    <section className={stripLook} aria-label="Differences">
      {(differences.length > 0 || isTimedDifferently) && (
        <EqualNot className="-mr-2 icon-14 text-ink-3" aria-hidden />
      )}
      {namesHidden && differences.length > 0 && <span>What differs is hidden with the names.</span>}
      {!namesHidden &&
        differences.map(({ field, values }) => (
          <span key={field}>
            <b className={nameLook}>{field}</b> {values.join(' / ')}
          </span>
        ))}
      {!namesHidden && isTimedDifferently && (
        <span title="The times of some answers were taken on the Bench server, those of others in this page.">
          <b className={nameLook}>timed differently</b>{' '}
          {timed?.map((by) => (by === 'server' ? 'server' : 'page')).join(' / ')}
        </span>
      )}
    </section>
  );
}
