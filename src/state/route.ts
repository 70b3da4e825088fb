import { createStore, type StoreApi } from 'zustand/vanilla';

/** Which screen and which session: the URL's path, both ways. */
import { shareHashPrefix } from '../conversation/setup/share-hash-prefix.ts';
import type { PageAddress } from './page.ts';

export type Route =
  /** `setup`: what a link carries in its hash, for a new session. */
  | { screen: 'playground'; sessionId?: string; setup?: string }
  /** Any other screen, or none: the app's table of screens says what stands at this path. */
  | { screen: 'page'; path: string };

/** `/` is the last session, `/s/ID` a given one, `/#setup=…` a new one with the setup of a link. */
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

/** The address of a trial. */
export function getTrialPath(id: string): string {
  return `/trials/${encodeURIComponent(id)}`;
}

export interface Router {
  state: StoreApi<{ route: Route }>;
  /** `replace` leaves no step to go back to. */
  navigate: (route: Route, options?: { replace?: boolean }) => void;
  /** For what takes a while: tells whether the person has gone elsewhere since it began. */
  trackNavigation: () => () => boolean;
  /** The whole address of a link to the app with this hash. */
  buildLink: (hash: string) => string;
}

/** The route of the address. A setup in the hash leaves it at once: it is read, and nobody reloads into it. */
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
