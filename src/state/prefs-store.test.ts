import { afterEach, describe, expect, it, vi } from 'vitest';

import { aSetup } from '../testing/builders.ts';
import { createPrefsStore, withRecentModel } from './prefs-store.ts';

/** A browser's storage with this in it. */
function stubStorage(stored?: string) {
  const items = new Map<string, string>(stored === undefined ? [] : [['bench-prefs', stored]]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('prefs', () => {
  it('are there again at the next visit', () => {
    stubStorage();
    createPrefsStore().setState({
      theme: 'dark',
      parametersOpen: false,
      lastSetup: aSetup(),
      recentModels: ['a'],
      requestsPerMinute: 5,
      density: 'comfortable',
      readBySentence: true,
    });
    expect(createPrefsStore().getState()).toMatchObject({
      theme: 'dark',
      parametersOpen: false,
      lastSetup: aSetup(),
      recentModels: ['a'],
      requestsPerMinute: 5,
      density: 'comfortable',
      readBySentence: true,
    });
  });

  it.each(['', 'no JSON', 'null', '[]', '7'])('start anew from %j', (stored) => {
    stubStorage(stored);
    expect(createPrefsStore().getState()).toMatchObject({
      theme: 'system',
      parametersOpen: true,
      recentModels: [],
    });
  });

  it('keep what is right where one of them is damaged', () => {
    stubStorage(
      JSON.stringify({
        theme: 'neon',
        parametersOpen: false,
        lastSetup: { model: 3 },
        favouriteModels: ['x'],
      }),
    );
    const prefs = createPrefsStore().getState();
    expect(prefs).toMatchObject({
      theme: 'system',
      parametersOpen: false,
      favouriteModels: ['x'],
      recentModels: [],
    });
    expect(prefs.lastSetup).toBeUndefined();
  });

  it('work where the browser forbids its storage', () => {
    const forbidden = () => {
      throw new DOMException('no', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden });
    const store = createPrefsStore();
    store.setState({ theme: 'light' });
    expect(store.getState().theme).toBe('light');
  });

  it('know the last five models used, the newest first, each once', () => {
    stubStorage();
    const store = createPrefsStore();
    for (const model of ['a', 'b', 'c', 'd', 'e', 'f', 'c'])
      store.setState((prefs) => withRecentModel(prefs, model));
    expect(store.getState().recentModels).toEqual(['c', 'f', 'e', 'd', 'b']);
  });

  it('know which of those were listed when they were used', () => {
    stubStorage();
    const store = createPrefsStore();
    store.setState((prefs) => withRecentModel(prefs, 'listed', true));
    store.setState((prefs) => withRecentModel(prefs, 'typed', false));
    store.setState((prefs) => withRecentModel(prefs, 'listed', false));
    expect(store.getState().listedModels).toEqual(['listed']);
  });
});
