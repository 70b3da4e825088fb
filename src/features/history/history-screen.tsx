import { Plus, Search } from 'lucide-react';
import { useState } from 'react';

import { plural } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { searchSessions } from './search-sessions.ts';
import { SessionTable } from './session-table.tsx';
import { useSessionActions } from './use-session-actions.ts';
import { useSessions } from './use-sessions.ts';

import './history.css';

/** All sessions that are stored in this browser. */
export function HistoryScreen() {
  const { data: sessions, dataUpdatedAt, error, refetch } = useSessions();
  const actions = useSessionActions();
  const [query, setQuery] = useState('');
  const found = searchSessions(sessions ?? [], query);

  return (
    <main className="history">
      <div className="bar">
        <h1>History</h1>
        <span className="meta" role="status">
          {sessions && countSentence(found.length, sessions.length)}
        </span>
        <span className="grow" />
        <label className="search">
          <Search className="i s" aria-hidden />
          <input
            type="search"
            aria-label="Search sessions"
            placeholder="Search titles and models"
            spellCheck={false}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || query === '') return;
              event.preventDefault();
              setQuery('');
            }}
          />
        </label>
        <Button look="ink" onClick={() => void actions.create()}>
          <Plus className="i s" aria-hidden />
          New session
        </Button>
      </div>
      <div className="screen">
        {error && <Unreadable message={error.message} onRetry={() => void refetch()} />}
        {sessions && sessions.length === 0 && <Empty onCreate={() => void actions.create()} />}
        {sessions && sessions.length > 0 && found.length === 0 && (
          <p className="nothing">
            No session has “{query.trim()}” in its title or models.{' '}
            <button type="button" className="text-button" onClick={() => setQuery('')}>
              Show all
            </button>
          </p>
        )}
        {found.length > 0 && <SessionTable sessions={found} now={dataUpdatedAt} actions={actions} />}
      </div>
    </main>
  );
}

function countSentence(found: number, total: number): string {
  if (total === 0) return '';
  return found === total
    ? plural(total, 'session')
    : `${found.toLocaleString('en')} of ${plural(total, 'session')}`;
}

function Empty({ onCreate }: { onCreate: () => void }) {
  return (
    <div className="blank">
      <h2>Nothing is kept yet</h2>
      <p>A session is listed here once something was said in it. Sessions stay in this browser.</p>
      <div className="offers">
        <Button onClick={onCreate}>Start a session</Button>
      </div>
    </div>
  );
}

function Unreadable({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="blank">
      <h2>The sessions could not be read</h2>
      <p>Nothing was changed. The browser says: {message}</p>
      <div className="offers">
        <Button onClick={onRetry}>Read again</Button>
      </div>
    </div>
  );
}
