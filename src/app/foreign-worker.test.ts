import { describe, expect, it } from 'vitest';

import { removeForeignWorker } from './foreign-worker.ts';

/** Simulates a browser with the given number of service workers for this origin, one of which may control the page. */
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

describe('service worker of another program', () => {
  it('reports no service worker if none is registered or the origin is insecure', async () => {
    expect(await removeForeignWorker({ ...createHost({}).host, workers: undefined })).toBe('none');
    expect(await removeForeignWorker(createHost({}).host)).toBe('none');
  });

  it('unregisters a service worker that controls the page, reloads once and then reports the removal', async () => {
    const { host, getRemainingCount, getReloadCount } = createHost({ registered: 2, hasPage: true });
    expect(await removeForeignWorker(host)).toBe('reloading');
    expect(getRemainingCount()).toBe(0);
    expect(await removeForeignWorker(host)).toBe('removed');
    expect(await removeForeignWorker(host)).toBe('none');
    expect(getReloadCount()).toBe(1);
  });

  it('unregisters a service worker that does not control the page without reloading', async () => {
    const { host, getRemainingCount, getReloadCount } = createHost({ registered: 1 });
    expect(await removeForeignWorker(host)).toBe('removed');
    expect(getRemainingCount()).toBe(0);
    expect(getReloadCount()).toBe(0);
  });

  it('reports a service worker that the browser keeps active, and reloads only once', async () => {
    const { host, getReloadCount } = createHost({ registered: 1, hasPage: true, refuses: true });
    expect(await removeForeignWorker(host)).toBe('reloading');
    expect(await removeForeignWorker(host)).toBe('remains');
    expect(getReloadCount()).toBe(1);
    expect(await removeForeignWorker({ ...host, setReloadFlag: () => false })).toBe('remains');
    expect(getReloadCount()).toBe(1);
  });
});
