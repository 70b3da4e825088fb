import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

/** Head of a scene: its title beside the Bench logo. */
export function StageHead({ isSmall = false, children }: { isSmall?: boolean; children: ReactNode }) {
  return (
    <header
      className={clsx(
        'grid grid-cols-[24px_minmax(0,1fr)] gap-4.5 border-b border-line-2 @max-[800px]/stage:gap-3',
        isSmall ? 'pb-3.5' : 'pb-5 @max-[800px]/stage:pb-3',
      )}
    >
      <StageMark className={isSmall ? 'mt-0.75' : 'mt-1.5'} />
      {children}
    </header>
  );
}

/** Logo of Bench. */
export function StageMark({ className }: { className?: string }) {
  return (
    <svg
      className={clsx(
        'size-5 flex-none fill-none stroke-ink stroke-[1.75] forced-colors:stroke-[CanvasText]',
        className,
      )}
      viewBox="0 0 20 20"
      aria-hidden
    >
      <path d="M2.5 3v14M6.25 3v8M10 3v14M13.75 3v8" />
      <path className="stroke-needle forced-colors:stroke-[Highlight]" d="M17.5 3v14" />
    </svg>
  );
}

interface StageTitleProps extends ComponentProps<'p'> {
  as?: 'p' | 'h2';
  isSmall?: boolean;
  inLane?: boolean;
}

/** Title in the head of a scene or below a lane's name. */
export function StageTitle({ as: Element = 'p', isSmall = false, inLane = false, ...rest }: StageTitleProps) {
  return (
    <Element
      className={clsx(
        'font-550 tracking-[-0.017em] text-balance wrap-anywhere whitespace-pre-wrap normal-nums',
        isSmall || inLane ? 'text-[22px]/7.5' : 'text-33 @max-[800px]/stage:text-[20px]/6.75',
        !isSmall && 'low:text-[27px]/9',
        inLane && 'pt-3',
      )}
      {...rest}
    />
  );
}
