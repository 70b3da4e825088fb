import { Fragment, useState } from 'react';

import type { Snippet } from '../../conversation/files/text-search.ts';
import type { SessionId } from '../../conversation/session/types.ts';
import { formatCount } from '../../lib/format.ts';
import type { HistoryColumn } from '../../state/find/history-view.ts';
import type { SearchResults } from '../../state/sessions/library-search.ts';
import { useHistoryView, usePlayground } from '../../state/use-playground.tsx';
import { TextButton } from '../../ui/controls/button.tsx';
import { ArrowDown, ArrowUp } from '../../ui/icons.tsx';
import {
  groupByDay,
  isSessionEntry,
  isSetEntry,
  isTrialEntry,
  type HistoryEntry,
} from './history-entries.ts';
import { SessionRow } from './session-row.tsx';
import { SetRow } from './set-row.tsx';
import { TrialRow } from './trial-row.tsx';
import type { SessionActions } from './use-session-actions.ts';

interface SessionTableProps {
  entries: readonly HistoryEntry[];
  /** Time when the list was read, in epoch ms. */
  nowMs: number;
  /** Search matches in sessions. */
  matches: SearchResults | undefined;
  /** Search matches in trials. */
  trialMatches: ReadonlyMap<string, Snippet | undefined> | undefined;
  selectedSessionIds: readonly SessionId[];
  onSelect: (ids: readonly SessionId[]) => void;
  actions: SessionActions;
}

/** Maximum number of rows at first; more slow down every keystroke of the search. */
const maxInitialRows = 200;
const columnCount = 7;

const headClasses = 'sticky top-0 z-1 h-7 bg-paper pr-3 text-left shadow-[inset_0_-1px_0_var(--line)]';

/** Sessions, trials and embedding sets as a table, grouped by the day of their last use. */
export function SessionTable({
  entries,
  nowMs,
  matches,
  trialMatches,
  selectedSessionIds,
  onSelect,
  actions,
}: SessionTableProps) {
  const [isShowingAll, setShowingAll] = useState(false);
  const sort = useHistoryView((view) => view.sort);
  const visibleEntries = isShowingAll ? entries : entries.slice(0, maxInitialRows);
  const sessionIds = entries.filter(isSessionEntry).map(({ id }) => id);
  const areAllSelected = sessionIds.length > 0 && selectedSessionIds.length === sessionIds.length;
  const selectedIds = new Set(selectedSessionIds);
  const toggle = (id: SessionId) =>
    onSelect(
      selectedIds.has(id)
        ? selectedSessionIds.filter((selectedId) => selectedId !== id)
        : [...selectedSessionIds, id],
    );
  return (
    <>
      <table className="w-full table-fixed border-collapse max-phone:block">
        <thead className="text-11 text-ink-3 max-phone:sr-only">
          <tr>
            <th scope="col" className={`${headClasses} w-9 pl-4`}>
              <input
                type="checkbox"
                className="size-3.5 align-middle accent-ink"
                aria-label="Select all sessions"
                checked={areAllSelected}
                onChange={() => onSelect(areAllSelected ? [] : sessionIds)}
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
        <tbody className="max-phone:block">
          {groupByDay(visibleEntries, sort, nowMs).map(({ heading, entries: groupEntries }) => (
            <Fragment key={heading}>
              {heading !== undefined && (
                <tr className="max-phone:block">
                  <th
                    scope="rowgroup"
                    colSpan={columnCount}
                    className="h-8 bg-bench px-4 text-left text-12 font-medium text-ink-2 max-phone:block max-phone:py-2"
                  >
                    {heading}
                  </th>
                </tr>
              )}
              {groupEntries.map((entry) =>
                isTrialEntry(entry) ? (
                  <TrialRow
                    key={entry.id}
                    entry={entry}
                    nowMs={nowMs}
                    snippet={trialMatches?.get(entry.id)}
                  />
                ) : isSetEntry(entry) ? (
                  <SetRow key={entry.id} entry={entry} nowMs={nowMs} />
                ) : (
                  <SessionRow
                    key={entry.id}
                    session={entry}
                    nowMs={nowMs}
                    matches={matches?.get(entry.id)}
                    isSelected={selectedIds.has(entry.id)}
                    onSelect={() => toggle(entry.id)}
                    actions={actions}
                  />
                ),
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
      {visibleEntries.length < entries.length && (
        <p className="p-4 text-13 text-ink-2">
          Showing the first {formatCount(maxInitialRows)}.{' '}
          <TextButton onClick={() => setShowingAll(true)}>Show all {formatCount(entries.length)}</TextButton>
        </p>
      )}
    </>
  );
}

interface SortHeadProps {
  by: HistoryColumn;
  label: string;
  className?: string;
  startsDescending?: boolean;
}

/** Column header: a click sorts by the column, a second one reverses the order. */
function SortHead({ by, label, className = '', startsDescending = false }: SortHeadProps) {
  const { historyView } = usePlayground();
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
