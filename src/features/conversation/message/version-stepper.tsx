import { clsx } from 'clsx';
import type { KeyboardEvent } from 'react';

import { RenderButtonContext, renderPlainButton } from '../../../ui/controls/button-element.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { createFocusTarget, getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { ChevronLeft, ChevronRight } from '../../../ui/late-icons.tsx';

interface Props {
  /** Position from 1. */
  current: number;
  count: number;
  onStep: (step: 1 | -1) => void;
  /** Kind of item, used in the names of the buttons. */
  itemKind?: 'version' | 'candidate';
  /** Note on later turns that exist only in a different version. */
  laterText?: string | undefined;
  /** Classes for layout position only, never for appearance. */
  className?: string;
}

/** Position such as "2 of 3" between two buttons, with arrow keys as shortcuts; renders nothing for a single item. */
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
  const canStep = (step: 1 | -1) => (step < 0 ? current > 1 : current < count);
  const getButtonProps = (step: 1 | -1) => {
    const label = `${step < 0 ? 'Previous' : 'Next'} ${itemKind}`;
    const focusTarget = createFocusTarget(label);
    return {
      label,
      size: 'small' as const,
      disabled: !canStep(step),
      ...focusTarget.attributes,
      ...getNextFocusAttributes(focusTarget),
      onClick: () => onStep(step),
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
      className={clsx('inline-flex items-center gap-0.5 text-12 text-ink-2 normal-nums', className)}
      role="group"
      aria-label={`${name} ${current} of ${count}`}
      onKeyDown={onKeyDown}
    >
      {/* They are not items of the toolbar around it, because the arrow keys step here. */}
      <RenderButtonContext value={renderPlainButton}>
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
      </RenderButtonContext>
    </span>
  );
}
