import { describe, expect, it } from 'vitest';

import { leaveForeignWorker } from './foreign-worker.ts';

/** A browser with this many service workers for the page's address, of which one may have the page. */
function aHost({ registered = 0, hasPage = false, refuses = false }) {
  let left = registered;
  let isControlled = hasPage;
  let memory = false;
  let reloads = 0;
  const registration = {
    unregister: async () => {
      if (refuses) throw new DOMException('', 'SecurityError');
      left -= 1;
      return true;
    },
  };
  const workers = {
    get controller() {
      return isControlled ? { state: 'activated' } : null;
    },
    getRegistrations: async () => Array.from({ length: left }, () => registration),
  };
  const host = {
    workers,
    reload: () => {
      reloads += 1;
      if (left === 0) isControlled = false;
    },
    remember: () => (memory = true),
    takeMemory: () => {
      const had = memory;
      memory = false;
      return had;
    },
  };
  return { host, left: () => left, reloads: () => reloads };
}

describe('a service worker of another program', () => {
  it('is not looked for on origins that have none, and not missed where there is none', async () => {
    expect(await leaveForeignWorker({ ...aHost({}).host, workers: undefined })).toBe('none');
    expect(await leaveForeignWorker(aHost({}).host)).toBe('none');
  });

  it('that has the page is unregistered; the page loads again, once, and says so then', async () => {
    const { host, left, reloads } = aHost({ registered: 2, hasPage: true });
    expect(await leaveForeignWorker(host)).toBe('reloading');
    expect(left()).toBe(0);
    expect(await leaveForeignWorker(host)).toBe('left');
    expect(await leaveForeignWorker(host)).toBe('none');
    expect(reloads()).toBe(1);
  });

  it('that does not have the page yet is unregistered without a reload', async () => {
    const { host, left, reloads } = aHost({ registered: 1 });
    expect(await leaveForeignWorker(host)).toBe('left');
    expect(left()).toBe(0);
    expect(reloads()).toBe(0);
  });

  it('that the browser does not let go of is told, and nothing loads in circles', async () => {
    const { host, reloads } = aHost({ registered: 1, hasPage: true, refuses: true });
    expect(await leaveForeignWorker(host)).toBe('reloading');
    expect(await leaveForeignWorker(host)).toBe('stays');
    expect(reloads()).toBe(1);
    expect(await leaveForeignWorker({ ...host, remember: () => false })).toBe('stays');
    expect(reloads()).toBe(1);
  });
});
