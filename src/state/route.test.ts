import { describe, expect, it } from 'vitest';

import { encodeShareHash } from '../conversation/setup/share.ts';
import { aBrowser } from '../testing/browser.ts';
import { aSetup } from '../testing/builders.ts';
import { createRouter, pathOfRoute, routeOf, trialPath } from './route.ts';

describe('the address', () => {
  it.each([
    ['/', { screen: 'playground' }],
    ['/s/abc', { screen: 'playground', sessionId: 'abc' }],
    ['/s/a%2Fb', { screen: 'playground', sessionId: 'a/b' }],
    ['/embeddings', { screen: 'page', path: '/embeddings' }],
    ['/history', { screen: 'page', path: '/history' }],
    ['/history/x', { screen: 'page', path: '/history/x' }],
    ['/s', { screen: 'page', path: '/s' }],
    ['/constructor', { screen: 'page', path: '/constructor' }],
  ])('%s is a screen, both ways', (path, route) => {
    expect(routeOf(path)).toEqual(route);
    expect(pathOfRoute(routeOf(path))).toBe(path);
  });

  it('takes what is not a valid escape as it is, and ignores a slash at the end', () => {
    expect(routeOf('/s/100%')).toEqual({ screen: 'playground', sessionId: '100%' });
    expect(routeOf('/history/')).toEqual({ screen: 'page', path: '/history' });
  });
});

describe('the router', () => {
  const at = (path: string) => {
    const tab = aBrowser().openTab({ origin: 'http://bench.test', path });
    return { tab, router: createRouter(tab.page.address) };
  };

  it('takes the setup of a link out of the address, at the start and later: nobody reloads into it', () => {
    const hash = encodeShareHash({ setups: [aSetup()] });
    const { tab, router } = at(`/${hash}`);
    expect(router.route.getState().route).toEqual({ screen: 'playground', setup: hash });
    expect(tab.visited).toEqual(['/']);
    expect(router.linkTo(hash)).toBe(`http://bench.test/${hash}`);
    tab.visit(`/history${hash}`);
    expect(router.route.getState().route).toEqual({ screen: 'playground', setup: hash });
    expect(tab.visited).toEqual(['/', '/']);
  });

  it('leaves any other hash and address as they are', () => {
    const { tab, router } = at('/s/one#somewhere');
    expect(router.route.getState().route).toEqual({ screen: 'playground', sessionId: 'one' });
    tab.visit('/history#top');
    expect(router.route.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect(tab.visited).toEqual(['/s/one#somewhere', '/history#top']);
  });

  it('makes a step for Back of each other address, none of the same, and none in place of one', () => {
    const { tab, router } = at('/');
    const isLeft = router.watch();
    expect(isLeft()).toBe(false);
    router.go({ screen: 'playground', sessionId: 'a/b' });
    expect(isLeft()).toBe(true);
    router.go({ screen: 'playground', sessionId: 'a/b' });
    expect(tab.visited).toEqual(['/', '/s/a%2Fb']);
    router.go({ screen: 'page', path: trialPath('x/y') }, { replace: true });
    expect(tab.visited).toEqual(['/', '/trials/x%2Fy']);
    router.go({ screen: 'playground' });
    expect(tab.visited).toEqual(['/', '/trials/x%2Fy', '/']);
    expect(router.route.getState().route).toEqual({ screen: 'playground' });
  });
});
