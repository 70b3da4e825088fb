import type { KeyboardEvent } from 'react';

import { classes } from '../../../ui/cn.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { createPlace, focusNext } from '../../../ui/focus/focus-target.ts';
import { ChevronLeft, ChevronRight } from '../../../ui/icons.tsx';

interface Props {
  /** From 1. */
  shown: number;
  count: number;
  onStep: (step: 1 | -1) => void;
  /** What is stepped through, for the names of the buttons. */
  what?: 'version' | 'candidate';
  /** What is in another version and not below this one. */
  later?: string | undefined;
  /** Where it stands, never how it looks. */
  className?: string;
}

/** "2 of 3" between two arrows, which are keys in it, too; nothing where there is only one. */
export function VersionStepper({ shown, count, onStep, what = 'version', later, className }: Props) {
  if (count < 2) return null;
  const name = what === 'version' ? 'Version' : 'Candidate';
  // At the ends the buttons stay in reach: the focus is on one of them.
  const canStep = (step: 1 | -1) => (step < 0 ? shown > 1 : shown < count);
  const button = (step: 1 | -1) => {
    const label = `${step < 0 ? 'Previous' : 'Next'} ${what}`;
    const place = createPlace(label);
    return {
      label,
      size: 'small' as const,
      'aria-disabled': !canStep(step),
      className: 'aria-disabled:opacity-55',
      ...place.here,
      ...focusNext(place),
      onClick: () => canStep(step) && onStep(step),
    };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : undefined;
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (canStep(step)) onStep(step);
  };
  return (
    <span
      className={classes('inline-flex items-center gap-0.5 text-12 text-ink-2 normal-nums', className)}
      role="group"
      aria-label={`${name} ${shown} of ${count}`}
      data-own-arrows
      onKeyDown={onKeyDown}
    >
      <IconButton {...button(-1)}>
        <ChevronLeft className="icon-14" aria-hidden />
      </IconButton>
      <span className="tabular-nums">
        {shown} of {count}
      </span>
      <IconButton {...button(1)}>
        <ChevronRight className="icon-14" aria-hidden />
      </IconButton>
      {later !== undefined && <span className="ml-1.5 text-ink-3">{later}</span>}
    </span>
  );
}
