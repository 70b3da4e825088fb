const filledClasses = 'fill-ink-3';
const openClasses = 'fill-none stroke-ink-3';

interface TierMarkProps {
  fill: 'full' | 'half' | 'open';
  /** Accessible meaning of the mark; absent if the text is beside it. */
  label?: string;
}

/** A filled, half-filled or open circle of 9 px. */
export function TierMark({ fill, label }: TierMarkProps) {
  const ariaProps = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <svg className="size-2.25 flex-none" viewBox="0 0 10 10" {...ariaProps}>
      {fill === 'full' ? (
        <circle cx="5" cy="5" r="4" className={filledClasses} />
      ) : (
        <circle cx="5" cy="5" r="3.5" className={openClasses} />
      )}
      {fill === 'half' && <path d="M5 1a4 4 0 0 0 0 8z" className={filledClasses} />}
    </svg>
  );
}
