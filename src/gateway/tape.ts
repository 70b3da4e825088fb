import type { ErrorReport } from './errors.ts';
import type { ChatRequest } from './wire.ts';

/**
 * One thing that went over the wire, in order. `at` is monotonic milliseconds since our own POST.
 * A tape starts with `request`, then usually `status`, then events (`data`, `comment`) or one `body`
 * (an answer that was no event stream), and has exactly one `end`.
 */
export type TapeEntry = { at: number } & (
  | { request: ChatRequest; requestId: string }
  | { status: number; headers: Record<string, string> }
  /** The data of one server-sent event. `unterminated`: the stream ended before its blank line. */
  | { data: string; event?: string; unterminated?: true }
  | { comment: string }
  /** An answer that is not an event stream; `cut` when the connection broke or only the first part was read. */
  | { body: string; cut?: true }
  /** Closed by the other side, aborted by us, lost on the way, or given up by a timeout. */
  | { end: TapeEnd; error?: ErrorReport }
);

export type TapeEnd = 'closed' | 'aborted' | 'lost' | 'timeout';
