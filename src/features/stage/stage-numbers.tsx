import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import {
  describeFirstToken,
  describeSpeed,
  computeMetrics,
  missingMetricLabels,
  type Metric,
} from '../../conversation/reply/metrics.ts';
import { isLive } from '../../conversation/reply/run.ts';
import type { Run } from '../../conversation/session/types.ts';
import { formatCount } from '../../lib/format.ts';
import { useElapsed } from '../workspace/use-elapsed.ts';

const secondsFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The three metrics of a turn on one line; times are always in seconds. */
export function StageNumbers({ run, isSmall }: { run: Run; isSmall: boolean }) {
  const metrics = computeMetrics(run);
  const live = isLive(run);
  return (
    <dl
      className={clsx(
        'mt-2 flex items-baseline gap-3 overflow-hidden whitespace-nowrap normal-nums',
        isSmall ? 'text-18' : 'text-[26px]/8 font-600 @max-[800px]/stage:text-22',
        isSmall &&
          '@min-[800px]/stage:mt-0 @min-[800px]/stage:gap-2.25 @min-[800px]/stage:[&_small]:text-[14px]',
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
        <StageEntry label="so far" tone="live">
          <LiveSeconds run={run} />
          <Unit>s so far</Unit>
        </StageEntry>
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
      <StageEntry label={label} tone="missing">
        {missingMetricLabels[metric.kind]}
      </StageEntry>
    );
  }
  return (
    <StageEntry label={label} tone={live ? 'live' : 'known'} title={remark}>
      {metric.kind === 'estimated' && <Unit>~</Unit>}
      {format(metric.value)}
      {unit && <Unit>{unit}</Unit>}
      {remark !== undefined && <span className="sr-only">, {remark}</span>}
    </StageEntry>
  );
}

interface StageEntryProps {
  label: string;
  tone: 'known' | 'live' | 'missing';
  title?: string | undefined;
  children: ReactNode;
}

/** Entry of the line; each entry except the first is preceded by a dot. */
function StageEntry({ label, tone, title, children }: StageEntryProps) {
  return (
    <div
      className={clsx(
        'not-first:pl-1.5 not-first:before:absolute not-first:before:-ml-2.25 not-first:before:text-edge',
        "not-first:before:content-['·']",
      )}
      title={title}
    >
      <dt className="sr-only">{label}</dt>
      <dd
        className={clsx(
          'tracking-[-0.012em]',
          tone === 'live' && 'text-needle-ink',
          tone === 'missing' && 'font-450 text-ink-3',
        )}
      >
        {children}
      </dd>
    </div>
  );
}

function Unit({ children }: { children: ReactNode }) {
  return <small className="ml-1 text-[16px]/5 font-450 tracking-normal text-ink-3">{children}</small>;
}

function LiveSeconds({ run }: { run: Run }) {
  return secondsFormat.format(useElapsed(run.sentAt) / 1000);
}
