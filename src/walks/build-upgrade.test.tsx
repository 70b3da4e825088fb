/** Tests two builds of Bench in two tabs on one database: this build with an earlier one, and with a later one. */
import { openDB } from 'idb';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { StorageBanners } from '../app/banners.tsx';
import { migrateDraftParts, readDraft } from '../conversation/session/draft.ts';
import { getStringProperty } from '../lib/json.ts';
import { openStorage, type BrowserStorage } from '../state/storage.ts';
import { openEarlierRecordStore, type EarlierWrite } from '../storage/__fixtures__/earlier-record-store.ts';
import { listEarlierStores, type EarlierStore } from '../storage/__fixtures__/earlier-records.ts';
import { openRecordStore } from '../storage/db.ts';
import type { Bench } from '../testing/bench.ts';
import { createTestBrowser, type TestBrowser } from '../testing/browser.ts';
import { sendAndWait, createConversation, getLaneTranscript } from '../testing/conversation-driver.ts';
import { renderText } from '../testing/render-with-playground.tsx';
import { createPausedAnswer } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Reads all records of the database, grouped by store, without the code of either build. */
async function readStores({ databaseName }: TestBrowser): Promise<Record<string, unknown[]>> {
  const db = await openDB(databaseName);
  const stores = [...db.objectStoreNames].map(async (name) => [name, await db.getAll(name)] as const);
  const recordsByStore = Object.fromEntries(await Promise.all(stores));
  db.close();
  return recordsByStore;
}

/** Opens the storage of a tab of this build as the app does. */
async function openCurrentStorage({ databaseName }: TestBrowser): Promise<BrowserStorage> {
  const storage = openStorage((events) => openRecordStore(events, databaseName));
  await storage.whenUsable;
  return storage;
}

const renderBanners = (bench: Bench) => renderText(bench, <StorageBanners />);

describe('open tab of an earlier build when this build starts', () => {
  it("closes the earlier build's database, keeps all its records, merges its drafts and blocks its writes", async () => {
    const browser = createTestBrowser();
    const earlierStores = listEarlierStores(2);
    const onOutdated = vi.fn<() => void>();
    const earlierRecordStore = await openEarlierRecordStore({ onOutdated }, browser.databaseName);
    const createWrites = ({ name, records }: EarlierStore) =>
      records.map((record): EarlierWrite => ({ store: name, put: record }));
    await earlierRecordStore.write(earlierStores.flatMap(createWrites));
    // This write is still pending when the other tab opens.
    const lastWrite = earlierRecordStore.write([
      { store: 'presets', put: { id: 'z', name: 'Last', createdAt: 1, setup: {} } },
    ]);
    const { records, state } = await openCurrentStorage(browser);
    expect(state.getState()).toMatchObject({ mode: 'durable', isBlocked: false });
    await lastWrite;
    expect(onOutdated).toHaveBeenCalledTimes(1);
    const stored = await readStores(browser);
    for (const { name, records: earlierRecords } of earlierStores) {
      if (name === 'drafts') expect(stored[name]).toEqual(migrateDraftParts(earlierRecords));
      else expect(stored[name], name).toEqual(expect.arrayContaining(earlierRecords));
    }
    expect(stored['presets']?.at(-1)).toMatchObject({ name: 'Last' });

    const { bench } = await createConversation(undefined, { browser, records, storage: state });
    const sessions = earlierStores.find(({ name }) => name === 'sessions')?.records ?? [];
    expect(sessions).toHaveLength(2);
    const titles = (await bench.library.list()).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(
      sessions.map((session) => String(getStringProperty(session, 'title'))).toSorted(),
    );
    await expect(earlierRecordStore.write([{ store: 'presets', put: { id: 'y' } }])).rejects.toThrow(
      'version',
    );
    await expect(earlierRecordStore.sessions()).rejects.toThrow('version');
    await sendAndWait(bench, 'Of this build');
    await bench.waitUntilSaved();

    const reopenedStore = await openEarlierRecordStore({}, browser.databaseName);
    expect(reopenedStore.mode).toBe('read-only');
    expect(await reopenedStore.sessions()).toHaveLength(2);
    await expect(reopenedStore.write([])).rejects.toThrow('A newer Bench keeps its sessions here.');
    reopenedStore.close();
    const finalStores = await readStores(browser);
    expect(finalStores['presets']).toEqual(stored['presets']);
  });
});

describe('open tab of this build when a later build starts', () => {
  it('stores pending changes, closes the database, asks for a reload and reports later changes as unsaved', async () => {
    const browser = createTestBrowser();
    const { records, state } = await openCurrentStorage(browser);
    const { script, finish } = createPausedAnswer('Half', ' and the rest');
    const { bench } = await createConversation(script, { browser, records, storage: state });
    const sendPromise = sendAndWait(bench, 'A question');
    await waitUntil(() => getLaneTranscript(bench).at(-1)?.[1] === 'Half');
    await bench.waitUntilSaved();
    const { id } = bench.getOpenSession().session;
    // Fake timers keep the debounced draft from being written before the upgrade.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    bench.drafts.change(id, (draft) => ({ ...draft, text: 'Not sent yet' }));
    const laterDatabase = await openDB(browser.databaseName, 99);
    expect(readDraft(await laterDatabase.get('drafts', id)).text).toBe('Not sent yet');
    expect(JSON.stringify(await laterDatabase.getAll('tapes'))).toContain('Half');
    laterDatabase.close();
    vi.useRealTimers();
    expect(renderBanners(bench)).toBe(
      'A newer version of Bench is open in another tab. This tab can no longer save. Reload to continue.\nReload',
    );
    finish();
    await sendPromise;
    expect(getLaneTranscript(bench).at(-1)?.[1]).toBe('Half and the rest');
    expect(bench.unsaved.state.getState().count).toBeGreaterThan(0);
  });
});
