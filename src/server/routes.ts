/** One of the four proxy routes; nothing else reaches the gateway. */
export interface GatewayRoute {
  method: 'GET' | 'POST';
  /** Path on this server, matched against the raw target: no query, no variants. */
  path: string;
  /** Path on the gateway (§4), after its API path or its origin. */
  upstreamPath: string;
  isOnOrigin?: true;
  /** True for a quick request without side effects, suitable for finding the API path. */
  isList?: true;
}

const ROUTES: readonly GatewayRoute[] = [
  { method: 'POST', path: '/gateway/v1/chat/completions', upstreamPath: '/chat/completions' },
  { method: 'POST', path: '/gateway/v1/embeddings', upstreamPath: '/embeddings' },
  { method: 'GET', path: '/gateway/v1/models', upstreamPath: '/models', isList: true },
  { method: 'GET', path: '/gateway/healthz', upstreamPath: '/healthz', isOnOrigin: true },
];

export function findRoute(pathAndQuery: string): GatewayRoute | undefined {
  return ROUTES.find((route) => route.path === pathAndQuery);
}
