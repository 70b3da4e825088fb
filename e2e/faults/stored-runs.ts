import type { Page } from 'playwright/test';

import { isRecord } from '../../src/lib/json.ts';
import { runsInOrder, type StoredRun } from '../../src/testing/faults/stored-run.ts';

export { saidBy } from '../../src/testing/faults/stored-run.ts';

/** What is stored of the last session, read past the app: every run in the order of its turns. */
export async function storedRuns(page: Page): Promise<StoredRun[]> {
  const [turns, runs] = await Promise.all([storedRecords(page, 'turns'), storedRecords(page, 'runs')]);
  return runsInOrder(turns, runs);
}

/** What is stored of the events that the last run has received. */
export async function recordedLast(page: Page): Promise<string> {
  const [turns, segments] = await Promise.all([storedRecords(page, 'turns'), storedRecords(page, 'tapes')]);
  const last = turns.toSorted((one, other) => Number(one['seq']) - Number(other['seq'])).at(-1);
  const reply = last?.['reply'];
  return segments
    .filter(({ runId }) => isRecord(reply) && runId === reply['runId'])
    .flatMap(({ entries }) => (Array.isArray(entries) ? entries : []))
    .map((entry: unknown) => (isRecord(entry) && typeof entry['data'] === 'string' ? entry['data'] : ''))
    .join('\n');
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
