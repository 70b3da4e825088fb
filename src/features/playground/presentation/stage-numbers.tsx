import {
  describeFirstToken,
  describeSpeed,
  computeMetrics,
  type Metric,
} from '../../../conversation/reply/metrics.ts';
import { isLive } from '../../../conversation/reply/run.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { formatCount } from '../../../lib/format.ts';
import { classes } from '../../../ui/cn.ts';
import { useElapsed } from '../reply/use-elapsed.ts';

const seconds = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** As large as the lanes leave room for. */
const sizes = { normal: classes('text-[26px]/8 font-600 max-[900px]:text-22'), small: 'text-18' };
/** A dot before each but the first. */
const entryLook = classes(
  'not-first:pl-1.5 not-first:before:absolute not-first:before:-ml-2.25 not-first:before:text-edge',
  "not-first:before:content-['·']",
);
const numberLook = classes('tracking-[-0.012em]');
const numberLooks = {
  known: numberLook,
  live: classes(numberLook, 'text-needle-ink'),
  missing: classes(numberLook, 'font-450 text-ink-3'),
};
const unitLook = classes('ml-1 text-[16px]/5 font-450 tracking-normal text-ink-3');

/** The three numbers of a turn in one line, always in seconds. */
export function StageNumbers({ run, isSmall }: { run: Run; isSmall: boolean }) {
  const metrics = computeMetrics(run);
  const live = isLive(run);
  return (
    <dl
      className={classes(
        'mt-2 flex items-baseline gap-3 overflow-hidden whitespace-nowrap normal-nums',
        isSmall ? sizes.small : sizes.normal,
        isSmall && 'min-[900px]:mt-0 min-[900px]:gap-2.25 min-[900px]:[&_small]:text-[14px]',
      )}
    >
      <Entry
        words="time to first token"
        figure={metrics.timeToFirstToken}
        remark={describeFirstToken(metrics)}
        format={(ms) => seconds.format(ms / 1000)}
        unit="s"
      />
      <Entry
        words="tokens per second"
        figure={metrics.tokensPerSecond}
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
  figure: Metric;
  format: (value: number) => string;
  unit?: string;
  live?: boolean;
  /** For assistive technology and as a title: the line has no room for it. */
  remark?: string | undefined;
}

function Entry({ words, figure, format, unit, live = false, remark }: EntryProps) {
  if (!('value' in figure)) {
    return (
      <div className={entryLook}>
        <dt className="sr-only">{words}</dt>
        <dd className={numberLooks.missing}>{figure.kind}</dd>
      </div>
    );
  }
  return (
    <div className={entryLook} title={remark}>
      <dt className="sr-only">{words}</dt>
      <dd className={live ? numberLooks.live : numberLooks.known}>
        {figure.kind === 'estimated' && <small className={unitLook}>~</small>}
        {format(figure.value)}
        {unit && <small className={unitLook}>{unit}</small>}
        {remark !== undefined && <span className="sr-only">, {remark}</span>}
      </dd>
    </div>
  );
}

function LiveSeconds({ run }: { run: Run }) {
  return seconds.format(useElapsed(run.sentAt) / 1000);
}
