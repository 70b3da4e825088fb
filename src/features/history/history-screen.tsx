import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useRef, useState } from 'react';
import { useStore } from 'zustand';

import { describeImportError } from '../../conversation/files/import-error.ts';
import { formatList, pluralize } from '../../lib/format.ts';
import { isBackupFile } from '../../state/backup/backup-format.ts';
import {
  useHistoryView,
  useSessionState,
  useLibraryServices,
  useAppServices,
  useRunServices,
} from '../../state/contexts.tsx';
import { Button, TextButton } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { DropHint } from '../../ui/display/drop-hint.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { openFileDialog } from '../../ui/display/open-file-dialog.ts';
import { lazyOverlay } from '../../ui/hooks/lazy-component.tsx';
import { useFileDrop } from '../../ui/hooks/use-file-drop.ts';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { Plus, Search, X } from '../../ui/icons.tsx';
import { Download, Upload } from '../../ui/late-icons.tsx';
import { EntryTable } from './entry-table.tsx';
import { describeKindCounts, filterEntries, toSetEntry, toTrialEntry } from './history-entries.ts';
import { HistoryFilters } from './history-filters.tsx';
import { useEntryActions } from './use-entry-actions.ts';
import { useHistorySets, useHistoryTrials, useSearch } from './use-history.ts';

const BackupDialog = lazyOverlay(
  'The backup',
  async () => (await import('./backup-dialog.tsx')).BackupDialog,
);
const ImportBackupDialog = lazyOverlay(
  'The backup',
  async () => (await import('./import-backup-dialog.tsx')).ImportBackupDialog,
);

/** All sessions, trials and embedding sets stored in this browser. */
export function HistoryScreen() {
  const { historyView, storage, library } = useLibraryServices();
  const isOpening = useStore(storage, ({ mode }) => mode === 'opening');
  const damagedCount = useStore(library.damagedCount, ({ count }) => count);
  const { data: sessions, error, refetch, dataUpdatedAt } = useSessions();
  const actions = useEntryActions();
  const view = useHistoryView((state) => state);
  const { query } = view;
  const { results, isSearching } = useSearch(sessions, query);
  const { isImporting, importFiles, openedBackup, closeBackup } = useImport();
  const [isExporting, setIsExporting] = useState(false);
  const fileDrop = useFileDrop((files) => void importFiles(files));
  const [checkedIds, setCheckedIds] = useState<readonly string[]>([]);
  const { trials, matches: trialMatches, error: trialsError, retry } = useHistoryTrials(query);
  const { sets, matchingIds: matchingSetIds } = useHistorySets(query);
  const allEntries = [...(sessions ?? []), ...trials.map(toTrialEntry), ...sets.map(toSetEntry)];
  const matchingIds = results && {
    has: (id: string) =>
      results.has(id) || trialMatches?.has(id) === true || matchingSetIds?.has(id) === true,
  };
  const filteredEntries = filterEntries(allEntries, view, matchingIds);
  const selectedEntries = filteredEntries.filter(({ id }) => checkedIds.includes(id));
  const hasEntries = sessions !== undefined && allEntries.length > 0;
  const kindsText = formatKinds(trials.length > 0, sets.length > 0);
  const clearFilters = () => historyView.setState({ query: '', model: undefined, mark: undefined });

  return (
    <main className="relative flex min-h-0 flex-col bg-paper" data-region {...fileDrop.handlers}>
      <div className="flex min-h-11 flex-none flex-wrap items-center gap-2 border-b border-line bg-bench px-4 max-phone:px-3 max-phone:py-2">
        <h1 className="text-13 font-semibold max-phone:pl-1 max-phone:text-18">History</h1>
        <span className="ml-1 text-12 text-ink-3 max-phone:hidden" role="status">
          {sessions &&
            !isOpening &&
            (isSearching && filteredEntries.length === 0
              ? 'Searching…'
              : describeKindCounts(filteredEntries, allEntries))}
        </span>
        <span className="grow" />
        <Button
          variant="ghost"
          disabled={isImporting}
          onClick={() => openFileDialog('.json,.jsonl,application/json', (files) => void importFiles(files))}
        >
          <Upload className="icon-14" aria-hidden />
          <span className="max-phone:sr-only">{isImporting ? 'Importing…' : 'Import'}</span>
        </Button>
        <Button variant="ghost" onClick={() => setIsExporting(true)}>
          <Download className="icon-14" aria-hidden />
          <span className="max-phone:sr-only">Export all</span>
        </Button>
        <Button variant="primary" onClick={actions.create}>
          <Plus className="icon-14" aria-hidden />
          New session
        </Button>
      </div>
      <div className="flex min-h-14 flex-none flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 max-phone:px-3">
        <SearchField />
        {selectedEntries.length > 0 && (
          <span className="flex min-w-0 items-center gap-1">
            <Button className="min-w-0 shrink" onClick={() => actions.exportEntries(selectedEntries)}>
              <Download className="icon-14" aria-hidden />
              <span className="truncate">Export {describeKindCounts(selectedEntries)}</span>
            </Button>
            <IconButton label="Clear selection" onClick={() => setCheckedIds([])}>
              <X className="icon-14" aria-hidden />
            </IconButton>
          </span>
        )}
        <span className="grow" />
        <HistoryFilters entries={allEntries} />
      </div>
      <div className="min-h-0 flex-1 [scrollbar-width:thin] [scrollbar-color:var(--line-2)_transparent] overflow-y-auto overscroll-contain bg-paper [overflow-anchor:none]">
        {error && <LoadError message={error.message} onRetry={() => void refetch()} />}
        {trialsError && (
          <p className="flex flex-wrap items-center gap-3 p-4 text-13 text-ink-2">
            Could not load trials. Nothing was changed. {trialsError.message}
            <Button onClick={retry}>Try again</Button>
          </p>
        )}
        {damagedCount > 0 && (
          <p className="p-4 text-13 text-ink-2">
            Could not read {pluralize(damagedCount, 'damaged session')}. Nothing was deleted.
          </p>
        )}
        {isOpening && (
          <p className="p-4 text-13 text-ink-2">
            Stored sessions are still loading. Only new ones are listed so far.
          </p>
        )}
        {sessions && !hasEntries && !isOpening && <EmptyHistory onCreate={actions.create} />}
        {hasEntries && filteredEntries.length === 0 && !isSearching && (
          <p className="p-4 text-13 text-ink-2">
            {query.trim() === ''
              ? `No ${kindsText} match these filters.`
              : `No ${kindsText} match “${query.trim()}”${view.model === undefined && view.mark === undefined ? '' : ' and these filters'}.`}{' '}
            <TextButton onClick={clearFilters}>Show all</TextButton>
          </p>
        )}
        {filteredEntries.length > 0 && (
          <EntryTable
            entries={filteredEntries}
            nowMs={dataUpdatedAt}
            matches={results}
            trialMatches={trialMatches}
            selectedIds={selectedEntries.map(({ id }) => id)}
            onSelect={setCheckedIds}
            actions={actions}
          />
        )}
      </div>
      {isExporting && <BackupDialog onClose={() => setIsExporting(false)} />}
      {openedBackup && <ImportBackupDialog {...openedBackup} onClose={closeBackup} />}
      {fileDrop.isDragOver && <DropHint>Drop a Bench export file here to import it</DropHint>}
    </main>
  );
}

function SearchField() {
  const { historyView } = useLibraryServices();
  const query = useHistoryView((state) => state.query);
  const input = useRef<HTMLInputElement>(null);
  // A touch keyboard would cover the list.
  const isTouch = useMediaQuery('(pointer: coarse) and (hover: none)');
  return (
    <span className="relative flex w-[min(420px,100%)] items-center max-phone:w-full">
      <Search className="pointer-events-none absolute left-2.5 icon-14 text-ink-3" aria-hidden />
      <input
        ref={input}
        type="search"
        aria-label="Search history"
        className="h-8 w-full rounded-2 border border-edge bg-raised pr-8 pl-8 max-phone:h-11 max-phone:text-[16px] [&::-webkit-search-cancel-button]:hidden"
        dir="auto"
        placeholder="Search titles, models and texts"
        spellCheck={false}
        autoFocus={!isTouch}
        value={query}
        onInput={(event) => historyView.setState({ query: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || query === '') return;
          event.preventDefault();
          historyView.setState({ query: '' });
        }}
      />
      {query !== '' && (
        <IconButton
          size="small"
          label="Clear search"
          className="absolute right-1"
          onClick={() => {
            input.current?.focus();
            historyView.setState({ query: '' });
          }}
        >
          <X className="icon-14" aria-hidden />
        </IconButton>
      )}
    </span>
  );
}

function formatKinds(hasTrials: boolean, hasSets: boolean): string {
  return formatList(
    ['sessions', ...(hasTrials ? ['trials'] : []), ...(hasSets ? ['embedding sets'] : [])],
    'or',
  );
}

function EmptyHistory({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      scope="part"
      title="No sessions yet"
      texts={[
        'Your sessions, trials and embeddings are saved in this browser. Use “Import” to load an export from another browser.',
      ]}
    >
      <Button onClick={onCreate}>Start a session</Button>
    </EmptyState>
  );
}

function LoadError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <EmptyState
      scope="part"
      title="Could not load sessions"
      texts={[`Nothing was changed. The browser reports: ${message}`]}
    >
      <Button onClick={onRetry}>Try again</Button>
    </EmptyState>
  );
}

/**
 * Returns a function that imports files one by one and shows a notice for each rejected file. The last backup among them
 * is opened, because what to import from it is the user's choice.
 */
function useImport() {
  const { sessionFiles, loadBackup } = useLibraryServices();
  const { notices } = useAppServices();
  const [isImporting, setIsImporting] = useState(false);
  const [openedBackup, setOpenedBackup] =
    useState<Pick<ComponentProps<typeof ImportBackupDialog>, 'file' | 'preview' | 'hasOwnSettings'>>();

  async function openBackup(file: File) {
    const backup = await loadBackup();
    const preview = await backup.preview(file);
    if (preview.ok) setOpenedBackup({ file, preview, hasOwnSettings: backup.hasOwnSettings() });
    return preview;
  }

  return {
    isImporting,
    openedBackup,
    closeBackup: () => setOpenedBackup(undefined),
    importFiles: async (files: readonly File[]) => {
      if (files.length === 0) return;
      setIsImporting(true);
      notices.setState({ notice: undefined });
      for (const file of files) {
        const outcome = (await isBackupFile(file))
          ? await openBackup(file)
          : await sessionFiles.importFile(file);
        if (!outcome.ok)
          notices.setState({
            notice: { severity: 'problem', text: describeImportError(file.name, outcome) },
          });
      }
      setIsImporting(false);
    },
  };
}

/** Returns the stored sessions, newest first; reloads them after every change, including the end of a run. */
function useSessions() {
  const { library } = useLibraryServices();
  const { recorder } = useRunServices();
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
    // Another tab may have changed the sessions in the meantime, and results for previous keys are useless.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}
