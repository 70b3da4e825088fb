import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';

import type { Snippet } from '../../conversation/files/text-search.ts';
import { useHistoryView, useLibraryServices } from '../../state/contexts.tsx';
import type { HistoryColumn } from '../../state/find/history-view.ts';
import type { SearchResults } from '../../state/sessions/library-search.ts';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { withIndex } from '../../ui/hooks/use-virtual-rows.ts';
import { ArrowDown } from '../../ui/icons.tsx';
import { ArrowUp } from '../../ui/late-icons.tsx';
import { EntryRow } from './entry-row.tsx';
import { groupByDay, type HistoryEntry } from './history-entries.ts';
import type { EntryActions } from './use-entry-actions.ts';

interface EntryTableProps {
  entries: readonly HistoryEntry[];
  /** Time when the list was read, in epoch ms. */
  nowMs: number;
  /** Search matches in sessions. */
  matches: SearchResults | undefined;
  /** Search matches in trials. */
  trialMatches: ReadonlyMap<string, Snippet | undefined> | undefined;
  selectedIds: readonly string[];
  onSelect: (ids: readonly string[]) => void;
  actions: EntryActions;
}

/** Estimated heights of a row in px, until it is measured. */
const rowPx = 29;
const phoneRowPx = 85;
const columnCount = 7;

const headClasses = 'sticky top-0 z-1 h-7 bg-paper pr-3 text-left shadow-[inset_0_-1px_0_var(--line)]';

/**
 * Sessions, trials and embedding sets as a table, grouped by the day of their last use. Mounts only the visible rows and
 * the one that was focused last.
 */
export function EntryTable({
  entries,
  nowMs,
  matches,
  trialMatches,
  selectedIds,
  onSelect,
  actions,
}: EntryTableProps) {
  const sort = useHistoryView((view) => view.sort);
  const body = useRef<HTMLTableSectionElement>(null);
  const isPhone = useMediaQuery('(width < 600px)');
  const [focusedKey, setFocusedKey] = useState<string>();
  // Headings and entries in the order of the table.
  const items = useMemo(
    () =>
      groupByDay(entries, sort, nowMs).flatMap(
        ({ heading, entries: groupEntries }): (string | HistoryEntry)[] =>
          heading === undefined ? [...groupEntries] : [heading, ...groupEntries],
      ),
    [entries, sort, nowMs],
  );
  const focusedIndex = items.findIndex((item) => getKey(item) === focusedKey);
  const virtualizer = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    count: items.length,
    getScrollElement: () => body.current?.closest('table')?.parentElement ?? null,
    getItemKey: useCallback((index) => getKey(items[index]) ?? index, [items]),
    estimateSize: () => (isPhone ? phoneRowPx : rowPx),
    overscan: 12,
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), focusedIndex),
    useFlushSync: false,
  });
  useLayoutEffect(() => {
    for (const row of body.current?.rows ?? [])
      if (row.dataset['index'] !== undefined) virtualizer.measureElement(row);
  });
  const areAllSelected = selectedIds.length === entries.length;
  const selection = new Set(selectedIds);
  const toggle = (id: string) =>
    onSelect(
      selection.has(id) ? selectedIds.filter((selectedId) => selectedId !== id) : [...selectedIds, id],
    );
  return (
    <table className="w-full table-fixed border-collapse max-phone:block" aria-rowcount={items.length + 1}>
      <thead className="text-11 text-ink-3 max-phone:sr-only">
        <tr aria-rowindex={1}>
          <th scope="col" className={`${headClasses} w-11 pl-4`}>
            <Checkbox
              label="Select all"
              checked={areAllSelected}
              isMixed={selectedIds.length > 0 && !areAllSelected}
              onChange={() => onSelect(areAllSelected ? [] : entries.map(({ id }) => id))}
            />
          </th>
          <SortHead by="title" label="Title" />
          <SortHead by="turns" label="Messages" className="w-42 @max-4xl/page:hidden" />
          <SortHead by="models" label="Models" className="w-[30%]" />
          <SortHead by="when" label="Last used" className="w-26" startsDescending />
          <SortHead by="tokens" label="Tokens" className="w-26 text-right" startsDescending />
          <th scope="col" className={`${headClasses} w-32`}>
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody
        ref={body}
        className="max-phone:block"
        onFocus={({ target }) => setFocusedKey(getKey(items[Number(target.closest('tr')?.dataset['index'])]))}
      >
        {virtualizer.getVirtualItems().map(({ index, key, start }, place, mounted) => {
          const item = items[index];
          return (
            <Fragment key={key}>
              <Spacer height={start - (mounted[place - 1]?.end ?? 0)} />
              {typeof item === 'string' ? (
                <tr className="max-phone:block" data-index={index} aria-rowindex={index + 2}>
                  <th
                    scope="rowgroup"
                    colSpan={columnCount}
                    className="h-8 bg-bench px-4 text-left text-12 font-medium text-ink-2 max-phone:block max-phone:py-2"
                  >
                    {item}
                  </th>
                </tr>
              ) : (
                item && (
                  <EntryRow
                    index={index}
                    entry={item}
                    nowMs={nowMs}
                    matches={matches?.get(item.id)}
                    snippet={trialMatches?.get(item.id)}
                    isSelected={selection.has(item.id)}
                    onSelect={() => toggle(item.id)}
                    actions={actions}
                  />
                )
              )}
            </Fragment>
          );
        })}
        <Spacer height={virtualizer.getTotalSize() - (virtualizer.getVirtualItems().at(-1)?.end ?? 0)} />
      </tbody>
    </table>
  );
}

/** Returns the key of a heading or an entry. */
function getKey(item: string | HistoryEntry | undefined): string | undefined {
  return typeof item === 'object' ? item.id : item;
}

/** Takes the place of rows that are not mounted. */
function Spacer({ height }: { height: number }) {
  return height > 0 && <tr aria-hidden style={{ height }} />;
}

interface SortHeadProps {
  by: HistoryColumn;
  label: string;
  className?: string;
  startsDescending?: boolean;
}

/** Column header: a click sorts by the column, a second one reverses the order. */
function SortHead({ by, label, className = '', startsDescending = false }: SortHeadProps) {
  const { historyView } = useLibraryServices();
  const sort = useHistoryView((view) => view.sort);
  const isSorted = sort.by === by;
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={`${headClasses} ${className}`}
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className="inline-flex h-6 items-center gap-1 rounded-1 text-11 hover:text-ink aria-pressed:text-ink"
        aria-pressed={isSorted}
        onClick={() =>
          historyView.setState({
            sort: { by, descending: isSorted ? !sort.descending : startsDescending },
          })
        }
      >
        {label}
        {isSorted && <Arrow className="size-3" aria-hidden />}
      </button>
    </th>
  );
}
