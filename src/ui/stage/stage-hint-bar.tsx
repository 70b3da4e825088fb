import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

import { ButtonElement } from '../controls/button-element.tsx';

interface StageHintBarProps {
  areHintsHidden: boolean;
  /** Name of the scene, which stays visible. */
  name: string;
  children: ReactNode;
}

/** Hints at the bottom of the stage, with the name of the scene. */
export function StageHintBar({ areHintsHidden, name, children }: StageHintBarProps) {
  return (
    <footer
      className={clsx(
        'flex flex-wrap items-center gap-x-5.5 gap-y-1 border-t border-line-2 pt-3.5 text-12 text-ink-3 normal-nums',
        '[&>*]:transition-opacity [&>*]:duration-(--d-2) @max-[800px]/stage:[&>*]:flex-none',
        '@max-[800px]/stage:[scrollbar-width:none] @max-[800px]/stage:flex-nowrap @max-[800px]/stage:overflow-x-auto @max-[800px]/stage:whitespace-nowrap',
        // On a touch screen nothing would tell that a tap shows them.
        areHintsHidden && 'pointer-fine:not-has-focus-visible:[&>*]:not-last:opacity-0',
      )}
    >
      {children}
      <span className="min-w-0 flex-1" />
      <StageHintGroup>{name}</StageHintGroup>
    </footer>
  );
}

/** Hints that share a label, or a text beside the hints. */
export function StageHintGroup({ children }: { children: ReactNode }) {
  return <span className="inline-flex min-h-6 items-center gap-1.5">{children}</span>;
}

interface StageHintProps extends ComponentProps<'button'> {
  /** Accessible name if the key and visible text are not clear enough; contains the visible text. */
  label?: string;
  /** True if the hint shares its label with adjacent hints. */
  isGrouped?: boolean;
  /** True for the hint that stays visible however far the others are scrolled. */
  isExit?: boolean;
  onUse: (() => void) | undefined;
}

/** Action of the stage with its key. */
export function StageHint({ label, isGrouped, isExit, onUse, ...rest }: StageHintProps) {
  return (
    <ButtonElement
      type="button"
      className={clsx(
        'inline-flex min-h-6 items-center gap-1.5 hover:text-ink aria-disabled:opacity-50 @max-[800px]/stage:min-h-11',
        isGrouped && '-mx-0.75 min-w-6 justify-center @max-[800px]/stage:min-w-11',
        isExit && [
          '@max-[800px]/stage:sticky @max-[800px]/stage:left-0 @max-[800px]/stage:z-1 @max-[800px]/stage:-order-1 @max-[800px]/stage:pr-3 @max-[800px]/stage:pl-1',
          '@max-[800px]/stage:bg-paper @max-[800px]/stage:font-550 @max-[800px]/stage:text-ink',
        ],
      )}
      aria-label={label}
      onClick={() => onUse?.()}
      {...rest}
    />
  );
}
