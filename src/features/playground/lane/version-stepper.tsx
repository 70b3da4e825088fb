import { ChevronLeft, ChevronRight } from 'lucide-react';

import { IconButton } from '../../../ui/icon-button.tsx';

interface Props {
  /** From 1. */
  shown: number;
  count: number;
  onStep: (step: 1 | -1) => void;
  /** What is stepped through, for the names of the buttons. */
  what?: 'version' | 'candidate';
}

/** "2 of 3" between two arrows; nothing where there is only one. */
export function VersionStepper({ shown, count, onStep, what = 'version' }: Props) {
  if (count < 2) return null;
  const name = what === 'version' ? 'Version' : 'Candidate';
  return (
    <span className="stepper" role="group" aria-label={`${name} ${shown} of ${count}`}>
      <IconButton label={`Previous ${what}`} size="small" disabled={shown <= 1} onClick={() => onStep(-1)}>
        <ChevronLeft className="i s" aria-hidden />
      </IconButton>
      <span className="num">
        {shown} of {count}
      </span>
      <IconButton label={`Next ${what}`} size="small" disabled={shown >= count} onClick={() => onStep(1)}>
        <ChevronRight className="i s" aria-hidden />
      </IconButton>
    </span>
  );
}
