/** One of the four ways through the proxy; nothing else reaches the gateway. */
export interface GatewayRoute {
  method: 'GET' | 'POST';
  /** On this server, matched on the raw target: no query, no variants. */
  path: string;
  /** On the gateway (gateway-spec.md §4). */
  upstreamPath: string;
}

const ROUTES: readonly GatewayRoute[] = [
  { method: 'POST', path: '/gateway/v1/chat/completions', upstreamPath: '/v1/chat/completions' },
  { method: 'POST', path: '/gateway/v1/embeddings', upstreamPath: '/v1/embeddings' },
  { method: 'GET', path: '/gateway/v1/models', upstreamPath: '/v1/models' },
  { method: 'GET', path: '/gateway/healthz', upstreamPath: '/healthz' },
];

export function routeOf(pathAndQuery: string): GatewayRoute | undefined {
  return ROUTES.find((route) => route.path === pathAndQuery);
}
