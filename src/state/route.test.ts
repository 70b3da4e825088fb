import { describe, expect, it } from 'vitest';

import { encodeShareHash } from '../conversation/setup/share.ts';
import { createTestBrowser } from '../testing/browser.ts';
import { createTestSetup } from '../testing/builders.ts';
import { createRouter, toPath, parseRoute, getTrialPath } from './route.ts';

describe('URL paths', () => {
  it.each([
    ['/', { screen: 'playground' }],
    ['/s/abc', { screen: 'playground', sessionId: 'abc' }],
    ['/s/a%2Fb', { screen: 'playground', sessionId: 'a/b' }],
    ['/embeddings', { screen: 'page', path: '/embeddings' }],
    ['/history', { screen: 'page', path: '/history' }],
    ['/history/x', { screen: 'page', path: '/history/x' }],
    ['/s', { screen: 'page', path: '/s' }],
    ['/constructor', { screen: 'page', path: '/constructor' }],
  ])('maps %s to a route and back', (path, route) => {
    expect(parseRoute(path)).toEqual(route);
    expect(toPath(parseRoute(path))).toBe(path);
  });

  it('keeps an invalid escape unchanged and ignores a trailing slash', () => {
    expect(parseRoute('/s/100%')).toEqual({ screen: 'playground', sessionId: '100%' });
    expect(parseRoute('/history/')).toEqual({ screen: 'page', path: '/history' });
  });
});

describe('the router', () => {
  const createRouterAt = (path: string) => {
    const tab = createTestBrowser().openTab({ origin: 'http://bench.test', path });
    return { tab, router: createRouter(tab.page.address) };
  };

  it("removes a link's setup from the URL, at startup and on later navigation", () => {
    const hash = encodeShareHash({ setups: [createTestSetup()] });
    const { tab, router } = createRouterAt(`/${hash}`);
    expect(router.state.getState().route).toEqual({ screen: 'playground', setup: hash });
    expect(tab.visitedPaths).toEqual(['/']);
    expect(router.buildLink(hash)).toBe(`http://bench.test/${hash}`);
    tab.visit(`/history${hash}`);
    expect(router.state.getState().route).toEqual({ screen: 'playground', setup: hash });
    expect(tab.visitedPaths).toEqual(['/', '/']);
  });

  it('leaves other hashes and paths unchanged', () => {
    const { tab, router } = createRouterAt('/s/one#somewhere');
    expect(router.state.getState().route).toEqual({ screen: 'playground', sessionId: 'one' });
    tab.visit('/history#top');
    expect(router.state.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect(tab.visitedPaths).toEqual(['/s/one#somewhere', '/history#top']);
  });

  it('adds a history entry for each new path, but not for the same path or with replace', () => {
    const { tab, router } = createRouterAt('/');
    const hasNavigated = router.trackNavigation();
    expect(hasNavigated()).toBe(false);
    router.navigate({ screen: 'playground', sessionId: 'a/b' });
    expect(hasNavigated()).toBe(true);
    router.navigate({ screen: 'playground', sessionId: 'a/b' });
    expect(tab.visitedPaths).toEqual(['/', '/s/a%2Fb']);
    router.navigate({ screen: 'page', path: getTrialPath('x/y') }, { replace: true });
    expect(tab.visitedPaths).toEqual(['/', '/trials/x%2Fy']);
    router.navigate({ screen: 'playground' });
    expect(tab.visitedPaths).toEqual(['/', '/trials/x%2Fy', '/']);
    expect(router.state.getState().route).toEqual({ screen: 'playground' });
  });
});
