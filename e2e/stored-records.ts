import type { Page } from 'playwright/test';

import { isRecord } from '../src/lib/json.ts';

/** Returns all records of one store, read without the app. */
export async function readStoredRecords(page: Page, store: string): Promise<Record<string, unknown>[]> {
  const records = await page.evaluate(
    (name) =>
      new Promise<unknown[]>((resolve, reject) => {
        const openRequest = indexedDB.open('bench');
        openRequest.addEventListener('error', () => reject(new Error('The database did not open')));
        openRequest.addEventListener('success', () => {
          const getAllRequest = openRequest.result.transaction(name).objectStore(name).getAll();
          getAllRequest.addEventListener('success', () => {
            openRequest.result.close();
            resolve(getAllRequest.result);
          });
        });
      }),
    store,
  );
  return records.filter(isRecord);
}

/** Returns the stored text of each run, in the order of the turns. */
export async function readStoredTexts(page: Page): Promise<string[]> {
  const [runIds, runs] = await Promise.all([readOrderedRunIds(page), readStoredRecords(page, 'runs')]);
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
export async function readLastStoredEvents(page: Page): Promise<string> {
  const [runIds, segments] = await Promise.all([readOrderedRunIds(page), readStoredRecords(page, 'tapes')]);
  return segments
    .filter(({ runId }) => runId === runIds.at(-1))
    .flatMap(({ entries }) => (Array.isArray(entries) ? entries : []))
    .map((entry: unknown) => (isRecord(entry) && typeof entry['data'] === 'string' ? entry['data'] : ''))
    .join('\n');
}

async function readOrderedRunIds(page: Page): Promise<unknown[]> {
  const turns = await readStoredRecords(page, 'turns');
  return turns
    .toSorted((a, b) => Number(a['seq']) - Number(b['seq']))
    .flatMap(({ reply }) => (isRecord(reply) ? [reply['runId']] : []));
}
