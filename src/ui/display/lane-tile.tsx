import { cn } from '../cn.ts';

interface LaneTileProps {
  letter: string;
  /** 16 px instead of 20. */
  isSmall?: boolean;
  /** Classes for a different size and corner radius. */
  sizeClasses?: string;
  /** Drawn as an outline because the next action does not apply to its item. */
  isInactive?: boolean;
  /** Classes for the position, never for the appearance. */
  className?: string;
}

/**
 * A letter on a coloured tile that identifies one of several items side by side. The letter alone identifies it,
 * without the colour.
 */
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
