import { cn } from '../cn.ts';

interface LaneTileProps {
  letter: string;
  /** 16 px instead of 20. */
  isSmall?: boolean;
  /** Drawn as an outline because the next action does not apply to its item. */
  isInactive?: boolean;
  /** Classes for the position, or for a different size. */
  className?: string;
}

/**
 * A letter on a coloured tile that identifies one of several items side by side. The letter alone identifies it,
 * without the colour.
 */
export function LaneTile({ letter, isSmall = true, isInactive = false, className }: LaneTileProps) {
  return (
    <b
      className={cn(
        `lane-tile lane-${letter.toLowerCase()}`,
        'inline-grid flex-none place-items-center font-sans font-650 tracking-normal',
        isInactive ? 'text-ink-3 inset-ring inset-ring-edge' : 'bg-lane text-on-ink',
        isSmall ? 'size-4 rounded-1 text-[10.5px]/none' : 'size-5 rounded-1 text-[12px]/none',
        'forced-colors:border forced-colors:border-[CanvasText]',
        className,
      )}
      aria-hidden
    >
      {letter}
    </b>
  );
}
