import type { Page } from 'playwright/test';

import { isRecord } from '../src/lib/json.ts';

/** Returns all records of one store, read without the app. */
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

/** Returns the stored text of each run, in the order of the turns. */
export async function storedTexts(page: Page): Promise<string[]> {
  const [runIds, runs] = await Promise.all([runIdsInOrder(page), storedRecords(page, 'runs')]);
  return runIds.flatMap((runId) => {
    const choices = runs.find(({ id }) => id === runId)?.['choices'];
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    const parts = isRecord(choice) ? choice['parts'] : undefined;
    if (!Array.isArray(parts)) return [];
    return parts
      .map((part: unknown) => (isRecord(part) && part['type'] === 'text' ? String(part['text']) : ''))
      .join('');
  });
}

/** Returns the stored events of the last run. */
export async function lastStoredEvents(page: Page): Promise<string> {
  const [runIds, segments] = await Promise.all([runIdsInOrder(page), storedRecords(page, 'tapes')]);
  return segments
    .filter(({ runId }) => runId === runIds.at(-1))
    .flatMap(({ entries }) => (Array.isArray(entries) ? entries : []))
    .map((entry: unknown) => (isRecord(entry) && typeof entry['data'] === 'string' ? entry['data'] : ''))
    .join('\n');
}

async function runIdsInOrder(page: Page): Promise<unknown[]> {
  const turns = await storedRecords(page, 'turns');
  return turns
    .toSorted((one, other) => Number(one['seq']) - Number(other['seq']))
    .flatMap(({ reply }) => (isRecord(reply) ? [reply['runId']] : []));
}
