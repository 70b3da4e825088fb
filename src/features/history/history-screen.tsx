import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download, Plus, Search, Upload } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';

import { refusalWords } from '../../conversation/files/import-refusal.ts';
import { wordsOf } from '../../lib/error-words.ts';
import { formatBytes, plural } from '../../lib/format.ts';
import { tellBriefly } from '../../state/notices.ts';
import type { Playground } from '../../state/playground.ts';
import { usePlayground, useSessionState } from '../../state/react.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { chooseFiles } from '../../ui/display/choose-files.ts';
import { saveFile } from '../../ui/display/save-file.ts';
import { SessionTable } from './session-table.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { useSearch } from './use-search.ts';
import { useSessionActions } from './use-session-actions.ts';

import './history.css';

/** All sessions that are stored in this browser. */
export function HistoryScreen() {
  const playground = usePlayground();
  const isOpening = useStore(playground.storage, ({ mode }) => mode === 'opening');
  const damaged = useStore(playground.library.damaged, ({ count }) => count);
  const { data: sessions, error, refetch, dataUpdatedAt } = useSessions();
  const actions = useSessionActions();
  const [query, setQuery] = useState('');
  const { found, isSearching } = useSearch(sessions, query);
  const { isImporting, take } = useImport();
  const drop = useFileDrop((files) => void take(files));
  const listed = found ? (sessions ?? []).filter((session) => found.has(session.id)) : (sessions ?? []);
  const hasSessions = sessions !== undefined && sessions.length > 0;

  return (
    <main className="history" data-region {...drop.handlers}>
      <div className="bar">
        <h1>History</h1>
        <span className="meta" role="status">
          {sessions && !isOpening && countSentence(listed.length, sessions.length, isSearching)}
        </span>
        <span className="grow" />
        <label className="search">
          <Search className="i s" aria-hidden />
          <input
            type="search"
            aria-label="Search sessions"
            dir="auto"
            placeholder="Search titles and texts"
            spellCheck={false}
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || query === '') return;
              event.preventDefault();
              setQuery('');
            }}
          />
        </label>
        <span className="file-buttons">
          <Button
            look="quiet"
            aria-disabled={isImporting}
            onClick={() => !isImporting && chooseFiles('.json,application/json', (files) => void take(files))}
          >
            <Upload className="i s" aria-hidden />
            {isImporting ? 'Importing' : 'Import'}
          </Button>
          <Button
            look="quiet"
            aria-disabled={!hasSessions}
            title={hasSessions ? undefined : 'No sessions yet'}
            onClick={() => hasSessions && void exportAll(playground)}
          >
            <Download className="i s" aria-hidden />
            Export all
          </Button>
        </span>
        <Button look="ink" className="new" onClick={actions.create}>
          <Plus className="i s" aria-hidden />
          New session
        </Button>
      </div>
      <div className="screen">
        {error && <Unreadable message={error.message} onRetry={() => void refetch()} />}
        {damaged > 0 && (
          <p className="nothing">
            Could not read {plural(damaged, 'session')}: damaged. Nothing was deleted.
          </p>
        )}
        {isOpening && <p className="nothing">Only new sessions are listed until the others have loaded.</p>}
        {sessions && sessions.length === 0 && !isOpening && <Empty onCreate={actions.create} />}
        {hasSessions && listed.length === 0 && !isSearching && (
          <p className="nothing">
            No session has “{query.trim()}” in its title, models or texts.{' '}
            <button type="button" className="text-button" onClick={() => setQuery('')}>
              Show all
            </button>
          </p>
        )}
        {listed.length > 0 && (
          <SessionTable sessions={listed} now={dataUpdatedAt} found={found} actions={actions} />
        )}
      </div>
      {drop.isOver && <div className="drop-here">Drop a file exported by Bench to import its sessions</div>}
    </main>
  );
}

function countSentence(found: number, total: number, isSearching: boolean): string {
  if (total === 0) return '';
  if (isSearching && found === 0) return 'Searching';
  return found === total
    ? plural(total, 'session')
    : `${found.toLocaleString('en')} of ${plural(total, 'session')}`;
}

function Empty({ onCreate }: { onCreate: () => void }) {
  return (
    <div className="blank">
      <h2>No sessions yet</h2>
      <p>
        Sessions appear here after the first message. They stay in this browser. Use Import to load sessions
        exported from another one.
      </p>
      <div className="offers">
        <Button onClick={onCreate}>Start a session</Button>
      </div>
    </div>
  );
}

function Unreadable({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="blank">
      <h2>Could not load sessions</h2>
      <p>Nothing was changed. The browser says: {message}</p>
      <div className="offers">
        <Button onClick={onRetry}>Try again</Button>
      </div>
    </div>
  );
}

/** Saves every session in one file that can be imported again. */
async function exportAll(playground: Playground): Promise<void> {
  try {
    await save(playground);
  } catch (error) {
    playground.notices.setState({
      notice: { tone: 'problem', text: `Could not create the file: ${wordsOf(error)}` },
    });
  }
}

async function save({ files, recorder, notices }: Playground): Promise<void> {
  await recorder.flush();
  const exporter = files.exporter;
  const file = await exporter.json();
  if (!file) return;
  const name = 'bench-all-sessions.json';
  const bytes = saveFile(file.pieces, name, 'application/json');
  const live = file.isPartial ? ' Some answers were still streaming and are partial.' : '';
  const trials = file.trials === 0 ? '' : ` and ${plural(file.trials, 'trial')}`;
  const what = `${plural(file.sessions, 'session')} with ${plural(file.answers, 'answer')}${trials}`;
  tellBriefly(
    notices,
    `Saved ${name}: ${what}, ${formatBytes(bytes)}.${live} No key or gateway address is included.`,
  );
}

/** Takes files in one after the other; what is refused is said, what came in is offered to be taken back. */
function useImport(): { isImporting: boolean; take: (files: readonly File[]) => Promise<void> } {
  const { files: sessionFiles, notices } = usePlayground();
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
          notices.setState({ notice: { tone: 'problem', text: refusalWords(file.name, outcome) } });
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
