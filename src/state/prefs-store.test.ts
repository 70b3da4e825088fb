import { describe, expect, it } from 'vitest';

import { createTestBrowser } from '../testing/browser.ts';
import { createTestSetup } from '../testing/builders.ts';
import { waitUntil } from '../testing/wait-until.ts';
import type { Page } from './page.ts';
import { createPrefsStore, withAnsweredModel, withRequestedModel, type Prefs } from './prefs-store.ts';

/** Creates a browser storage with this content. */
function createTestStorage(stored?: string): Page['storage'] {
  const items = new Map<string, string>(stored === undefined ? [] : [['bench-prefs', stored]]);
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
  };
}

describe('preferences', () => {
  it('restores preferences on the next visit', () => {
    const storage = createTestStorage();
    const prefs: Partial<Prefs> = {
      theme: 'dark',
      parametersOpen: false,
      lastSetup: createTestSetup(),
      recentModels: ['a'],
      requestsPerMinute: 5,
      density: 'comfortable',
      readBySentence: true,
    };
    createPrefsStore(storage).setState(prefs);
    expect(createPrefsStore(storage).getState()).toMatchObject(prefs);
  });

  it('uses the defaults if the stored value is malformed', () => {
    for (const stored of ['', 'no JSON', 'null', '[]', '7']) {
      expect(createPrefsStore(createTestStorage(stored)).getState(), stored).toMatchObject({
        theme: 'system',
        parametersOpen: true,
        recentModels: [],
      });
    }
  });

  it('overwrites a malformed stored value', () => {
    for (const stored of ['', 'no JSON', 'null', '[7]', '7', '"dark"']) {
      const storage = createTestStorage(stored);
      createPrefsStore(storage).setState({ theme: 'light' });
      expect(JSON.parse(storage.getItem('bench-prefs') ?? ''), stored).toEqual({ theme: 'light' });
    }
  });

  it('keeps valid preferences beside a damaged one', () => {
    const storage = createTestStorage(
      JSON.stringify({
        theme: 'neon',
        parametersOpen: false,
        lastSetup: { model: 3 },
        favouriteModels: ['x'],
      }),
    );
    const prefs = createPrefsStore(storage).getState();
    expect(prefs).toMatchObject({
      theme: 'system',
      parametersOpen: false,
      favouriteModels: ['x'],
      recentModels: [],
    });
    expect(prefs.lastSetup).toBeUndefined();
  });

  it('drops invalid list items and model marks', () => {
    const stored = {
      favouriteModels: ['x', 7, null],
      recentModels: 'x',
      sentAt: [5, 'soon', 6],
      density: 'huge',
      singleKeys: false,
      readBySentence: 'yes',
      theme: 'light',
      modelOrder: 'colour',
      modelMarks: { m: { vision: false, tools: 'maybe' }, damaged: 'no' },
      firstTokens: { m: 40, damaged: 'soon' },
    };
    const prefs = createPrefsStore(createTestStorage(JSON.stringify(stored))).getState();
    expect(prefs).toMatchObject({
      favouriteModels: ['x'],
      recentModels: [],
      sentAt: [5, 6],
      density: 'compact',
      singleKeys: false,
      readBySentence: false,
      theme: 'light',
    });
    expect(prefs.firstTokens).toEqual({ m: 40 });
    expect(prefs.modelOrder).toBeUndefined();
    expect(prefs.modelMarks).toEqual({ m: { vision: false } });
    expect(createPrefsStore(createTestStorage()).getState()).toMatchObject({
      singleKeys: true,
      modelMarks: {},
    });
  });

  it('works if the browser blocks its storage', () => {
    const throwForbidden = () => {
      throw new DOMException('no', 'SecurityError');
    };
    const store = createPrefsStore({ getItem: throwForbidden, setItem: throwForbidden });
    store.setState({ theme: 'light' });
    expect(store.getState().theme).toBe('light');
  });

  it('keeps changes from both tabs', async () => {
    const browser = createTestBrowser();
    const open = () => createPrefsStore(browser.openTab({ origin: 'http://bench.test' }).page.storage);
    const [first, second] = [open(), open()];
    first.setState({ favouriteModels: ['a'] });
    second.setState({ theme: 'dark' });
    expect(open().getState()).toMatchObject({ favouriteModels: ['a'], theme: 'dark' });
    await waitUntil(
      () => first.getState().theme === 'dark' && second.getState().favouriteModels.length === 1,
    );
    second.setState(({ favouriteModels }) => ({ favouriteModels: [...favouriteModels, 'b'] }));
    expect(open().getState().favouriteModels).toEqual(['a', 'b']);
  });

  it('removes unset preferences and keeps preferences from a newer version', () => {
    const storage = createTestStorage(JSON.stringify({ requestsPerMinute: 5, later: 'kept' }));
    createPrefsStore(storage).setState({ requestsPerMinute: undefined });
    expect(JSON.parse(storage.getItem('bench-prefs') ?? '')).toEqual({ later: 'kept' });
  });

  it('writes nothing if no value has changed', () => {
    const storage = createTestStorage();
    const prefs = createPrefsStore(storage);
    prefs.setState({ lastSetup: createTestSetup(), recentModels: ['a'] });
    const { setItem } = storage;
    let writes = 0;
    storage.setItem = (...args) => {
      writes += 1;
      setItem(...args);
    };
    prefs.setState({ lastSetup: createTestSetup(), recentModels: ['a'], theme: 'system' });
    expect(writes).toBe(0);
    prefs.setState({ theme: 'dark' });
    expect(writes).toBe(1);
  });

  it('lists the last five models once each, newest first', () => {
    const store = createPrefsStore(createTestStorage());
    for (const model of ['a', 'b', 'c', 'd', 'e', 'f', 'c'])
      store.setState((prefs) => withRequestedModel(prefs, model, true));
    expect(store.getState().recentModels).toEqual(['c', 'f', 'e', 'd', 'b']);
  });

  it('remembers which recent models were listed when they were used', () => {
    const store = createPrefsStore(createTestStorage());
    store.setState((prefs) => withRequestedModel(prefs, 'listed', true));
    store.setState((prefs) => withAnsweredModel(prefs, 'typed', false));
    store.setState((prefs) => withRequestedModel(prefs, 'listed', false));
    expect(store.getState().recentModels).toEqual(['listed', 'typed']);
    expect(store.getState().listedModels).toEqual(['listed']);
  });

  it('adds an unlisted model only after it has answered', () => {
    const store = createPrefsStore(createTestStorage());
    store.setState((prefs) => withRequestedModel(prefs, 'typed', false));
    expect(store.getState().recentModels).toEqual([]);
    store.setState((prefs) => withAnsweredModel(prefs, 'typed', false));
    store.setState((prefs) => withRequestedModel(prefs, 'listed', true));
    store.setState((prefs) => withRequestedModel(prefs, 'typed', false));
    expect(store.getState().recentModels).toEqual(['typed', 'listed']);
  });
});
