import type { ErrorReport } from './errors.ts';
import type { TapeEnd } from './tape.ts';
import type { Usage } from './wire.ts';

/** What may be said beside an answer without being an error. `count` events of that kind so far. */
export type NoteKind =
  | 'not-streamed'
  | 'unreadable-event'
  | 'joined-events'
  | 'skipped-value'
  | 'unlabelled-stream'
  | 'after-done'
  | 'cut-character'
  | 'lost-after-end'
  | 'unterminated-event';

/** One thing a model said, as one vocabulary; nothing above gateway/ sees a wire chunk. */
export type StreamEvent =
  /** `ok` is false for an HTTP error status; the error event follows with its body. */
  | { type: 'response-start'; status: number; ok: boolean; headers: Record<string, string>; requestId?: string }
  | { type: 'identity'; id?: string; model?: string; created?: number }
  | { type: 'text-delta'; choice: number; text: string }
  | { type: 'thinking-delta'; choice: number; text: string }
  | { type: 'refusal-delta'; choice: number; text: string }
  /** `slot` says which call of this choice it belongs to: the reader has already resolved late or missing ids and reused indexes. */
  | { type: 'tool-call-delta'; choice: number; slot: number; id?: string; name?: string; arguments?: string }
  | { type: 'choice-end'; choice: number; reason: string }
  | { type: 'usage'; usage: Usage }
  | { type: 'error'; report: ErrorReport }
  | { type: 'keep-alive'; comment: string }
  | { type: 'done' }
  | { type: 'note'; note: NoteKind; detail?: string }
  /** The transport ended. A clean end proves nothing: conversation/run.ts decides the phase. */
  | { type: 'end'; end: TapeEnd; report?: ErrorReport };
