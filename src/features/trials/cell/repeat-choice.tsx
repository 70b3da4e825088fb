import { getCellId } from '../../../trials/case-order.ts';
import type { CellKey } from '../../../trials/trial.ts';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { useTrialViewStore, useFullTrialState } from '../use-trial.ts';

/** Selector of the repeat, with the outcome of each. */
export function RepeatChoice({ cellKey }: { cellKey: CellKey }) {
  const view = useTrialViewStore();
  const { trial, cells, liveCells } = useFullTrialState();
  const statuses = Array.from({ length: trial.repeats }, (_, index) => {
    const cellId = getCellId({ ...cellKey, repeat: index + 1 });
    const cell = cells.get(cellId);
    if (!cell) return liveCells.has(cellId) ? 'running' : 'waiting';
    if (cell.outcome === 'no answer') return 'no answer';
    return (trial.decides === undefined ? undefined : cell.scores[trial.decides]?.result) ?? 'answered';
  });
  return (
    <div className="mb-2 overflow-x-auto">
      <Segmented
        label="Repeat"
        value={String(cellKey.repeat)}
        choices={statuses.map((status, index) => ({
          value: String(index + 1),
          label: `${index + 1}, ${status}`,
          content: (
            <span data-mark={status} className="flex items-center gap-1">
              {index + 1}
            </span>
          ),
        }))}
        onChange={(repeat) =>
          view.setState({ panel: { name: 'cell', key: { ...cellKey, repeat: Number(repeat) } } })
        }
      />
    </div>
  );
}
