import type { ReactNode } from 'react';

import {
  describeFirstToken,
  listMetricRemarks,
  computeMetrics,
  missingMetricLabels,
  type Metric,
} from '../../../conversation/reply/metrics.ts';
import { getFinishLabel } from '../../../conversation/reply/run.ts';
import { isLive } from '../../../conversation/reply/run.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { formatCount, formatDuration, formatSpeed, type Measure } from '../../../lib/format.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import { noPrice, useAnswerCost } from '../../models/use-model-price.ts';
import { useElapsed } from '../reply/use-elapsed.ts';
import {
  columnLook,
  figureLook,
  firstTokenRemarkLook,
  groupLooks,
  listLook,
  nameLook,
  remarkLook,
  unitLook,
  type MetricId,
  type MetricTone,
  type MetricsLook,
} from './metrics-look.ts';

interface MetricsLayout {
  look: MetricsLook;
  /** True if other lanes are shown beside this one. */
  hasOtherLanes: boolean;
}

interface Props extends Partial<MetricsLayout> {
  run: Run;
  letter: string;
  turnNumber: number;
}

/** Metrics of one answer: measured, reported, estimated (marked with `~`), pending, or missing. */
export function MetricsView({ run, letter, turnNumber, look = 'columns', hasOtherLanes = false }: Props) {
  const metrics = computeMetrics(run);
  const live = isLive(run);
  const cost = useAnswerCost(run);
  const elapsedMs = useElapsed(live ? run.sentAt : undefined);
  const duration: Metric =
    live && run.sentAt !== undefined ? { kind: 'exact', value: elapsedMs } : metrics.duration;
  const requestId = run.returnedRequestId ?? run.requestId;
  // No tokens yet counts as zero.
  const tokensOut = metrics.tokensOut.kind === 'not yet' ? '0' : formatMetric(metrics.tokensOut);
  const finish = sanitizeForSentence(getFinishLabel(run) ?? 'pending');
  const hasFailed = run.phase.name === 'failed';
  const layoutProps = { look, hasOtherLanes };
  const hasCost = cost !== undefined && cost !== noPrice;
  const firstTokenRemark = describeFirstToken(metrics);
  const remarks = listMetricRemarks(metrics);
  return (
    <div role="group" aria-label={`Metrics, lane ${letter}, turn ${turnNumber}`} className={groupLooks[look]}>
      <dl className={listLook(look, hasOtherLanes)}>
        <MetricEntry
          {...layoutProps}
          metricId="first"
          shortLabel="TTFT"
          fullLabel="Time to first token"
          live={false}
          title={describeTiming(run)}
          metric={metrics.timeToFirstToken}
          format={formatDuration}
        >
          {firstTokenRemark !== undefined && (
            <small className={firstTokenRemarkLook(look, hasOtherLanes)}>, {firstTokenRemark}</small>
          )}
        </MetricEntry>
        <MetricEntry
          {...layoutProps}
          metricId="speed"
          shortLabel="Speed"
          fullLabel="Tokens per second"
          live={live}
          metric={metrics.tokensPerSecond}
          format={formatSpeed}
        />
        <MetricColumn
          {...layoutProps}
          metricId="tokens"
          tone={live ? 'live' : 'plain'}
          shortLabel="In / out"
          fullLabel="Tokens in and out"
          title={describeTokenSource(run)}
        >
          {look === 'line' ? (
            <>
              <span className="sr-only">{`${formatMetric(metrics.tokensIn)} / `}</span>
              {tokensOut} <small className={unitLook(look)}>out</small>
            </>
          ) : (
            `${formatMetric(metrics.tokensIn)} / ${tokensOut}`
          )}
        </MetricColumn>
        <MetricColumn
          {...layoutProps}
          metricId="finish"
          tone={hasFailed ? 'bad' : live ? 'none' : 'plain'}
          shortLabel="Finish"
          fullLabel="Finish reason"
          fullValue={finish}
        >
          {finish}
        </MetricColumn>
        <MetricEntry
          {...layoutProps}
          metricId="total"
          shortLabel="Total"
          fullLabel="Duration"
          live={live}
          metric={duration}
          format={formatDuration}
        />
        {hasCost && (
          <MetricColumn
            {...layoutProps}
            metricId="cost"
            tone="plain"
            shortLabel="Cost"
            fullLabel="Cost"
            title={describeCostSource(metrics.costUsd !== undefined)}
          >
            {cost}
          </MetricColumn>
        )}
      </dl>
      {remarks.length > 0 && <p className={remarkLook(look)}>{remarks.join(' · ')}</p>}
      {cost === noPrice && 'value' in metrics.tokensOut && <span className="sr-only"> {noPrice} </span>}
      {/* Hidden visually, because the inspector shows it. */}
      {requestId !== undefined && <span className="sr-only">Request ID {requestId}</span>}
    </div>
  );
}

function describeTiming({ timedBy }: Run): string {
  return timedBy === 'server' ? 'Timed on the Bench server.' : 'Timed in this browser.';
}

function describeTokenSource({ usage }: Run): string {
  const counts = [usage?.promptTokens, usage?.completionTokens, usage?.totalTokens];
  return counts.every((count) => count === undefined)
    ? 'Estimated: no usage reported.'
    : 'Reported by the provider.';
}

function describeCostSource(isReported: boolean): string {
  return isReported ? 'Reported by the provider.' : 'Based on the price that the gateway lists.';
}

interface MetricColumnProps extends MetricsLayout {
  metricId: MetricId;
  tone: MetricTone;
  shortLabel: string;
  fullLabel: string;
  title?: string | undefined;
  /** Full value if the displayed one may be truncated. */
  fullValue?: string;
  children: ReactNode;
}

function MetricColumn({
  look,
  hasOtherLanes,
  metricId,
  tone,
  shortLabel,
  fullLabel,
  title,
  fullValue,
  children,
}: MetricColumnProps) {
  return (
    <div className={columnLook(look, hasOtherLanes, metricId)} title={title}>
      <dt className={nameLook(look)} title={fullLabel}>
        <span aria-hidden>{shortLabel}</span>
        <span className="sr-only">{fullLabel}</span>
      </dt>
      <dd className={figureLook(look, metricId, tone)} title={fullValue}>
        {children}
      </dd>
    </div>
  );
}

interface MetricEntryProps extends Omit<MetricColumnProps, 'tone' | 'children'> {
  live: boolean;
  metric: Metric;
  format: (value: number) => Measure;
  /** Content beside the number. */
  children?: ReactNode;
}

function MetricEntry({ live, metric, format, title, children, ...column }: MetricEntryProps) {
  const tone = 'value' in metric ? (live ? 'live' : 'plain') : 'none';
  return (
    <MetricColumn {...column} tone={tone} title={metric.kind === 'none' ? metric.why : title}>
      {'value' in metric ? (
        <MetricValue metric={metric} measure={format(metric.value)} look={column.look} />
      ) : (
        missingMetricLabels[metric.kind]
      )}
      {'value' in metric && children}
    </MetricColumn>
  );
}

interface MetricValueProps {
  metric: Metric;
  measure: Measure;
  look: MetricsLook;
}

function MetricValue({ metric, measure, look }: MetricValueProps): ReactNode {
  return (
    <>
      {`${metric.kind === 'estimated' ? '~' : ''}${measure.number}`}
      {/* Keyed by the number, because a unit belongs to its number. */}
      <small key={measure.number} className={unitLook(look)}>
        {measure.unit}
      </small>
    </>
  );
}

function formatMetric(metric: Metric): string {
  if (!('value' in metric)) return missingMetricLabels[metric.kind];
  return `${metric.kind === 'estimated' ? '~' : ''}${formatCount(metric.value)}`;
}
