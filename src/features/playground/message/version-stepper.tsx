import type { KeyboardEvent } from 'react';

import { cn } from '../../../ui/cn.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { createFocusTarget, getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { ChevronLeft, ChevronRight } from '../../../ui/icons.tsx';

interface Props {
  /** From 1. */
  current: number;
  count: number;
  onStep: (step: 1 | -1) => void;
  /** What is stepped through, for the names of the buttons. */
  itemKind?: 'version' | 'candidate';
  /** What is in another version and not below this one. */
  laterText?: string | undefined;
  /** Where it stands, never how it looks. */
  className?: string;
}

/** "2 of 3" between two arrows, which are keys in it, too; nothing where there is only one. */
export function VersionStepper({
  current,
  count,
  onStep,
  itemKind = 'version',
  laterText,
  className,
}: Props) {
  if (count < 2) return null;
  const name = itemKind === 'version' ? 'Version' : 'Candidate';
  // At the ends the buttons stay in reach: the focus is on one of them.
  const canStep = (step: 1 | -1) => (step < 0 ? current > 1 : current < count);
  const getButtonProps = (step: 1 | -1) => {
    const label = `${step < 0 ? 'Previous' : 'Next'} ${itemKind}`;
    const focusTarget = createFocusTarget(label);
    return {
      label,
      size: 'small' as const,
      'aria-disabled': !canStep(step),
      className: 'aria-disabled:opacity-55',
      ...focusTarget.attributes,
      ...getNextFocusAttributes(focusTarget),
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
      className={cn('inline-flex items-center gap-0.5 text-12 text-ink-2 normal-nums', className)}
      role="group"
      aria-label={`${name} ${current} of ${count}`}
      data-own-arrows
      onKeyDown={onKeyDown}
    >
      <IconButton {...getButtonProps(-1)}>
        <ChevronLeft className="icon-14" aria-hidden />
      </IconButton>
      <span className="tabular-nums">
        {current} of {count}
      </span>
      <IconButton {...getButtonProps(1)}>
        <ChevronRight className="icon-14" aria-hidden />
      </IconButton>
      {laterText !== undefined && <span className="ml-1.5 text-ink-3">{laterText}</span>}
    </span>
  );
}
