import { cn } from '../cn.ts';

interface LaneTileProps {
  letter: string;
  /** 16 px instead of 20. */
  isSmall?: boolean;
  /** Its size and corners in classes, where they are others. */
  sizeClasses?: string;
  /** Hollow: what it stands for is not meant just now. */
  isInactive?: boolean;
  /** Where it stands, never how it looks. */
  className?: string;
}

/** A letter on its colour: which of several things side by side is meant. The letter alone tells it too. */
export function LaneTile({
  letter,
  isSmall = true,
  sizeClasses,
  isInactive = false,
  className,
}: LaneTileProps) {
  return (
    <b
      className={cn(
        `lane-tile lane-${letter.toLowerCase()}`,
        'inline-grid flex-none place-items-center font-sans leading-none font-650 tracking-normal',
        isInactive ? 'text-ink-3 inset-ring inset-ring-edge' : 'bg-lane text-on-ink',
        sizeClasses ?? (isSmall ? 'size-4 rounded-1 text-[10.5px]' : 'size-5 rounded-1 text-[12px]'),
        'forced-colors:border forced-colors:border-[CanvasText]',
        className,
      )}
      aria-hidden
    >
      {letter}
    </b>
  );
}
