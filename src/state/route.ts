/** Which screen and which session: the URL's path, both ways. The only place that touches history. */
import { createStore, type StoreApi } from 'zustand/vanilla';

export type Route =
  | { screen: 'playground'; sessionId?: string }
  | { screen: 'embeddings' }
  | { screen: 'history' }
  | { screen: 'gallery' }
  | { screen: 'unknown'; path: string };

/** `/` is the last session, `/s/ID` a given one. */
export function routeOf(path: string): Route {
  const parts = path.split('/').filter((part) => part !== '');
  const [first, second] = parts;
  if (first === undefined) return { screen: 'playground' };
  if (first === 's' && second !== undefined && parts.length === 2) {
    return { screen: 'playground', sessionId: decodeSegment(second) };
  }
  if (parts.length === 1 && (first === 'embeddings' || first === 'history' || first === 'gallery')) {
    return { screen: first };
  }
  return { screen: 'unknown', path };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function pathOfRoute(route: Route): string {
  if (route.screen === 'unknown') return route.path;
  if (route.screen !== 'playground') return `/${route.screen}`;
  return route.sessionId === undefined ? '/' : `/s/${encodeURIComponent(route.sessionId)}`;
}

export interface Router {
  route: StoreApi<{ route: Route }>;
  /** `replace` leaves no step to go back to. */
  go: (route: Route, options?: { replace?: boolean }) => void;
}

export function createRouter(): Router {
  const route = createStore<{ route: Route }>(() => ({ route: routeOf(location.pathname) }));
  window.addEventListener('popstate', () => route.setState({ route: routeOf(location.pathname) }));
  return {
    route,
    go: (to, options) => {
      const path = pathOfRoute(to);
      if (path !== location.pathname) {
        if (options?.replace) history.replaceState(null, '', path);
        else history.pushState(null, '', path);
      }
      route.setState({ route: to });
    },
  };
}
