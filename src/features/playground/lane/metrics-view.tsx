import type { ReactNode } from 'react';

import { metricsOf, type Figure } from '../../../conversation/reply/metrics.ts';
import { finishWord } from '../../../conversation/reply/run.ts';
import { isLive } from '../../../conversation/reply/run.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { formatCount, formatDuration, formatSpeed, type Measure } from '../../../lib/format.ts';
import { outsideWords } from '../../../lib/text/safe-text.ts';
import { useAnswerCost } from '../../models/model-price.tsx';
import { useElapsed } from '../reply/use-elapsed.ts';

interface Props {
  run: Run;
  letter: string;
  number: number;
  /** compact: one line of all, under an answer. line: one line of the most telling ones. */
  look?: 'columns' | 'compact' | 'line' | 'unseen';
}

/** The numbers of one answer: measured, reported, estimated with `~`, not yet, or none. */
export function MetricsView({ run, letter, number, look = 'columns' }: Props) {
  const metrics = metricsOf(run);
  const live = isLive(run);
  const cost = useAnswerCost(run);
  const elapsedMs = useElapsed(live ? run.sentAt : undefined);
  const duration: Figure =
    live && run.sentAt !== undefined ? { kind: 'exact', value: elapsedMs } : metrics.duration;
  const requestId = run.returnedRequestId ?? run.requestId;
  // None came so far: that is a count, too.
  const tokensOut = metrics.tokensOut.kind === 'not yet' ? '0' : figureText(metrics.tokensOut);
  const finish = outsideWords(finishWord(run) ?? 'not yet');
  const failed = run.phase.name === 'failed';
  return (
    <div
      role="group"
      aria-label={`Metrics, lane ${letter}, turn ${number}`}
      className={look === 'unseen' ? 'vh' : `metrics ${look === 'columns' ? '' : look}`}
    >
      <dl className="mx">
        <Entry
          short="TTFT"
          long="Time to first token"
          live={false}
          title={timedWords(run)}
          figure={metrics.timeToFirstToken}
          format={formatDuration}
        />
        <Entry
          short="Speed"
          long="Tokens per second"
          live={live}
          figure={metrics.tokensPerSecond}
          format={formatSpeed}
        />
        <div className={live ? 'live' : ''} title={tokensTitle(run, metrics.reasoningTokens, cost)}>
          <Label short="In / out" long="Tokens in and out" />
          {look === 'line' ? (
            <dd>
              <span className="vh">{`${figureText(metrics.tokensIn)} / `}</span>
              {tokensOut} <small>out</small>
            </dd>
          ) : (
            <dd>{`${figureText(metrics.tokensIn)} / ${tokensOut}`}</dd>
          )}
        </div>
        <div className={`finish ${failed ? 'bad' : live ? 'na' : ''}`}>
          <Label short="Finish" long="Finish reason" />
          <dd title={finish}>{finish}</dd>
        </div>
        <Entry short="Total" long="Duration" live={live} figure={duration} format={formatDuration} />
      </dl>
      {/* It is drawn in the inspector. */}
      {requestId !== undefined && <span className="vh">Request ID {requestId}</span>}
      {cost !== undefined && <span className="vh"> Cost {cost}</span>}
    </div>
  );
}

function timedWords({ timedBy }: Run): string {
  return timedBy === 'server' ? 'Timed on the Bench server.' : 'Timed in this page.';
}

function tokensTitle(run: Run, reasoningTokens: number | undefined, cost: string | undefined): string {
  const price = cost === undefined ? '' : ` ${cost} by the price that the gateway lists.`;
  if (!run.usage) return `Estimated: no usage reported.${price}`;
  const reasoning =
    reasoningTokens === undefined ? '' : ` ${formatCount(reasoningTokens)} of them are reasoning.`;
  return `Reported by the provider.${reasoning}${price}`;
}

function Label({ short, long }: { short: string; long: string }) {
  return (
    <dt title={long}>
      <span aria-hidden>{short}</span>
      <span className="vh">{long}</span>
    </dt>
  );
}

interface EntryProps {
  short: string;
  long: string;
  live: boolean;
  title?: string;
  figure: Figure;
  format: (value: number) => Measure;
}

function Entry({ short, long, live, title, figure, format }: EntryProps) {
  const look = 'value' in figure ? (live ? 'live' : '') : 'na';
  return (
    <div className={look} title={figure.kind === 'none' ? figure.why : title}>
      <Label short={short} long={long} />
      <dd>{'value' in figure ? <Value figure={figure} measure={format(figure.value)} /> : figure.kind}</dd>
    </div>
  );
}

function Value({ figure, measure }: { figure: Figure; measure: Measure }): ReactNode {
  return (
    <>
      {`${figure.kind === 'estimated' ? '~' : ''}${measure.number}`}
      {/* A number and its unit are one thing: with another number stands another unit. */}
      <small key={measure.number}>{measure.unit}</small>
    </>
  );
}

function figureText(figure: Figure): string {
  if (!('value' in figure)) return figure.kind;
  return `${figure.kind === 'estimated' ? '~' : ''}${formatCount(figure.value)}`;
}
