import type { GapStats } from '../../../conversation/trace/trace-gaps.ts';
import { formatDuration, pluralize } from '../../../lib/format.ts';
import { PanelHeader } from '../panel-layout.tsx';

const width = 410;
const top = 8;
const baselineY = 52;
/** Width in px on the right for gaps beyond the last bin. */
const overflowWidth = 90;

/** Histogram of the time between events; gaps beyond the last bin are separate. */
export function GapHistogram({ stats }: { stats: GapStats }) {
  const { bins, overflowCount } = stats;
  const plotWidth = overflowCount > 0 ? width - overflowWidth : width;
  const binWidth = plotWidth / bins.length;
  const maxCount = Math.max(...bins.map(({ count }) => count), overflowCount);
  const getBarHeight = (count: number) =>
    count === 0 ? 0 : Math.max(1.5, (count / maxCount) * (baselineY - top));
  const summaryText = `median ${formatMs(stats.medianMs)}, p95 ${formatMs(stats.p95Ms)}, longest ${formatMs(stats.maxMs)}`;
  const labelStep = bins.length > 8 ? Math.ceil(bins.length / 4) : Math.max(1, Math.ceil(bins.length / 3));
  const lastLabelIndex = Math.floor(bins.length / labelStep) * labelStep;
  return (
    <section className="-mt-px flex-none border-t border-line px-5 pb-2 max-phone:px-3.5" aria-label="Gaps">
      <PanelHeader title="Gaps" note={summaryText} />
      <svg
        className="block w-full max-w-130 overflow-visible [&_text]:font-sans [&_text]:text-[10.5px] [&_text]:font-450"
        viewBox={`0 0 ${width} 74`}
        role="img"
        aria-label={`Gaps between events: ${summaryText}`}
      >
        <Axis path={`M0 ${baselineY + 0.5}H${plotWidth}`} />
        {bins.map(({ fromMs, toMs, count }, index) => (
          <rect
            key={index}
            className="fill-lane opacity-75"
            x={index * binWidth + 0.5}
            y={baselineY - getBarHeight(count)}
            width={Math.max(1, binWidth - 2)}
            height={getBarHeight(count)}
          >
            <title>{`${pluralize(count, 'gap')} of ${formatNumber(fromMs)} to ${formatMs(toMs)}`}</title>
          </rect>
        ))}
        {Array.from({ length: bins.length + 1 }, (_, index) => (
          <Axis
            key={index}
            path={`M${Math.min(width - 0.5, index * binWidth + 0.5)} ${baselineY + 0.5}v${index % labelStep === 0 ? 6 : 3.5}`}
          />
        ))}
        {Array.from({ length: bins.length + 1 }, (_, index) =>
          index % labelStep === 0 ? (
            <text
              key={index}
              className="fill-ink-3"
              x={index * binWidth}
              y={70}
              textAnchor={index === 0 ? 'start' : index * binWidth > width - 30 ? 'end' : 'middle'}
            >
              {index === lastLabelIndex
                ? formatMs(bins[0] ? bins[0].toMs * index : 0)
                : formatNumber((bins[0]?.toMs ?? 0) * index)}
            </text>
          ) : null,
        )}
        {overflowCount > 0 && (
          <>
            <Axis
              path={`M${plotWidth + 24} ${baselineY + 0.5}H${width}M${plotWidth + 8} ${baselineY + 4}l4 -7m3 7l4 -7`}
            />
            <rect
              className="fill-warn-ink"
              x={width - 34}
              y={baselineY - Math.max(4, getBarHeight(overflowCount))}
              width={20}
              height={Math.max(4, getBarHeight(overflowCount))}
            >
              <title>{`${pluralize(overflowCount, 'longer gap')}, up to ${formatMs(stats.maxMs)}`}</title>
            </rect>
            <text className="fill-warn-ink font-600!" x={width - 24} y={70} textAnchor="middle">
              {formatMs(stats.maxMs)}
            </text>
          </>
        )}
      </svg>
    </section>
  );
}

function Axis({ path }: { path: string }) {
  return <path className="fill-none stroke-edge [shape-rendering:crispEdges]" d={path} />;
}

function formatMs(value: number): string {
  if (value < 10) return `${formatNumber(value)} ms`;
  const { number, unit } = formatDuration(value);
  return `${number} ${unit}`;
}

function formatNumber(value: number): string {
  return Number(value.toFixed(1)).toString();
}
