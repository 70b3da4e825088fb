import { pluralize } from '../../../lib/format.ts';
import { getCellId } from '../../../trials/case-order.ts';
import type { CellKey } from '../../../trials/trial.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { useTrial, useFullTrialState } from '../use-trial.ts';

/** Buttons that mark an answer as right or wrong; a second press clears the mark. */
export function CellMark({ cellKey }: { cellKey: CellKey }) {
  const trial = useTrial();
  const { marks } = useFullTrialState();
  const mark = marks.get(getCellId(cellKey))?.mark;
  const renderButton = (value: 'right' | 'wrong', label: string, shortcut: string) => (
    <Button
      aria-pressed={mark === value}
      className={mark === value ? 'border-ink! bg-ink! text-on-ink!' : ''}
      onClick={() => trial.setMark(cellKey, mark === value ? undefined : value)}
    >
      {label}
      <kbd aria-hidden>{shortcut}</kbd>
    </Button>
  );
  return (
    <section role="group" aria-label="Your mark" className="border-b border-line px-4 pt-2.5 pb-3">
      <h3 className="mb-1.5 text-11 text-ink-3">Your mark</h3>
      <p className="flex flex-wrap items-center gap-2">
        {renderButton('right', 'Right', '1')}
        {renderButton('wrong', 'Wrong', '0')}
        <span className="text-12 text-ink-3">
          {marks.size > 0 ? `${pluralize(marks.size, 'mark')} so far` : ''}
        </span>
      </p>
    </section>
  );
}
