import { Check } from 'lucide-react';

import { requestIdOf } from '../../../gateway/http/headers.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import { statusWords } from './status-words.ts';

interface HeadersListProps {
  answer: Extract<TapeEntry, { status: number }>;
  /** What we sent as X-Request-ID. */
  sentId: string | undefined;
}

/** Status and headers of an answer, unchanged. */
export function HeadersList({ answer, sentId }: HeadersListProps) {
  const returned = requestIdOf(answer.headers);
  return (
    <section className="heads-list" aria-label="Response headers">
      <header className="fl">
        <h3>Response headers</h3>
        <span className="grow" />
        <span className="mut">{statusWords(answer.status)}</span>
      </header>
      <dl className="hdr">
        {Object.entries(answer.headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {value}
              {returned !== undefined && value === sentId && returned === sentId && (
                <span className="ok2">
                  <Check className="i s" aria-hidden />
                  same as sent
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {Object.keys(answer.headers).length === 0 && <p className="nt">There are no headers to show.</p>}
    </section>
  );
}
