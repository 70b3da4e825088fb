import { isDeepStrictEqual } from 'node:util';

import type { FaultOutcome } from './fault-row.ts';
import { callsOf, saidBy, type StoredRun } from './stored-run.ts';

/** What of a stored run is not as its row says; empty where all is. */
export function unlike(run: StoredRun, outcome: FaultOutcome): string[] {
  const found: string[] = [];
  const compare = (what: string, is: unknown, wanted: unknown) => {
    if (wanted !== undefined && !isDeepStrictEqual(is, wanted))
      found.push(`${what} is ${shortened(is)} and not ${shortened(wanted)}`);
  };
  compare('status', run.phase.name, outcome.status);
  for (const type of ['text', 'thinking', 'refusal'] as const)
    compare(type, saidBy(run, type), outcome[type]);
  compare('calls', callsOf(run), outcome.tools);
  compare('notes', Object.fromEntries(run.notes.map(({ kind, count }) => [kind, count])), outcome.notes);
  for (const [name, wanted] of Object.entries(outcome.error ?? {}))
    compare(`error.${name}`, run.phase.error?.[name], wanted);
  compare('finish reason', run.choices[0]?.finishReason, outcome.finishReason);
  return found;
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
