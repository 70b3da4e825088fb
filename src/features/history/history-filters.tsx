import type { HistoryMark, HistoryView } from '../../state/find/history-view.ts';
import { useHistoryView, usePlayground } from '../../state/use-playground.tsx';
import { classes } from '../../ui/cn.ts';
import { buttonLook } from '../../ui/controls/button.tsx';
import { Check, ChevronDown } from '../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { modelsIn, type HistoryEntry } from './history-entries.ts';

const marks: readonly { mark: HistoryMark | undefined; words: string }[] = [
  { mark: undefined, words: 'Any mark or none' },
  { mark: 'any', words: 'With a mark' },
  { mark: 'good', words: 'Marked good' },
  { mark: 'bad', words: 'Marked bad' },
  { mark: 'star', words: 'Marked with a star' },
];

const orders: readonly { sort: HistoryView['sort']; words: string }[] = [
  { sort: { by: 'when', descending: true }, words: 'Newest first' },
  { sort: { by: 'when', descending: false }, words: 'Oldest first' },
  { sort: { by: 'title', descending: false }, words: 'By title' },
  { sort: { by: 'turns', descending: true }, words: 'Most messages first' },
  { sort: { by: 'tokens', descending: true }, words: 'Most tokens first' },
  { sort: { by: 'models', descending: false }, words: 'By model' },
];

/** What is listed, and in what order. */
export function HistoryFilters({ all }: { all: readonly HistoryEntry[] }) {
  const { historyView } = usePlayground();
  const { model, mark, sort } = useHistoryView((view) => view);
  const models = [undefined, ...modelsIn(all)].map((each) => ({
    model: each,
    words: each ?? 'Any model',
  }));
  const order = orders.find((each) => isSameSort(each.sort, sort));
  return (
    <span className="flex flex-wrap items-center">
      <Choice
        shown={model ?? 'Any model'}
        items={models.map((each) => ({
          label: each.words,
          icon: <Chosen isChosen={each.model === model} />,
          onPick: () => historyView.setState({ model: each.model }),
        }))}
      />
      <Choice
        shown={marks.find((each) => each.mark === mark)?.words ?? ''}
        items={marks.map((each) => ({
          label: each.words,
          icon: <Chosen isChosen={each.mark === mark} />,
          onPick: () => historyView.setState({ mark: each.mark }),
        }))}
      />
      <Choice
        shown={order?.words ?? 'Sorted by column'}
        items={orders.map((each) => ({
          label: each.words,
          icon: <Chosen isChosen={each === order} />,
          onPick: () => historyView.setState({ sort: each.sort }),
        }))}
      />
    </span>
  );
}

function isSameSort(one: HistoryView['sort'], other: HistoryView['sort']): boolean {
  return one.by === other.by && one.descending === other.descending;
}

function Choice({ shown, items }: { shown: string; items: readonly MenuItem[] }) {
  return (
    <Menu label={shown} className={classes(buttonLook({ look: 'quiet' }), 'max-w-60')} items={items}>
      <span className="truncate">{shown}</span>
      <ChevronDown className="icon-14" aria-hidden />
    </Menu>
  );
}

function Chosen({ isChosen }: { isChosen: boolean }) {
  return isChosen ? <Check className="icon-14" aria-hidden /> : <span className="icon-14" />;
}
