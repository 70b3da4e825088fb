interface ScoreStripProps {
  /** Of every text but the one that is looked from. */
  all: Float32Array;
  /** Of the nearest, best first. */
  best: readonly number[];
}

const widthPx = 520;
/** More marks than this would be one black bar: then each tenth of a pixel's share is told by its height. */
const mostMarks = 400;

/** The scores of all texts on one scale, the nearest marked: how far they stand out. */
export function ScoreStrip({ all, best }: ScoreStripProps) {
  const low = Math.min(
    0,
    Math.floor(all.reduce((least, score) => Math.min(least, score), 1) * 10 - 1e-6) / 10,
  );
  const x = (score: number) => Math.round(((score - low) / (1 - low)) * (widthPx - 2)) + 1.5;
  const labels = low < 0 ? [low, 0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  return (
    <svg
      className="score-strip"
      viewBox={`-12 0 ${widthPx + 24} 46`}
      role="img"
      aria-label={`Scores of all ${all.length} texts on a scale from ${low} to 1`}
    >
      <path className="rest" d={all.length <= mostMarks ? marksOf(all, x) : heightsOf(all, x)} />
      <path className="best" d={best.map((score) => `M${x(score)} 6V24`).join('')} />
      <path
        className="axis"
        d={`M1 24.5H${widthPx}${labels.map((label) => `M${x(label)} 24.5v6`).join('')}`}
      />
      {labels.map((label) => (
        <text key={label} x={x(label)} y="42" textAnchor="middle">
          {label}
        </text>
      ))}
    </svg>
  );
}

function marksOf(all: Float32Array, x: (score: number) => number): string {
  return Array.from(all, (score) => `M${x(score)} 13V24`).join('');
}

/** One mark for each pixel: the more texts have that score, the higher. */
function heightsOf(all: Float32Array, x: (score: number) => number): string {
  const counts = new Map<number, number>();
  for (const score of all) {
    const at = x(score);
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return Array.from(
    counts,
    ([at, count]) => `M${at} ${(24 - Math.max(1, (18 * count) / most)).toFixed(1)}V24`,
  ).join('');
}
