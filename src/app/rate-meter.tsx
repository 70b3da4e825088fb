import { usePlayground, useQueue } from '../state/react.tsx';

const mostTicks = 50;
const stepPx = 3;

/** Ticks from one index to another; every tenth of the scale is taller. */
function ticks(from: number, to: number): string {
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => {
    const index = from + offset;
    return `M${index * stepPx + 1.5} ${index % 10 === 0 ? 1 : 4}V13`;
  }).join('');
}

/** Requests of the last minute against the limit; nothing where there is none. */
export function RateMeter() {
  const { queue } = usePlayground();
  const used = useQueue((state) => state.sentAt.length);
  // Read in the selector, since the server's limit arrives with a change of the queue's state.
  const limit = useQueue(() => queue.limit());
  if (limit === 0) return null;
  const count = Math.min(limit, mostTicks);
  const filled = Math.min(count, Math.ceil((used / limit) * count));
  const isFull = used >= limit;
  return (
    <>
      <span className="meter" title="Counted by Bench. The gateway does not report its count.">
        <svg
          className="rate"
          viewBox={`0 0 ${count * stepPx} 14`}
          width={count * stepPx}
          height="14"
          role="img"
          aria-label={`${used} of ${limit} requests used this minute`}
        >
          <path className="r-b" d={ticks(filled, count)} />
          <path className="r-a" d={ticks(0, filled)} />
        </svg>
        <span className={isFull ? 'num full' : 'num'}>
          <b>{used}</b> of {limit}
          <span className="per"> this min</span>
        </span>
      </span>
      <span className="sep" />
    </>
  );
}
