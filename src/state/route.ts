/** Maps the URL path to a screen and session, and back. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { shareHashPrefix } from '../conversation/setup/share-hash-prefix.ts';
import type { PageAddress } from './page.ts';

export type Route =
  /** `setup`: hash of a link with a setup, for a new session. */
  | { screen: 'playground'; sessionId?: string; setup?: string }
  /** Any other path, resolved by the app's table of screens. */
  | { screen: 'page'; path: string };

/** Parses a path: `/` is the last session, `/s/ID` a session, `/#setup=…` a new session with the setup from a link. */
export function parseRoute(path: string, hash = ''): Route {
  if (hash.startsWith(shareHashPrefix)) return { screen: 'playground', setup: hash };
  const parts = path.split('/').filter((part) => part !== '');
  const [first, second] = parts;
  if (first === undefined) return { screen: 'playground' };
  if (first === 's' && second !== undefined && parts.length === 2) {
    return { screen: 'playground', sessionId: decodeSegment(second) };
  }
  return { screen: 'page', path: `/${parts.join('/')}` };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function toPath(route: Route): string {
  if (route.screen === 'page') return route.path;
  return route.sessionId === undefined ? '/' : `/s/${encodeURIComponent(route.sessionId)}`;
}

/** Returns the path of a trial. */
export function getTrialPath(id: string): string {
  return `/trials/${encodeURIComponent(id)}`;
}

export interface Router {
  state: StoreApi<{ route: Route }>;
  /** Navigates to a route. `replace` adds no history entry. */
  navigate: (route: Route, options?: { replace?: boolean }) => void;
  /** Starts tracking; the returned function reports whether the user has navigated since. For slow actions. */
  trackNavigation: () => () => boolean;
  /** Returns the full URL of the app with this hash. */
  buildLink: (hash: string) => string;
}

/**
 * Returns the route for the current URL. Removes a setup from the hash immediately, so that a reload does not open it
 * again.
 */
function consumeRoute(address: PageAddress): Route {
  const { path, hash } = address.read();
  const route = parseRoute(path, hash);
  if (route.screen === 'playground' && route.setup !== undefined) address.replace('/');
  return route;
}

export function createRouter(address: PageAddress): Router {
  const state = createStore<{ route: Route }>(() => ({ route: consumeRoute(address) }));
  address.onChange(() => state.setState({ route: consumeRoute(address) }));
  return {
    state,
    trackNavigation: () => {
      const { route: startRoute } = state.getState();
      return () => state.getState().route !== startRoute;
    },
    buildLink: (hash) => `${address.origin}/${hash}`,
    navigate: (target, options) => {
      const path = toPath(target);
      if (path !== address.read().path) {
        if (options?.replace) address.replace(path);
        else address.push(path);
      }
      state.setState({ route: target });
    },
  };
}
