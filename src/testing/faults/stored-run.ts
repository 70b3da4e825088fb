import { isRecord } from '../../lib/json.ts';

/** A run as the database has it, read past the app. */
export interface StoredRun {
  phase: { name: string; error?: Record<string, unknown> };
  choices: { parts: Record<string, unknown>[]; finishReason?: string }[];
  notes: { kind: string; count: number }[];
}

/** The runs of these records in the order of their turns. */
export function runsInOrder(turns: readonly unknown[], runs: readonly unknown[]): StoredRun[] {
  const bySeq = turns.filter(isRecord).toSorted((one, other) => Number(one['seq']) - Number(other['seq']));
  return bySeq.flatMap(({ reply }): StoredRun[] => {
    const run = runs.filter(isRecord).find(({ id }) => isRecord(reply) && id === reply['runId']);
    return isStoredRun(run) ? [run] : [];
  });
}

function isStoredRun(record: unknown): record is StoredRun {
  return (
    isRecord(record) &&
    isRecord(record['phase']) &&
    Array.isArray(record['choices']) &&
    Array.isArray(record['notes'])
  );
}

/** The parts of one kind, joined, by candidate; candidates without any are left out. */
export function saidBy(run: StoredRun, type: 'text' | 'thinking' | 'refusal'): Record<number, string> {
  return Object.fromEntries(
    run.choices.flatMap(({ parts }, index) => {
      const joined = parts
        .filter((part) => part['type'] === type)
        .map((part) => String(part['text']))
        .join('');
      return joined === '' ? [] : [[index, joined]];
    }),
  );
}

/** Candidate and slot, id, name, arguments of each call. */
export function callsOf(run: StoredRun): (string | undefined)[][] {
  return run.choices.flatMap(({ parts }, index) =>
    parts
      .filter((part) => part['type'] === 'tool-call')
      .map((part) => [
        `${index}/${String(part['slot'])}`,
        typeof part['id'] === 'string' ? part['id'] : undefined,
        String(part['name']),
        String(part['arguments']),
      ]),
  );
}
