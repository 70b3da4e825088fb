import { clsx } from 'clsx';

import {
  describeFirstToken,
  describeSpeed,
  computeMetrics,
  missingMetricLabels,
  type Metric,
} from '../../../conversation/reply/metrics.ts';
import { isLive } from '../../../conversation/reply/run.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { formatCount } from '../../../lib/format.ts';
import { useElapsed } from '../reply/use-elapsed.ts';

const secondsFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Classes of the numbers, as large as the lanes allow. */
const sizes = { normal: clsx('text-[26px]/8 font-600 max-[900px]:text-22'), small: 'text-18' };
/** Classes of an entry; each entry except the first is preceded by a dot. */
const entryLook = clsx(
  'not-first:pl-1.5 not-first:before:absolute not-first:before:-ml-2.25 not-first:before:text-edge',
  "not-first:before:content-['·']",
);
const numberLook = clsx('tracking-[-0.012em]');
const numberLooks = {
  known: numberLook,
  live: clsx(numberLook, 'text-needle-ink'),
  missing: clsx(numberLook, 'font-450 text-ink-3'),
};
const unitLook = clsx('ml-1 text-[16px]/5 font-450 tracking-normal text-ink-3');

/** The three metrics of a turn on one line; times are always in seconds. */
export function StageNumbers({ run, isSmall }: { run: Run; isSmall: boolean }) {
  const metrics = computeMetrics(run);
  const live = isLive(run);
  return (
    <dl
      className={clsx(
        'mt-2 flex items-baseline gap-3 overflow-hidden whitespace-nowrap normal-nums',
        isSmall ? sizes.small : sizes.normal,
        isSmall && 'min-[900px]:mt-0 min-[900px]:gap-2.25 min-[900px]:[&_small]:text-[14px]',
      )}
    >
      <StageMetric
        label="time to first token"
        metric={metrics.timeToFirstToken}
        remark={describeFirstToken(metrics)}
        format={(ms) => secondsFormat.format(ms / 1000)}
        unit="s"
      />
      <StageMetric
        label="tokens per second"
        metric={metrics.tokensPerSecond}
        remark={describeSpeed(metrics)}
        format={formatCount}
        unit="tok/s"
        live={live}
      />
      {live ? (
        <div className={entryLook}>
          <dt className="sr-only">so far</dt>
          <dd className={numberLooks.live}>
            <LiveSeconds run={run} />
            <small className={unitLook}>s so far</small>
          </dd>
        </div>
      ) : (
        <StageMetric
          label="total"
          metric={metrics.duration}
          format={(ms) => secondsFormat.format(ms / 1000)}
          unit="s"
        />
      )}
    </dl>
  );
}

interface StageMetricProps {
  label: string;
  metric: Metric;
  format: (value: number) => string;
  unit?: string;
  live?: boolean;
  /** Remark for screen readers and the tooltip, since the line has no space for it. */
  remark?: string | undefined;
}

function StageMetric({ label, metric, format, unit, live = false, remark }: StageMetricProps) {
  if (!('value' in metric)) {
    return (
      <div className={entryLook}>
        <dt className="sr-only">{label}</dt>
        <dd className={numberLooks.missing}>{missingMetricLabels[metric.kind]}</dd>
      </div>
    );
  }
  return (
    <div className={entryLook} title={remark}>
      <dt className="sr-only">{label}</dt>
      <dd className={live ? numberLooks.live : numberLooks.known}>
        {metric.kind === 'estimated' && <small className={unitLook}>~</small>}
        {format(metric.value)}
        {unit && <small className={unitLook}>{unit}</small>}
        {remark !== undefined && <span className="sr-only">, {remark}</span>}
      </dd>
    </div>
  );
}

function LiveSeconds({ run }: { run: Run }) {
  return secondsFormat.format(useElapsed(run.sentAt) / 1000);
}
