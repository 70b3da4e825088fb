import { clsx } from 'clsx';

import { useHistoryView, useLibraryServices } from '../../state/contexts.tsx';
import type { HistoryMark, HistoryView } from '../../state/find/history-view.ts';
import { buttonVariants } from '../../ui/controls/button.tsx';
import { CheckIcon, ChevronDown } from '../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { listEntryModels, type HistoryEntry } from './history-entries.ts';

const markOptions: readonly { mark: HistoryMark | undefined; label: string }[] = [
  { mark: undefined, label: 'Marked or unmarked' },
  { mark: 'any', label: 'Marked' },
  { mark: 'good', label: 'Marked good' },
  { mark: 'bad', label: 'Marked bad' },
  { mark: 'star', label: 'Starred' },
];

const orderOptions: readonly { sort: HistoryView['sort']; label: string }[] = [
  { sort: { by: 'when', descending: true }, label: 'Newest first' },
  { sort: { by: 'when', descending: false }, label: 'Oldest first' },
  { sort: { by: 'title', descending: false }, label: 'By title' },
  { sort: { by: 'turns', descending: true }, label: 'Most messages first' },
  { sort: { by: 'tokens', descending: true }, label: 'Most tokens first' },
  { sort: { by: 'models', descending: false }, label: 'By model' },
];

/** Filters and sort order of the history. */
export function HistoryFilters({ entries }: { entries: readonly HistoryEntry[] }) {
  const { historyView } = useLibraryServices();
  const { model, mark, sort } = useHistoryView((view) => view);
  const models = [undefined, ...listEntryModels(entries)].map((modelId) => ({
    model: modelId,
    label: modelId ?? 'Any model',
  }));
  const currentOrder = orderOptions.find((option) => isSameSort(option.sort, sort));
  return (
    <span className="flex flex-wrap items-center">
      <FilterMenu
        label={model ?? 'Any model'}
        items={models.map((option) => ({
          label: option.label,
          icon: <SelectionCheck isSelected={option.model === model} />,
          onPick: () => historyView.setState({ model: option.model }),
        }))}
      />
      <FilterMenu
        label={markOptions.find((option) => option.mark === mark)?.label ?? ''}
        items={markOptions.map((option) => ({
          label: option.label,
          icon: <SelectionCheck isSelected={option.mark === mark} />,
          onPick: () => historyView.setState({ mark: option.mark }),
        }))}
      />
      <FilterMenu
        label={currentOrder?.label ?? 'Sorted by column'}
        items={orderOptions.map((option) => ({
          label: option.label,
          icon: <SelectionCheck isSelected={option === currentOrder} />,
          onPick: () => historyView.setState({ sort: option.sort }),
        }))}
      />
    </span>
  );
}

function isSameSort(a: HistoryView['sort'], b: HistoryView['sort']): boolean {
  return a.by === b.by && a.descending === b.descending;
}

function FilterMenu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  return (
    <Menu label={label} className={clsx(buttonVariants({ variant: 'ghost' }), 'max-w-60')} items={items}>
      <span className="truncate">{label}</span>
      <ChevronDown className="icon-14" aria-hidden />
    </Menu>
  );
}

function SelectionCheck({ isSelected }: { isSelected: boolean }) {
  return isSelected ? <CheckIcon className="icon-14" aria-hidden /> : <span className="icon-14" />;
}
