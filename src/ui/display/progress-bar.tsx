interface ProgressBarProps {
  /** Accessible name. */
  label: string;
  value: number;
  max: number;
  /** Value in words. */
  text: string;
}

/** A thin bar that fills its container up to the completed part. */
export function ProgressBar({ label, value, max, text }: ProgressBarProps) {
  return (
    <span
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
      className="h-1 flex-1 overflow-hidden rounded-1 bg-sunken"
    >
      <i className="block h-full bg-ink-2" style={{ width: `${(100 * value) / Math.max(1, max)}%` }} />
    </span>
  );
}
