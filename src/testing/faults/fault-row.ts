import type { FaultAnswer } from './fault-gateway.ts';

/** What a reply comes to, on screen and stored. */
export interface FaultOutcome {
  /** `data-status`, and the name of the stored phase. */
  status: 'complete' | 'truncated' | 'failed';
  /** The group in which it is said; `none`: there is neither an error nor a note. */
  group?: 'Error' | 'Note' | 'none';
  /** Words that must be in the reply. */
  says?: readonly (string | RegExp)[];
  /** Words that must not. */
  never?: readonly string[];
  /** Stored texts by candidate, byte for byte. `{}`: none. */
  text?: Record<number, string>;
  thinking?: Record<number, string>;
  refusal?: Record<number, string>;
  /** Candidate and slot, id, name, arguments. */
  tools?: (string | undefined)[][];
  /** Stored notes by kind; absent: not looked at. */
  notes?: Record<string, number>;
  /** What the stored error holds at least. */
  error?: Record<string, unknown>;
  finishReason?: string;
}

/** One row of faults.md section 3 in the browser. A row is added by adding it to a list. */
export interface FaultRow {
  name: string;
  answer: FaultAnswer;
  outcome: FaultOutcome;
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const choice = (value: object) =>
  event({
    id: 'c-1',
    object: 'chat.completion.chunk',
    model: 'north/one',
    choices: [{ index: 0, ...value }],
  });

/** The shorthand of faults.md section 0. */
export const said = {
  event,
  /** r */
  role: choice({ delta: { role: 'assistant' }, finish_reason: null }),
  /** c("…") */
  text: (text: string) => choice({ delta: { content: text }, finish_reason: null }),
  delta: (delta: object) => choice({ delta, finish_reason: null }),
  /** f("…") */
  finish: (reason = 'stop') => choice({ delta: {}, finish_reason: reason }),
  /** u */
  usage: event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } }),
  /** D */
  done: 'data: [DONE]\n\n',
};

/** ok */
export const wholeAnswer = said.role + said.text('Hel') + said.text('lo') + said.finish() + said.done;
