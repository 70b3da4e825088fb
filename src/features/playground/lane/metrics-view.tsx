import type { ReactNode } from 'react';

import {
  describeFirstToken,
  listMetricRemarks,
  computeMetrics,
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
  type FigurePlace,
  type FigureTone,
  type MetricsLook,
} from './metrics-look.ts';

interface Looks {
  look: MetricsLook;
  /** Other lanes stand beside this one. */
  beside: boolean;
}

interface Props extends Partial<Looks> {
  run: Run;
  letter: string;
  number: number;
}

/** The numbers of one answer: measured, reported, estimated with `~`, not yet, or none. */
export function MetricsView({ run, letter, number, look = 'columns', beside = false }: Props) {
  const metrics = computeMetrics(run);
  const live = isLive(run);
  const cost = useAnswerCost(run);
  const elapsedMs = useElapsed(live ? run.sentAt : undefined);
  const duration: Metric =
    live && run.sentAt !== undefined ? { kind: 'exact', value: elapsedMs } : metrics.duration;
  const requestId = run.returnedRequestId ?? run.requestId;
  // None came so far: that is a count, too.
  const tokensOut = metrics.tokensOut.kind === 'not yet' ? '0' : figureText(metrics.tokensOut);
  const finish = sanitizeForSentence(getFinishLabel(run) ?? 'not yet');
  const failed = run.phase.name === 'failed';
  const looks = { look, beside };
  const hasCost = cost !== undefined && cost !== noPrice;
  const firstTokenRemark = describeFirstToken(metrics);
  const remarks = listMetricRemarks(metrics);
  return (
    <div role="group" aria-label={`Metrics, lane ${letter}, turn ${number}`} className={groupLooks[look]}>
      <dl className={listLook(look, beside)}>
        <Entry
          {...looks}
          place="first"
          short="TTFT"
          long="Time to first token"
          live={false}
          title={timedWords(run)}
          figure={metrics.timeToFirstToken}
          format={formatDuration}
        >
          {firstTokenRemark !== undefined && (
            <small className={firstTokenRemarkLook(look, beside)}>, {firstTokenRemark}</small>
          )}
        </Entry>
        <Entry
          {...looks}
          place="speed"
          short="Speed"
          long="Tokens per second"
          live={live}
          figure={metrics.tokensPerSecond}
          format={formatSpeed}
        />
        <Column
          {...looks}
          place="tokens"
          tone={live ? 'live' : 'plain'}
          short="In / out"
          long="Tokens in and out"
          title={tokensTitle(run)}
        >
          {look === 'line' ? (
            <>
              <span className="sr-only">{`${figureText(metrics.tokensIn)} / `}</span>
              {tokensOut} <small className={unitLook(look)}>out</small>
            </>
          ) : (
            `${figureText(metrics.tokensIn)} / ${tokensOut}`
          )}
        </Column>
        <Column
          {...looks}
          place="finish"
          tone={failed ? 'bad' : live ? 'none' : 'plain'}
          short="Finish"
          long="Finish reason"
          whole={finish}
        >
          {finish}
        </Column>
        <Entry
          {...looks}
          place="total"
          short="Total"
          long="Duration"
          live={live}
          figure={duration}
          format={formatDuration}
        />
        {hasCost && (
          <Column
            {...looks}
            place="cost"
            tone="plain"
            short="Cost"
            long="Cost"
            title={costTitle(metrics.costUsd !== undefined)}
          >
            {cost}
          </Column>
        )}
      </dl>
      {remarks.length > 0 && <p className={remarkLook(look)}>{remarks.join(' · ')}</p>}
      {cost === noPrice && 'value' in metrics.tokensOut && <span className="sr-only"> {noPrice} </span>}
      {/* It is drawn in the inspector. */}
      {requestId !== undefined && <span className="sr-only">Request ID {requestId}</span>}
    </div>
  );
}

function timedWords({ timedBy }: Run): string {
  return timedBy === 'server' ? 'Timed on the Bench server.' : 'Timed in this page.';
}

function tokensTitle({ usage }: Run): string {
  const counts = [usage?.promptTokens, usage?.completionTokens, usage?.totalTokens];
  return counts.every((count) => count === undefined)
    ? 'Estimated: no usage reported.'
    : 'Reported by the provider.';
}

function costTitle(isReported: boolean): string {
  return isReported ? 'Reported by the provider.' : 'By the price that the gateway lists.';
}

interface ColumnProps extends Looks {
  place: FigurePlace;
  tone: FigureTone;
  short: string;
  long: string;
  title?: string | undefined;
  /** What may be too long to be seen as a whole. */
  whole?: string;
  children: ReactNode;
}

function Column({ look, beside, place, tone, short, long, title, whole, children }: ColumnProps) {
  return (
    <div className={columnLook(look, beside, place)} title={title}>
      <dt className={nameLook(look)} title={long}>
        <span aria-hidden>{short}</span>
        <span className="sr-only">{long}</span>
      </dt>
      <dd className={figureLook(look, place, tone)} title={whole}>
        {children}
      </dd>
    </div>
  );
}

interface EntryProps extends Omit<ColumnProps, 'tone' | 'children'> {
  live: boolean;
  figure: Metric;
  format: (value: number) => Measure;
  /** Beside the number. */
  children?: ReactNode;
}

function Entry({ live, figure, format, title, children, ...column }: EntryProps) {
  const tone = 'value' in figure ? (live ? 'live' : 'plain') : 'none';
  return (
    <Column {...column} tone={tone} title={figure.kind === 'none' ? figure.why : title}>
      {'value' in figure ? (
        <Value figure={figure} measure={format(figure.value)} look={column.look} />
      ) : (
        figure.kind
      )}
      {'value' in figure && children}
    </Column>
  );
}

interface ValueProps {
  figure: Metric;
  measure: Measure;
  look: MetricsLook;
}

function Value({ figure, measure, look }: ValueProps): ReactNode {
  return (
    <>
      {`${figure.kind === 'estimated' ? '~' : ''}${measure.number}`}
      {/* A number and its unit are one thing: with another number stands another unit. */}
      <small key={measure.number} className={unitLook(look)}>
        {measure.unit}
      </small>
    </>
  );
}

function figureText(figure: Metric): string {
  if (!('value' in figure)) return figure.kind;
  return `${figure.kind === 'estimated' ? '~' : ''}${formatCount(figure.value)}`;
}
