import { findRequestId } from '../../gateway/http/headers.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { formatStatus } from './format-status.ts';
import { DefinitionItem, DefinitionList, PanelHeader, PanelNote, SameAsSent } from './panel-layout.tsx';

interface HeadersListProps {
  response: Extract<TapeEntry, { status: number }>;
  /** Value of X-Request-ID in the request. */
  sentRequestId: string | undefined;
}

/** Unmodified status and headers of a response. */
export function HeadersList({ response, sentRequestId }: HeadersListProps) {
  const returnedRequestId = findRequestId(response.headers);
  return (
    <section className="mt-2.5 border-t border-line" aria-label="Response headers">
      <PanelHeader title="Response headers" note={formatStatus(response.status)} />
      <DefinitionList>
        {Object.entries(response.headers).map(([name, value]) => (
          <DefinitionItem key={name} name={name} value={value}>
            {returnedRequestId !== undefined &&
              value === sentRequestId &&
              returnedRequestId === sentRequestId && <SameAsSent />}
          </DefinitionItem>
        ))}
      </DefinitionList>
      {Object.keys(response.headers).length === 0 && <PanelNote>No headers to show.</PanelNote>}
    </section>
  );
}
