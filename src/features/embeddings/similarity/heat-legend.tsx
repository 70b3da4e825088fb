import { cosineWords } from '../views/dimension-words.ts';
/** What the eleven colours stand for. */
export function HeatLegend({ range: { low, high } }: { range: { low: number; high: number } }) {
  return (
    <div
      className="heat-legend"
      role="img"
      aria-label={`Colours from ${cosineWords(low, 2)} or less to ${high.toFixed(2)} or more`}
    >
      <div className="steps">
        {Array.from({ length: 11 }, (_, step) => (
          <i key={step} className={`h${step}`} />
        ))}
      </div>
      <div className="ends" aria-hidden>
        <span>{cosineWords(low, 2)} or less</span>
        <span>{((low + high) / 2).toFixed(2)}</span>
        <span>{high.toFixed(2)} or more</span>
      </div>
    </div>
  );
}
