import { useState } from 'react';

import type { Session } from '../../conversation/session/types.ts';
import { formatCount } from '../../lib/format.ts';
import type { Found } from '../../state/sessions/library-search.ts';
import { SessionRow } from './session-row.tsx';
import type { SessionActions } from './use-session-actions.ts';

interface SessionTableProps {
  sessions: readonly Session[];
  /** When the list was read, in epoch milliseconds. */
  now: number;
  /** Where a search found its words. */
  found: Found | undefined;
  actions: SessionActions;
}

/** More rows than anyone reads cost time at every key of the search. */
const firstRows = 200;

/** The sessions as a plain table, newest first. */
export function SessionTable({ sessions, now, found, actions }: SessionTableProps) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? sessions : sessions.slice(0, firstRows);
  return (
    <>
      <table className="sessions">
        <thead>
          <tr>
            <th scope="col">Title</th>
            <th scope="col">Kind</th>
            <th scope="col">Models</th>
            <th scope="col">When</th>
            <th scope="col" className="n">
              Tokens
            </th>
            <th scope="col">
              <span className="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              now={now}
              snippet={found?.get(session.id)}
              actions={actions}
            />
          ))}
        </tbody>
      </table>
      {shown.length < sessions.length && (
        <p className="nothing">
          The newest {formatCount(firstRows)} are shown.{' '}
          <button type="button" className="text-button" onClick={() => setShowsAll(true)}>
            Show all {formatCount(sessions.length)}
          </button>
        </p>
      )}
    </>
  );
}
