import { describe, expect, it } from 'vitest';

import { removeForeignWorker } from './foreign-worker.ts';

/** A browser with this many service workers for the page's address, of which one may have the page. */
function createHost({ registered = 0, hasPage = false, refuses = false }) {
  let remaining = registered;
  let isControlled = hasPage;
  let reloadFlag = false;
  let reloadCount = 0;
  const registration = {
    unregister: async () => {
      if (refuses) throw new DOMException('', 'SecurityError');
      remaining -= 1;
      return true;
    },
  };
  const workers = {
    get controller() {
      return isControlled ? { state: 'activated' } : null;
    },
    getRegistrations: async () => Array.from({ length: remaining }, () => registration),
  };
  const host = {
    workers,
    reload: () => {
      reloadCount += 1;
      if (remaining === 0) isControlled = false;
    },
    setReloadFlag: () => (reloadFlag = true),
    consumeReloadFlag: () => {
      const previousFlag = reloadFlag;
      reloadFlag = false;
      return previousFlag;
    },
  };
  return { host, getRemainingCount: () => remaining, getReloadCount: () => reloadCount };
}

describe('a service worker of another program', () => {
  it('is not looked for on origins that have none, and not missed where there is none', async () => {
    expect(await removeForeignWorker({ ...createHost({}).host, workers: undefined })).toBe('none');
    expect(await removeForeignWorker(createHost({}).host)).toBe('none');
  });

  it('that has the page is unregistered; the page loads again, once, and says so then', async () => {
    const { host, getRemainingCount, getReloadCount } = createHost({ registered: 2, hasPage: true });
    expect(await removeForeignWorker(host)).toBe('reloading');
    expect(getRemainingCount()).toBe(0);
    expect(await removeForeignWorker(host)).toBe('removed');
    expect(await removeForeignWorker(host)).toBe('none');
    expect(getReloadCount()).toBe(1);
  });

  it('that does not have the page yet is unregistered without a reload', async () => {
    const { host, getRemainingCount, getReloadCount } = createHost({ registered: 1 });
    expect(await removeForeignWorker(host)).toBe('removed');
    expect(getRemainingCount()).toBe(0);
    expect(getReloadCount()).toBe(0);
  });

  it('that the browser does not let go of is told, and nothing loads in circles', async () => {
    const { host, getReloadCount } = createHost({ registered: 1, hasPage: true, refuses: true });
    expect(await removeForeignWorker(host)).toBe('reloading');
    expect(await removeForeignWorker(host)).toBe('remains');
    expect(getReloadCount()).toBe(1);
    expect(await removeForeignWorker({ ...host, setReloadFlag: () => false })).toBe('remains');
    expect(getReloadCount()).toBe(1);
  });
});
