import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useStore } from 'zustand';

import { describeImportError } from '../../conversation/files/import-error.ts';
import type { SessionId } from '../../conversation/session/types.ts';
import { formatCount, pluralize } from '../../lib/format.ts';
import { useHistoryView, usePlayground, useSessionState } from '../../state/use-playground.tsx';
import { classes } from '../../ui/cn.ts';
import { Button, textButtonLook } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Blank, screenLook } from '../../ui/display/empty-state.tsx';
import { chooseFiles } from '../../ui/display/open-file-dialog.ts';
import { useFileDrop } from '../../ui/hooks/use-file-drop.ts';
import { Download, Plus, Search, Upload, X } from '../../ui/icons.tsx';
import { isSetEntry, isTrialEntry, listedEntries, setEntry, trialEntry } from './history-entries.ts';
import { HistoryFilters } from './history-filters.tsx';
import { SessionTable } from './session-table.tsx';
import { useHistorySets } from './use-history-sets.ts';
import { useHistoryTrials } from './use-history-trials.ts';
import { useSearch } from './use-search.ts';
import { useSessionActions } from './use-session-actions.ts';

/** All sessions, trials and embedding sets that are stored in this browser. */
export function HistoryScreen() {
  const { historyView, storage, library } = usePlayground();
  const isOpening = useStore(storage, ({ mode }) => mode === 'opening');
  const damaged = useStore(library.damagedCount, ({ count }) => count);
  const { data: sessions, error, refetch, dataUpdatedAt } = useSessions();
  const actions = useSessionActions();
  const view = useHistoryView((state) => state);
  const { query } = view;
  const { found, isSearching } = useSearch(sessions, query);
  const { isImporting, take } = useImport();
  const drop = useFileDrop((files) => void take(files));
  const [chosen, setChosen] = useState<readonly SessionId[]>([]);
  const { trials, found: foundTrials, error: trialsError, again } = useHistoryTrials(query);
  const { sets, found: foundSets } = useHistorySets(query);
  const all = [...(sessions ?? []), ...trials.map(trialEntry), ...sets.map(setEntry)];
  const isFound = found && {
    has: (id: string) => found.has(id) || foundTrials?.has(id) === true || foundSets?.has(id) === true,
  };
  const listed = listedEntries(all, view, isFound);
  const listedTrials = listed.filter(isTrialEntry).length;
  const listedSets = listed.filter(isSetEntry).length;
  const selected = listed.filter(({ id }) => chosen.includes(id)).map(({ id }) => id);
  const hasAny = sessions !== undefined && all.length > 0;
  const kinds = kindWords(trials.length > 0, sets.length > 0);
  const showAll = () => historyView.setState({ query: '', model: undefined, mark: undefined });

  return (
    <main className="relative flex min-h-0 flex-col bg-paper" data-region {...drop.handlers}>
      <div className="flex min-h-11 flex-none flex-wrap items-center gap-2 border-b border-line bg-bench px-4 max-phone:px-3 max-phone:py-2">
        <h1 className="text-13 font-semibold max-phone:pl-1 max-phone:text-18">History</h1>
        <span className="ml-1 text-12 text-ink-3 max-phone:hidden" role="status">
          {sessions &&
            !isOpening &&
            countWords(
              [
                { noun: 'session', found: listed.length - listedTrials - listedSets, total: sessions.length },
                { noun: 'trial', found: listedTrials, total: trials.length },
                { noun: 'embedding set', found: listedSets, total: sets.length },
              ],
              isSearching,
            )}
        </span>
        <span className="grow" />
        <Button
          look="quiet"
          aria-disabled={isImporting}
          onClick={() => !isImporting && chooseFiles('.json,application/json', (files) => void take(files))}
        >
          <Upload className="icon-14" aria-hidden />
          {isImporting ? 'Importing' : 'Import'}
        </Button>
        <Button
          look="quiet"
          aria-disabled={!hasAny}
          title={hasAny ? undefined : 'Nothing to export yet'}
          onClick={() => hasAny && actions.save(undefined)}
        >
          <Download className="icon-14" aria-hidden />
          Export all
        </Button>
        <Button look="ink" onClick={actions.create}>
          <Plus className="icon-14" aria-hidden />
          New session
        </Button>
      </div>
      <div className="flex min-h-14 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 max-phone:px-3">
        <SearchField />
        {selected.length > 0 && (
          <span className="flex items-center gap-1">
            <Button onClick={() => actions.save(selected)}>
              <Download className="icon-14" aria-hidden />
              Export {pluralize(selected.length, 'session')}
            </Button>
            <IconButton label="Clear the selection" onClick={() => setChosen([])}>
              <X className="icon-14" aria-hidden />
            </IconButton>
          </span>
        )}
        <span className="grow" />
        <HistoryFilters all={all} />
      </div>
      <div className={classes('flex-1', screenLook)}>
        {error && <Unreadable message={error.message} onRetry={() => void refetch()} />}
        {trialsError && (
          <p className="flex flex-wrap items-center gap-3 p-4 text-13 text-ink-2">
            Could not load trials. Nothing was changed. {trialsError.message}
            <Button onClick={again}>Try again</Button>
          </p>
        )}
        {damaged > 0 && (
          <p className="p-4 text-13 text-ink-2">
            Could not read {pluralize(damaged, 'session')}: damaged. Nothing was deleted.
          </p>
        )}
        {isOpening && (
          <p className="p-4 text-13 text-ink-2">Only new sessions are listed until the others have loaded.</p>
        )}
        {sessions && !hasAny && !isOpening && <Empty onCreate={actions.create} />}
        {hasAny && listed.length === 0 && !isSearching && (
          <p className="p-4 text-13 text-ink-2">
            {query.trim() === ''
              ? `No ${kinds} has this model and mark.`
              : `No ${kinds} has “${query.trim()}” in its title, models or texts${view.model === undefined && view.mark === undefined ? '' : ', with this model and mark'}.`}{' '}
            <button type="button" className={textButtonLook} onClick={showAll}>
              Show all
            </button>
          </p>
        )}
        {listed.length > 0 && (
          <SessionTable
            entries={listed}
            now={dataUpdatedAt}
            found={found}
            foundTrials={foundTrials}
            selected={selected}
            onSelect={setChosen}
            actions={actions}
          />
        )}
      </div>
      {drop.isOver && (
        <div className="pointer-events-none absolute inset-2 z-2 grid place-items-center rounded-3 border-2 border-dashed border-edge bg-paper/92 text-18">
          Drop a file exported by Bench to import its sessions
        </div>
      )}
    </main>
  );
}

function SearchField() {
  const { historyView } = usePlayground();
  const query = useHistoryView((state) => state.query);
  return (
    <label className="relative flex w-[min(420px,100%)] items-center max-phone:w-full">
      <Search className="pointer-events-none absolute left-2.5 icon-14 text-ink-3" aria-hidden />
      <input
        type="search"
        aria-label="Search sessions"
        className="h-8 w-full rounded-2 border border-edge bg-raised pr-2 pl-8 max-phone:h-11 max-phone:text-[16px]"
        dir="auto"
        placeholder="Search titles and texts"
        spellCheck={false}
        value={query}
        onInput={(event) => historyView.setState({ query: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || query === '') return;
          event.preventDefault();
          historyView.setState({ query: '' });
        }}
      />
    </label>
  );
}

interface Count {
  noun: string;
  found: number;
  total: number;
}

const asList = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const asChoice = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** "3 sessions, 1 of 2 trials and 1 embedding set" */
function countWords(counts: readonly Count[], isSearching: boolean): string {
  const some = counts.filter(({ total }) => total > 0);
  if (some.length === 0) return '';
  if (isSearching && some.every(({ found }) => found === 0)) return 'Searching';
  return asList.format(
    some.map(({ noun, found, total }) =>
      found === total ? pluralize(total, noun) : `${formatCount(found)} of ${pluralize(total, noun)}`,
    ),
  );
}

function kindWords(hasTrials: boolean, hasSets: boolean): string {
  return asChoice.format(['session', ...(hasTrials ? ['trial'] : []), ...(hasSets ? ['embedding set'] : [])]);
}

function Empty({ onCreate }: { onCreate: () => void }) {
  return (
    <Blank
      of="part"
      title="No sessions yet"
      texts={[
        'Sessions appear here after the first message. They stay in this browser. Use Import to load sessions exported from another one.',
      ]}
    >
      <Button onClick={onCreate}>Start a session</Button>
    </Blank>
  );
}

function Unreadable({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <Blank
      of="part"
      title="Could not load sessions"
      texts={[`Nothing was changed. The browser says: ${message}`]}
    >
      <Button onClick={onRetry}>Try again</Button>
    </Blank>
  );
}

/** Takes files in one after the other; what is refused is said, what came in is offered to be taken back. */
function useImport(): { isImporting: boolean; take: (files: readonly File[]) => Promise<void> } {
  const { sessionFiles, notices } = usePlayground();
  const [isImporting, setIsImporting] = useState(false);
  return {
    isImporting,
    take: async (files) => {
      if (files.length === 0) return;
      setIsImporting(true);
      notices.setState({ notice: undefined });
      for (const file of files) {
        const outcome = await sessionFiles.importFile(file);
        if (!outcome.ok)
          notices.setState({
            notice: { severity: 'problem', text: describeImportError(file.name, outcome) },
          });
      }
      setIsImporting(false);
    },
  };
}

/** The stored sessions, newest first; read again whenever one of them changed, also by a run that ends. */
function useSessions() {
  const { library, recorder } = usePlayground();
  const changes = useStore(library.changes, (state) => state.count);
  const stamps = useSessionState((state) =>
    Object.values(state.open)
      .map(({ session }) => `${session.id} ${session.updatedAt} ${session.title}`)
      .join('\n'),
  );
  return useQuery({
    queryKey: ['sessions', changes, stamps],
    queryFn: async () => {
      await recorder.flush();
      return library.list();
    },
    placeholderData: keepPreviousData,
    // Another tab may have written since; what an old key held is of no use to anyone.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}
