/** Two builds of Bench in two tabs, on one database: an earlier one beside this one, and this one beside a later one. */
import { openDB } from 'idb';
import { createElement } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { StorageBanners } from '../app/banners.tsx';
import { migrateDraftParts, readDraft } from '../conversation/session/draft.ts';
import { getStringProperty } from '../lib/json.ts';
import { openStorage, type Storage } from '../state/storage.ts';
import { openEarlierRecordStore, type EarlierWrite } from '../storage/__fixtures__/earlier-record-store.ts';
import { listEarlierStores, type EarlierStore } from '../storage/__fixtures__/earlier-records.ts';
import { openRecordStore } from '../storage/db.ts';
import type { Bench } from '../testing/bench.ts';
import { aBrowser, type TestBrowser } from '../testing/browser.ts';
import { aGate } from '../testing/builders.ts';
import { ask, aTalk, talkIn } from '../testing/conversation-driver.ts';
import { markupOf, wordsIn } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Everything in the database, store by store, read past both builds. */
async function storedIn({ databaseName }: TestBrowser): Promise<Record<string, unknown[]>> {
  const db = await openDB(databaseName);
  const stores = [...db.objectStoreNames].map(async (name) => [name, await db.getAll(name)] as const);
  const stored = Object.fromEntries(await Promise.all(stores));
  db.close();
  return stored;
}

/** The storage of a tab of this build, as the app opens it. */
async function thisBuild({ databaseName }: TestBrowser): Promise<Storage> {
  const storage = openStorage((events) => openRecordStore(events, databaseName));
  await storage.whenUsable;
  return storage;
}

const bannerOf = (bench: Bench) => wordsIn(markupOf(bench, createElement(StorageBanners)));

describe('a tab of an earlier build that is open when this one comes', () => {
  it('lets go and is told; all that it wrote is there, its drafts merged, and it writes no more', async () => {
    const browser = aBrowser();
    const kept = listEarlierStores(2);
    const onOutdated = vi.fn<() => void>();
    const earlier = await openEarlierRecordStore({ onOutdated }, browser.databaseName);
    const put = ({ name, records }: EarlierStore) =>
      records.map((each): EarlierWrite => ({ store: name, put: each }));
    await earlier.write(kept.flatMap(put));
    // Under way in the moment in which the other tab opens.
    const last = earlier.write([
      { store: 'presets', put: { id: 'z', name: 'Last', createdAt: 1, setup: {} } },
    ]);
    const { records, state } = await thisBuild(browser);
    expect(state.getState()).toMatchObject({ mode: 'durable', isBlocked: false });
    await last;
    expect(onOutdated).toHaveBeenCalledTimes(1);
    const stored = await storedIn(browser);
    for (const { name, records: before } of kept) {
      if (name === 'drafts') expect(stored[name]).toEqual(migrateDraftParts(before));
      else expect(stored[name], name).toEqual(expect.arrayContaining(before));
    }
    expect(stored['presets']?.at(-1)).toMatchObject({ name: 'Last' });

    const { bench } = await aTalk(undefined, { browser, records, storage: state });
    const sessions = kept.find(({ name }) => name === 'sessions')?.records ?? [];
    expect(sessions).toHaveLength(2);
    const titles = (await bench.library.list()).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(
      sessions.map((each) => String(getStringProperty(each, 'title'))).toSorted(),
    );
    await expect(earlier.write([{ store: 'presets', put: { id: 'y' } }])).rejects.toThrow('version');
    await expect(earlier.sessions()).rejects.toThrow('version');
    await ask(bench, 'Of this build');
    await bench.saved();

    const reloaded = await openEarlierRecordStore({}, browser.databaseName);
    expect(reloaded.mode).toBe('read-only');
    expect(await reloaded.sessions()).toHaveLength(2);
    await expect(reloaded.write([])).rejects.toThrow('A newer Bench keeps its sessions here.');
    reloaded.close();
    const after = await storedIn(browser);
    expect(after['presets']).toEqual(stored['presets']);
  });
});

describe('a tab of this build that is open when a later one comes', () => {
  it('stores what waits, then lets go, says that it must be reloaded, and calls nothing saved any more', async () => {
    const browser = aBrowser();
    const { records, state } = await thisBuild(browser);
    const gate = aGate();
    const { bench } = await aTalk(
      async (answer) => {
        answer.text('Half');
        await gate.opened;
        answer.whole(' and the rest');
      },
      { browser, records, storage: state },
    );
    const answering = ask(bench, 'A question');
    await until(() => talkIn(bench).at(-1)?.[1] === 'Half');
    await bench.saved();
    const { id } = bench.current().session;
    // What is written in a moment is not written yet.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    bench.drafts.change(id, (draft) => ({ ...draft, text: 'Not sent yet' }));
    const later = await openDB(browser.databaseName, 99);
    expect(readDraft(await later.get('drafts', id)).text).toBe('Not sent yet');
    expect(JSON.stringify(await later.getAll('tapes'))).toContain('Half');
    later.close();
    vi.useRealTimers();
    expect(bannerOf(bench)).toBe(
      'A newer version of Bench is open in another tab. This tab can no longer save. Reload it to continue here.\nReload',
    );
    gate.open();
    await answering;
    expect(talkIn(bench).at(-1)?.[1]).toBe('Half and the rest');
    expect(bench.unsaved.state.getState().count).toBeGreaterThan(0);
  });
});
