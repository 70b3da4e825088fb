import { metricsOf, type Figure } from '../../../conversation/reply/metrics.ts';
import { isLive } from '../../../conversation/reply/run.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { formatCount } from '../../../lib/format.ts';
import { useElapsed } from '../reply/use-elapsed.ts';

const seconds = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** The three numbers that a room reads, in one line: design.md §11, always in seconds here. */
export function StageNumbers({ run }: { run: Run }) {
  const metrics = metricsOf(run);
  const live = isLive(run);
  return (
    <dl className="stage-n">
      <Entry
        words="time to first token"
        figure={metrics.timeToFirstToken}
        format={(ms) => seconds.format(ms / 1000)}
        unit="s"
      />
      <Entry
        words="tokens per second"
        figure={metrics.tokensPerSecond}
        format={formatCount}
        unit="tok/s"
        live={live}
      />
      {live ? (
        <div className="live">
          <dt className="vh">so far</dt>
          <dd>
            <LiveSeconds run={run} />
            <small>s so far</small>
          </dd>
        </div>
      ) : (
        <Entry
          words="in total"
          figure={metrics.duration}
          format={(ms) => seconds.format(ms / 1000)}
          unit="s"
        />
      )}
    </dl>
  );
}

interface EntryProps {
  words: string;
  figure: Figure;
  format: (value: number) => string;
  unit?: string;
  live?: boolean;
}

function Entry({ words, figure, format, unit, live = false }: EntryProps) {
  if (!('value' in figure)) {
    return (
      <div className="na">
        <dt className="vh">{words}</dt>
        <dd>{figure.kind}</dd>
      </div>
    );
  }
  return (
    <div className={live ? 'live' : undefined}>
      <dt className="vh">{words}</dt>
      <dd>
        {figure.kind === 'estimated' && <small>~</small>}
        {format(figure.value)}
        {unit && <small>{unit}</small>}
      </dd>
    </div>
  );
}

function LiveSeconds({ run }: { run: Run }) {
  return seconds.format(useElapsed(run.sentAt) / 1000);
}
