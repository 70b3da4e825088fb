import type { Page } from 'playwright/test';

import { isRecord } from '../../src/lib/json.ts';

/** A run as the database of the browser has it. */
export interface StoredRun {
  phase: { name: string; error?: Record<string, unknown> };
  choices: { parts: Record<string, unknown>[]; finishReason?: string }[];
  notes: { kind: string; count: number }[];
}

/** What is stored of the last session, read past the app: every run in the order of its turns. */
export async function storedRuns(page: Page): Promise<StoredRun[]> {
  const [turns, runs] = await Promise.all([storedRecords(page, 'turns'), storedRecords(page, 'runs')]);
  const bySeq = turns.toSorted((one, other) => Number(one['seq']) - Number(other['seq']));
  return bySeq.flatMap(({ reply }): StoredRun[] => {
    const run: unknown = runs.find(({ id }) => isRecord(reply) && id === reply['runId']);
    return isStoredRun(run) ? [run] : [];
  });
}

/** All records of one store. */
export async function storedRecords(page: Page, store: string): Promise<Record<string, unknown>[]> {
  const records = await page.evaluate(
    (name) =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('bench');
        opening.addEventListener('error', () => reject(new Error('The database did not open')));
        opening.addEventListener('success', () => {
          const asking = opening.result.transaction(name).objectStore(name).getAll();
          asking.addEventListener('success', () => {
            opening.result.close();
            resolve(asking.result);
          });
        });
      }),
    store,
  );
  return records.filter(isRecord);
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
