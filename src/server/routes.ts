/** One of the four proxy routes; nothing else reaches a gateway. */
export interface GatewayRoute {
  method: 'GET' | 'POST';
  /** Path below /gateway or /gateway/NAME, matched against the raw target: no query, no variants. */
  path: string;
  /** Path on the gateway (§4), after its API path or its origin. */
  upstreamPath: string;
  isOnOrigin?: true;
  /** True for a quick request without side effects, suitable for finding the API path. */
  isList?: true;
}

const ROUTES: readonly GatewayRoute[] = [
  { method: 'POST', path: '/v1/chat/completions', upstreamPath: '/chat/completions' },
  { method: 'POST', path: '/v1/embeddings', upstreamPath: '/embeddings' },
  { method: 'GET', path: '/v1/models', upstreamPath: '/models', isList: true },
  { method: 'GET', path: '/healthz', upstreamPath: '/healthz', isOnOrigin: true },
];

/** Returns the route of a path, and the name of the gateway if the path contains one. */
export function findRoute(pathAndQuery: string): { route: GatewayRoute; gatewayName?: string } | undefined {
  const [, gatewayName, path] = /^\/gateway(?:\/(?!v1\/)([a-z][a-z0-9-]*))?(\/.*)$/.exec(pathAndQuery) ?? [];
  const route = ROUTES.find((candidate) => candidate.path === path);
  return route && { route, ...(gatewayName === undefined ? {} : { gatewayName }) };
}
