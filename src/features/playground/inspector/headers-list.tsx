import { findRequestId } from '../../../gateway/http/headers.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import { statusWords } from './format-status.ts';
import { Fact, Facts, PanelHead, PanelNote, SameAsSent } from './panel-layout.tsx';

interface HeadersListProps {
  answer: Extract<TapeEntry, { status: number }>;
  /** What we sent as X-Request-ID. */
  sentId: string | undefined;
}

/** Status and headers of an answer, unchanged. */
export function HeadersList({ answer, sentId }: HeadersListProps) {
  const returned = findRequestId(answer.headers);
  return (
    <section className="mt-2.5 border-t border-line" aria-label="Response headers">
      <PanelHead title="Response headers" note={statusWords(answer.status)} />
      <Facts>
        {Object.entries(answer.headers).map(([name, value]) => (
          <Fact key={name} name={name} value={value}>
            {returned !== undefined && value === sentId && returned === sentId && <SameAsSent />}
          </Fact>
        ))}
      </Facts>
      {Object.keys(answer.headers).length === 0 && <PanelNote>There are no headers to show.</PanelNote>}
    </section>
  );
}
