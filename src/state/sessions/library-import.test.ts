import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { SessionData } from '../../conversation/session/types.ts';
import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import {
  createTestEnvironment,
  createTextChoices,
  createTestSession,
  addTestTurn,
} from '../../testing/builders.ts';
import { arbitrarySession } from '../../testing/cases/arbitrary-sessions.ts';
import { createCases } from '../../testing/open-trials.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { createTestTrial } from '../../testing/trials.ts';
import { emptyInput } from '../lab/lab-input.ts';
import { buildTrialDraftWrites } from '../trials/repository/trial-records.ts';
import { buildSessionWrites } from './autosave.ts';
import { createLibraryExport } from './library-export.ts';
import { importFile, importText } from './library-import.ts';
import { createLibrary } from './library.ts';
import { createSessionStore } from './session-store.ts';

/** Creates the store and importer of one browser. */
function createBrowserStore(
  records: RecordStore = createMemoryRecordStore(),
  claimedRunIds = new Set<string>(),
) {
  const environment = createTestEnvironment();
  const store = createSessionStore();
  const library = createLibrary(records, environment, () => Promise.resolve(claimedRunIds));
  const exporter = createLibraryExport(library, records, store);
  const newId = () => `fresh-${environment.newId()}`;
  const exportText = async (id?: string) => {
    const file = await exporter.buildJson(id ?? (await records.listKeys('sessions')).toSorted());
    return file?.pieces.join('');
  };
  return {
    records,
    store,
    library,
    exporter,
    exportText,
    newId,
    importFileText: (text: string) => importText(records, text, newId),
  };
}

function createAnsweredSession(prefix = ''): SessionData {
  const environment = createTestEnvironment();
  const { data } = addTestTurn(
    createTestSession({ ...environment, newId: () => prefix + environment.newId() }),
    environment,
    'One',
    createTextChoices('1'),
  );
  return { ...data, session: { ...data.session, summary: { models: ['demo/guide'], prompts: 1 } } };
}

async function readEverything(records: RecordStore): Promise<unknown[]> {
  const stores = ['sessions', 'lanes', 'prompts', 'turns', 'runs', 'images'] as const;
  return (await Promise.all(stores.map((store) => records.scan(store, 1000)))).flat();
}

describe('sessions imported from another browser', () => {
  it('exports an imported session with the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(arbitrarySession, {
          minLength: 1,
          maxLength: 2,
          selector: (data) => data.session.id.split('-')[0],
        }),
        async (sessions) => {
          const [source, target] = [createBrowserStore(), createBrowserStore()];
          await source.records.write(sessions.flatMap(buildSessionWrites));
          const text = (await source.exportText()) ?? '';
          const outcome = await target.importFileText(text);
          expect(outcome).toMatchObject({ ok: true });
          expect(await target.exportText()).toBe(text);
        },
      ),
      { numRuns: getCaseCount(30) },
    );
  });

  it('imports images and stores each once', async () => {
    const [source, target] = [createBrowserStore(), createBrowserStore()];
    const bytes = new TextEncoder().encode('not much of a picture');
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const hash = Buffer.from(digest).toString('hex');
    const data = createAnsweredSession();
    const [prompt] = Object.values(data.prompts);
    if (!prompt) throw new Error('The prompt is missing');
    const content = [{ type: 'image_url' as const, image_url: { url: `bench-image:${hash}` } }];
    await source.records.write([
      ...buildSessionWrites(data),
      { store: 'prompts', put: { ...prompt, messages: [{ role: 'user', content }] } },
      { store: 'images', put: { hash, blob: new Blob([bytes], { type: 'image/png' }) } },
    ]);
    const text = (await source.exportText()) ?? '';
    expect(text).toContain(`"${hash}": "data:image/png;base64,`);
    expect(await target.importFileText(text)).toMatchObject({ ok: true });
    expect(await target.exportText()).toBe(text);
    expect(await target.importFileText(text)).toMatchObject({ ok: true });
    expect(await target.records.listKeys('images')).toEqual([hash]);
  });

  it('rejects an image that does not match its hash', async () => {
    const target = createBrowserStore();
    const source = createBrowserStore();
    await source.records.write(buildSessionWrites(createAnsweredSession()));
    const text = ((await source.exportText()) ?? '').replace(
      '\n  ]\n}',
      `\n  ],\n  "images": {"${'c'.repeat(64)}": "data:image/png;base64,AAAA"}\n}`,
    );
    expect(await target.importFileText(text)).toEqual({
      ok: false,
      reason: 'An image in it does not match its hash.',
    });
    expect(await readEverything(target.records)).toEqual([]);
  });
});

describe('an import into existing data', () => {
  it('keeps a stored record if a file contains a record of another session with the same ID', async () => {
    const [source, target] = [createBrowserStore(), createBrowserStore()];
    await target.records.write(buildSessionWrites(createAnsweredSession()));
    const before = await readEverything(target.records);
    // The file has another session ID but the same run and turn IDs.
    const foreign = createAnsweredSession();
    await source.records.write(buildSessionWrites(foreign));
    const rewritten = ((await source.exportText()) ?? '').replaceAll(`"${foreign.session.id}"`, '"theirs"');
    expect(await target.importFileText(rewritten)).toMatchObject({ ok: true });
    expect(await readEverything(target.records)).toEqual(expect.arrayContaining(before));
  });

  it('stores nothing if the store rejects one record', async () => {
    const memory = createMemoryRecordStore();
    const fullStore: RecordStore = { ...memory, write: () => Promise.reject(new Error('The disk is full')) };
    const source = createBrowserStore();
    await source.records.write(buildSessionWrites(createAnsweredSession()));
    const target = createBrowserStore(fullStore);
    expect(await target.importFileText((await source.exportText()) ?? '')).toEqual({
      ok: false,
      reason: 'It could not be stored: The disk is full',
    });
    expect(await readEverything(memory)).toEqual([]);
  });

  it('stores nothing from a file that is damaged at its end', async () => {
    const source = createBrowserStore();
    await source.records.write([
      ...buildSessionWrites(createAnsweredSession('a-')),
      ...buildSessionWrites(createAnsweredSession('b-')),
    ]);
    const text = (await source.exportText()) ?? '';
    const target = createBrowserStore();
    expect(await target.importFileText(text.slice(0, -3))).toMatchObject({ ok: false });
    const last = text.lastIndexOf('"deltas": 1');
    expect(
      await target.importFileText(`${text.slice(0, last)}"deltas": -1${text.slice(last + 11)}`),
    ).toMatchObject({
      ok: false,
      path: 'sessions[1].runs[0].deltas',
    });
    expect(await readEverything(target.records)).toEqual([]);
  });

  it('reports a file without sessions, and rejects a file over 100 MB without reading it', async () => {
    const target = createBrowserStore();
    expect(
      await target.importFileText('{"format":"bench-sessions","version":1,"sessions":[]}'),
    ).toMatchObject({
      reason: 'It contains no session.',
    });
    const large = Object.defineProperty(new File(['{}'], 'large.json'), 'size', { value: 100_000_001 });
    expect(await importFile(large, { records: target.records, newId: target.newId })).toEqual({
      ok: false,
      reason: 'It is 100.0 MB; the limit is 100.0 MB.',
    });
  });
});

describe('importing a large file', () => {
  const [large, small] = [1_000_001, 1_000_000].map(
    (bytes) => new File(['{"format":"bench-sessions","version":1,"sessions":[]}'.padEnd(bytes)], 'all.json'),
  );

  /** Creates a worker that responds to a file with this event and records its calls. */
  function createTestWorker(createEvent: () => Event) {
    const calls: unknown[] = [];
    class AnsweringWorker extends EventTarget implements Worker {
      onerror = null;
      onmessage = null;
      onmessageerror = null;
      postMessage(file: unknown): void {
        calls.push(file);
        queueMicrotask(() => this.dispatchEvent(createEvent()));
      }
      terminate(): void {
        calls.push('terminated');
      }
    }
    return { calls, startWorker: async () => new AnsweringWorker() };
  }

  const importWith = (
    file: File | undefined,
    startWorker: () => Promise<Worker>,
    mode: RecordStore['mode'],
  ) => {
    if (!file) throw new Error('No file');
    const records: RecordStore = { ...createMemoryRecordStore(), mode };
    return importFile(file, { records, newId: () => 'new', startWorker });
  };

  it('imports a large file in a worker and terminates it afterwards', async () => {
    const outcome = { ok: true, sessionIds: ['s'], trialIds: [], damaged: 0 };
    const { calls, startWorker } = createTestWorker(() => new MessageEvent('message', { data: outcome }));
    expect(await importWith(large, startWorker, 'durable')).toEqual(outcome);
    expect(calls).toEqual([large, 'terminated']);
  });

  it('rejects with the message of a failed worker, or with a default one', async () => {
    for (const [message, expectedMessage] of [
      ['out of memory', 'out of memory'],
      ['', 'the import worker did not start'],
    ] as const) {
      const { calls, startWorker } = createTestWorker(() => Object.assign(new Event('error'), { message }));
      await expect(importWith(large, startWorker, 'durable')).rejects.toThrow(expectedMessage);
      expect(calls).toEqual([large, 'terminated']);
    }
  });

  it('imports on the page if a worker could not store the data, and for small files', async () => {
    const { calls, startWorker } = createTestWorker(() => new Event('never'));
    const reason = 'It contains no session.';
    expect(await importWith(large, startWorker, 'memory')).toMatchObject({ reason });
    expect(await importWith(small, startWorker, 'durable')).toMatchObject({ reason });
    expect(calls).toEqual([]);
  });
});

describe('exporting sessions', () => {
  it('exports sessions and trials in the requested order, and uses the first title', async () => {
    const browser = createBrowserStore();
    const createTrialWrites = (id: string, title: string, createdAt: number) =>
      buildTrialDraftWrites(createTestTrial(1, { id, title, createdAt }), createCases(1));
    await browser.records.write([
      ...createTrialWrites('a', 'Third', 9),
      ...createTrialWrites('c', 'Second', 5),
      ...createTrialWrites('b', 'First', 5),
    ]);
    const trialsAlone = await browser.exporter.buildJson(['b', 'c', 'a']);
    expect(trialsAlone).toMatchObject({
      title: 'First',
      sessions: 0,
      trials: 3,
      prompts: 0,
      isPartial: false,
    });
    const positions = ['First', 'Second', 'Third'].map((title) =>
      trialsAlone?.pieces.join('').indexOf(`"${title}"`),
    );
    expect(positions).toEqual(positions.toSorted((a = 0, b = 0) => a - b));
    expect(positions).not.toContain(-1);

    const [old, recent] = [createAnsweredSession('old-'), createAnsweredSession('recent-')].map(
      (data, index) => ({
        ...data,
        session: {
          ...data.session,
          title: ['Old', 'Recent'][index] ?? '',
          createdAt: index,
          updatedAt: -index,
        },
      }),
    );
    if (!old || !recent) throw new Error('No sessions');
    await browser.records.write([...buildSessionWrites(recent), ...buildSessionWrites(old)]);
    const several = await browser.exporter.buildJson([recent.session.id, 'gone', 'a', old.session.id]);
    expect(several).toMatchObject({ title: 'Recent', sessions: 2, trials: 1, sets: 0 });
    expect(await browser.exporter.buildJson(['gone'])).toBeUndefined();
  });

  it('exports embedding sets and returns them on import, or rejects a set without texts', async () => {
    const { exporter, importFileText } = createBrowserStore();
    const set = { title: 'Orders', models: ['m'], input: { ...emptyInput, typed: 'late\nlost' } };
    const file = await exporter.buildJson([], [set]);
    expect(file).toMatchObject({ title: 'Orders', sessions: 0, trials: 0, sets: 1 });
    const text = file?.pieces.join('') ?? '';
    expect(await importFileText(text)).toMatchObject({ ok: true, sessionIds: [], sets: [set] });
    expect(await importFileText(text.replace(String.raw`late\nlost`, ''))).toEqual({
      ok: false,
      reason: 'It is not an embedding set.',
      path: 'sets[0]',
    });
  });

  it('exports a run streamed by another tab from its tape', async () => {
    const data = createAnsweredSession();
    const [run] = Object.values(data.runs);
    if (!run) throw new Error('The run is missing');
    const browser = createBrowserStore(createMemoryRecordStore(), new Set([run.id]));
    const live = { ...run, choices: [], deltas: 0, phase: { name: 'streaming' as const } };
    await browser.records.write([
      ...buildSessionWrites({ ...data, runs: { [run.id]: live } }),
      {
        store: 'tapes',
        put: {
          runId: run.id,
          firstSeq: 0,
          entries: [
            { at: 1, status: 200, headers: { 'content-type': 'text/event-stream' } },
            { at: 2, data: '{"choices":[{"index":0,"delta":{"content":"Half of it"}}]}' },
          ],
        },
      },
    ]);
    const file = await browser.exporter.buildJson(data.session.id);
    expect(file).toMatchObject({ answers: 1, isPartial: true });
    expect(file?.pieces.join('')).toContain('"text": "Half of it"');
  });
});
