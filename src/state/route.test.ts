import { describe, expect, it } from 'vitest';

import { pathOfRoute, routeOf } from './route.ts';

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
