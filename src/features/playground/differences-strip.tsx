import { useMemo } from 'react';

import { getSetupGatewayLabel } from '../../conversation/reply/run-gateway.ts';
import { isLive } from '../../conversation/reply/run.ts';
import { buildRequest } from '../../conversation/request/request.ts';
import { diffRequests } from '../../conversation/session/request-diff.ts';
import { getLatestRuns } from '../../conversation/trace/trace.ts';
import { useSessionShallow, useView } from '../../state/contexts.tsx';
import { EqualNot } from '../../ui/icons.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';
import { useRequestRules } from '../models/use-request-rules.ts';

/**
 * Differences in words between the requests that the lanes would send: each lane's conversation with its current setup.
 */
export function DifferencesStrip() {
  const sessionData = useSessionShallow(({ session, lanes, prompts, turns }) => ({
    session,
    lanes,
    prompts,
    turns,
  }));
  const endedRuns = useSessionShallow((data) =>
    Object.values(data.runs).filter((run) => run.endedMs !== undefined),
  );
  const timingSources = useSessionShallow((data) =>
    getLatestRuns(data).flatMap((run) => (isLive(run) || run.status === undefined ? [] : [run.timedBy])),
  );
  const hasMixedTiming = new Set(timingSources).size > 1;
  const requestRules = useRequestRules();
  const gateways = useGatewayStatuses();
  const namesHidden = useView((view) => view.namesHidden);
  const differences = useMemo(() => {
    if (!sessionData || sessionData.session.laneIds.length < 2) return [];
    const runs = Object.fromEntries((endedRuns ?? []).map((run) => [run.id, run]));
    const bodies = sessionData.session.laneIds.flatMap((laneId) => {
      const lane = sessionData.lanes[laneId];
      return lane ? [buildRequest({ ...sessionData, runs }, lane.setup, lane.tip, requestRules)] : [];
    });
    const labels = sessionData.session.laneIds.flatMap((laneId) => {
      const lane = sessionData.lanes[laneId];
      return lane ? [getSetupGatewayLabel(lane.setup, gateways)] : [];
    });
    const hasSeveralGateways = new Set(labels).size > 1;
    return [...(hasSeveralGateways ? [{ field: 'gateway', values: labels }] : []), ...diffRequests(bodies)];
  }, [sessionData, endedRuns, requestRules, gateways]);
  if (!sessionData || sessionData.session.laneIds.length < 2) return null;
  return (
    <section
      className="flex flex-none flex-wrap items-center gap-x-4 gap-y-0.5 border-b border-line bg-bench px-4 py-1.25 text-12 text-ink-2 normal-nums empty:border-0 empty:p-0"
      aria-label="Differences"
    >
      {(differences.length > 0 || hasMixedTiming) && (
        <EqualNot className="-mr-2 icon-14 text-ink-3" aria-hidden />
      )}
      {namesHidden && differences.length > 0 && <span>Differences are hidden until you show the names.</span>}
      {!namesHidden &&
        differences.map(({ field, values }) => (
          <span key={field}>
            <b className="mr-0.5 text-ink [font:600_12px/18px_var(--mono)]">{field}</b> {values.join(' / ')}
          </span>
        ))}
      {!namesHidden && hasMixedTiming && (
        <span title="Some answers were timed on the Bench server, others in this page.">
          <b className="mr-0.5 text-ink [font:600_12px/18px_var(--mono)]">timed differently</b>{' '}
          {timingSources?.map((source) => (source === 'server' ? 'server' : 'page')).join(' / ')}
        </span>
      )}
    </section>
  );
}
