import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import {
  describeFirstToken,
  listMetricRemarks,
  computeMetrics,
  missingMetricLabels,
  type Metric,
  type Metrics,
} from '../../conversation/reply/metrics.ts';
import { getFinishLabel } from '../../conversation/reply/run.ts';
import { isLive } from '../../conversation/reply/run.ts';
import type { Run } from '../../conversation/session/types.ts';
import {
  formatCount,
  formatDuration,
  formatShortCount,
  formatSpeed,
  type Measure,
} from '../../lib/format.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import { useView } from '../../state/contexts.tsx';
import { useRunGatewayLabel } from '../health/gateway-label.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';
import { useAnswerCost } from '../models/use-model-price.ts';
import { useElapsed } from '../workspace/use-elapsed.ts';

/**
 * Layouts of the metrics. card: below the start of an answer; compact: all on one line, below an answer; line: the most
 * important ones on one line.
 */
type MetricsVariant = 'columns' | 'card' | 'compact' | 'line' | 'unseen';

/** Metrics in display order. */
type MetricId = 'first' | 'speed' | 'tokens' | 'finish' | 'total' | 'cost';

type MetricTone = 'plain' | 'none' | 'live' | 'bad';

interface MetricsLayout {
  variant: MetricsVariant;
  /** True if other lanes are shown beside this one. */
  hasOtherLanes: boolean;
}

interface Props extends Partial<MetricsLayout> {
  run: Run;
  letter: string;
  turnNumber: number;
}

/** Metrics of one answer: measured, reported, estimated (marked with `~`), pending, or missing. */
export function MetricsView({ run, letter, turnNumber, variant = 'columns', hasOtherLanes = false }: Props) {
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
  const layoutProps = { variant, hasOtherLanes };
  const firstTokenRemark = describeFirstToken(metrics);
  const remarks = listMetricRemarks(metrics);
  const gatewayLabel = useRunGatewayLabel(run);
  const hasSeveralGateways = useGatewayStatuses().length > 1;
  const namesHidden = useView((view) => view.namesHidden);
  return (
    <div
      role="group"
      aria-label={`Metrics, lane ${letter}, turn ${turnNumber}`}
      className={clsx(
        variant === 'unseen' && 'sr-only',
        variant === 'compact' && 'mt-1.5 flex min-h-4.5 flex-wrap items-center',
        (variant === 'columns' || variant === 'card' || variant === 'line') &&
          'flex min-w-0 flex-1 flex-wrap items-center',
      )}
    >
      <dl
        className={clsx(
          'flex min-w-0',
          (variant === 'compact' || variant === 'unseen') && 'flex-wrap gap-x-3.5',
          variant === 'line' && ['gap-x-2 gap-y-0.5', hasOtherLanes && 'flex-[1_0_100%]'],
          variant === 'card' && 'flex-[1_0_100%] flex-wrap gap-y-0.5',
          variant === 'columns' && [
            'gap-y-0.5',
            hasOtherLanes
              ? [
                  'flex-[1_0_100%] max-phone:flex-wrap phone:@max-[400px]/lane-footer:grid',
                  'phone:@max-[400px]/lane-footer:grid-cols-[74fr_78fr_98fr] phone:@max-[400px]/lane-footer:gap-x-1.5',
                  'phone:@max-[400px]/lane-footer:gap-y-1',
                ]
              : 'flex-wrap max-phone:flex-[1_0_100%]',
          ],
        )}
      >
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
          {firstTokenRemark !== undefined && <small className="sr-only">, {firstTokenRemark}</small>}
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
          title={describeTokenCounts(run, metrics)}
        >
          {variant === 'line' ? (
            <>
              <span className="sr-only">{`${formatMetric(metrics.tokensIn)} / `}</span>
              {tokensOut} <Unit variant={variant}>out</Unit>
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
        <MetricColumn
          {...layoutProps}
          metricId="cost"
          tone={cost?.isKnown ? 'plain' : 'none'}
          shortLabel="Cost"
          fullLabel="Cost"
          title={cost?.description}
        >
          {cost?.text ?? missingMetricLabels[live ? 'not yet' : 'none']}
        </MetricColumn>
      </dl>
      {remarks.length > 0 && (
        <p
          className={
            variant === 'line' || variant === 'unseen'
              ? 'sr-only'
              : 'min-w-0 flex-[1_0_100%] text-11 text-ink-3 normal-nums'
          }
        >
          {/* Only a lane without neighbours has space for it; screen readers get it beside its number. */}
          {firstTokenRemark !== undefined && variant === 'columns' && !hasOtherLanes && (
            <span className="max-phone:hidden" aria-hidden>
              TTFT includes reasoning ·{' '}
            </span>
          )}
          {remarks.join(' · ')}
        </p>
      )}
      {!namesHidden && (
        <span
          className={
            hasSeveralGateways && variant !== 'line' && variant !== 'unseen'
              ? 'min-w-0 flex-[1_0_100%] truncate text-11 text-ink-3 normal-nums'
              : 'sr-only'
          }
        >
          Gateway {gatewayLabel}
        </span>
      )}
      {/* Hidden visually, because the inspector shows it. */}
      {requestId !== undefined && <span className="sr-only">Request ID {requestId}</span>}
    </div>
  );
}

function describeTiming({ timedBy }: Run): string {
  return timedBy === 'server' ? 'Timed on the Bench server.' : 'Timed in this browser.';
}

/** Describes the source of the token counts, and the exact counts because large ones are shortened. */
function describeTokenCounts({ usage }: Run, { tokensIn, tokensOut }: Metrics): string {
  const counts = [usage?.promptTokens, usage?.completionTokens, usage?.totalTokens];
  if (counts.every((count) => count === undefined)) return 'Estimated: no usage reported.';
  const exactCounts = [tokensIn, tokensOut].map((metric) =>
    'value' in metric ? formatCount(metric.value) : missingMetricLabels[metric.kind],
  );
  return `${exactCounts[0]} in, ${exactCounts[1]} out, reported by the provider.`;
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

/**
 * A metric and its name. Its position stays the same while numbers grow. Columns that do not fit wrap to a second row,
 * except beside other lanes, where a second row would move the conversation when a lane ends.
 */
function MetricColumn({
  variant,
  hasOtherLanes,
  metricId,
  tone,
  shortLabel,
  fullLabel,
  title,
  fullValue,
  children,
}: MetricColumnProps) {
  const isFinish = metricId === 'finish';
  const isLine = variant === 'line';
  const isInline = variant === 'compact' || variant === 'unseen';
  const isCost = metricId === 'cost';
  const isHidden = metricId === 'total' && isLine;
  /** True if the metric has a row of its own: cards, like phones, have space for five in a row. */
  const isRow = isCost && variant === 'card';
  /** True if the column has its own width; columns beside other lanes share the width. */
  const isOwnColumn = variant === 'columns' && !hasOtherLanes;
  const isShare = !isLine && !isInline;
  return (
    <div
      className={clsx(
        isHidden && 'sr-only',
        !isHidden && isInline && 'flex flex-none items-baseline gap-1.25',
        !isHidden &&
          isLine && [
            metricId === 'first' && 'min-w-12.5 flex-none',
            metricId === 'speed' &&
              'min-w-19 flex-none @max-[210px]/lane-footer:sr-only @max-[210px]/lane-footer:min-w-0',
            metricId === 'tokens' &&
              'min-w-14 flex-none @max-[270px]/lane-footer:sr-only @max-[270px]/lane-footer:min-w-0',
            // Long values are truncated, so that nothing overflows the line.
            isFinish && 'min-w-0 @max-[360px]/lane-footer:sr-only',
            isCost && 'flex-none @max-[460px]/lane-footer:sr-only',
          ],
        !isHidden &&
          isOwnColumn && [
            'flex-none',
            !isCost && 'max-phone:flex-[var(--share)_0_0]',
            metricId === 'first' && 'min-w-14.5 pr-2',
            metricId === 'speed' && 'min-w-20 pr-2',
            metricId === 'tokens' && 'min-w-25 pr-2',
            isFinish && 'min-w-21 pr-2',
            metricId === 'total' && 'min-w-15',
            isCost && 'min-w-15',
            isFinish ? 'max-phone:min-w-0' : 'max-phone:min-w-min',
            !isCost && 'max-phone:pr-1.5',
          ],
        isShare &&
          !isOwnColumn && [
            !isRow && 'flex-[var(--share)_0_0]',
            isFinish ? 'min-w-0' : 'min-w-min',
            !isCost && 'pr-1.5 phone:@max-[400px]/lane-footer:pr-0',
          ],
        // Shares of the width, used where it is distributed.
        isShare && [
          metricId === 'first' && '[--share:56]',
          metricId === 'speed' && '[--share:78]',
          metricId === 'tokens' && '[--share:82]',
          isFinish && '[--share:66]',
          metricId === 'total' && '[--share:42]',
          isCost && '[--share:56]',
        ],
        isShare &&
          isCost &&
          (isRow
            ? 'flex flex-[1_0_100%] items-baseline gap-1.25'
            : 'max-phone:flex max-phone:flex-[1_0_100%] max-phone:items-baseline max-phone:gap-1.25'),
        !isInline &&
          (metricId === 'first' || metricId === 'speed') &&
          'max-phone:@max-[350px]/lane-footer:flex-[1_0_42%]',
      )}
      title={title}
    >
      <dt
        className={
          isLine ? 'sr-only' : 'text-11 whitespace-nowrap text-ink-3 normal-nums max-phone:text-[12px]'
        }
        title={fullLabel}
      >
        <span aria-hidden>{shortLabel}</span>
        <span className="sr-only">{fullLabel}</span>
      </dt>
      <dd
        className={clsx(
          'whitespace-nowrap normal-nums',
          isFinish && 'overflow-hidden text-ellipsis',
          isLine && 'text-[12px]/4',
          isLine && tone === 'none' && !isFinish && 'opacity-0',
          isInline && 'text-[12px]/4.5 font-450 text-ink-2',
          // The height is fixed, because units are smaller than numbers and not always present.
          !isLine && !isInline && 'min-h-4.75 text-[13px]/4.5 max-phone:text-[14px]/5',
          !isInline && {
            'font-550 text-ink': tone === 'plain',
            'font-450 text-ink-3': tone === 'none',
            'font-550 text-needle-ink': tone === 'live',
            'font-550 text-err-ink': tone === 'bad',
          },
        )}
        title={fullValue}
      >
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
        <MetricValue metric={metric} measure={format(metric.value)} variant={column.variant} />
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
  variant: MetricsVariant;
}

function MetricValue({ metric, measure, variant }: MetricValueProps): ReactNode {
  return (
    <>
      {`${metric.kind === 'estimated' ? '~' : ''}${measure.number}`}
      {/* Keyed by the number, because a unit belongs to its number. */}
      <Unit key={measure.number} variant={variant}>
        {measure.unit}
      </Unit>
    </>
  );
}

function Unit({ variant, children }: { variant: MetricsVariant; children: string }) {
  return (
    <small
      className={clsx(
        'font-450 text-ink-3 max-phone:text-[12px]',
        variant === 'line' ? 'ml-0.5 text-[11px]/4' : 'ml-0.75 text-[11px]/4.5',
      )}
    >
      {children}
    </small>
  );
}

function formatMetric(metric: Metric): string {
  if (!('value' in metric)) return missingMetricLabels[metric.kind];
  return `${metric.kind === 'estimated' ? '~' : ''}${formatShortCount(metric.value)}`;
}
