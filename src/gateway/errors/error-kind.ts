import type { ErrorDetails } from './error-details.ts';
import type { ErrorKind } from './errors.ts';

/** Error types that only our own proxy produces. */
const proxyKinds: Record<string, ErrorKind> = {
  gateway_unreachable: 'unreachable',
  gateway_redirected: 'redirected',
  gateway_timeout: 'timeout',
  forbidden_origin: 'forbidden',
  forbidden_host: 'forbidden',
  login_required: 'login-required',
  too_many_streams: 'overloaded',
};

/** Error types that the proxy and gateways share. */
const sharedKinds: Record<string, ErrorKind> = {
  request_too_large: 'too-large',
  unsupported_media_type: 'invalid-request',
  not_found: 'not-found',
  invalid_request: 'invalid-request',
  method_not_allowed: 'not-found',
  rate_limit_exceeded: 'rate-limited',
};

const statusKinds: Record<number, ErrorKind> = {
  400: 'invalid-request',
  401: 'key-rejected',
  403: 'forbidden',
  404: 'not-found',
  405: 'not-found',
  408: 'timeout',
  410: 'not-found',
  413: 'too-large',
  415: 'invalid-request',
  422: 'invalid-request',
  429: 'rate-limited',
  498: 'key-rejected',
  503: 'overloaded',
  504: 'timeout',
  522: 'timeout',
  524: 'timeout',
  529: 'overloaded',
};

const kindPatterns: [RegExp, ErrorKind][] = [
  [/invalid_api_key|authentication|unauthorized/, 'key-rejected'],
  [/permission|forbidden/, 'forbidden'],
  [/model_not_found|not_?found/, 'not-found'],
  [/rate_?limit|too_many_requests|quota/, 'rate-limited'],
  [/overloaded|unavailable|capacity/, 'overloaded'],
  [/timeout|timed_out/, 'timeout'],
  [
    /context_length|invalid_request|bad_?request|invalid_argument|unprocessable|validation/,
    'invalid-request',
  ],
];

/** Returns true for statuses that point to another URL. 304 does not: it means "not modified". */
export function isRedirect(status: number): boolean {
  return [300, 301, 302, 303, 307, 308].includes(status);
}

function getStatusKind(status: number): ErrorKind | undefined {
  if (isRedirect(status)) return 'redirected';
  if (status === 304) return 'not-an-answer';
  return Object.hasOwn(statusKinds, status) ? statusKinds[status] : undefined;
}

/**
 * Returns true for an error produced by our own proxy. With `isProxied`, the response came from the gateway, which may
 * use the same error types; errors inside a stream are never ours.
 */
export function isProxyError(
  type: string | undefined,
  status: number | undefined,
  isProxied: boolean,
): boolean {
  if (type === undefined || status === undefined || isProxied) return false;
  return Object.hasOwn(proxyKinds, type) || Object.hasOwn(sharedKinds, type);
}

/** The proxy uses one type for missing and unreadable responses; the message distinguishes them. */
const answeredPattern = /could not be read|\bits answer\b|\bsent an answer\b|\banswered with\b/;

function getProxyKind(type: string, message: string): ErrorKind {
  if (type === 'gateway_unreachable' && answeredPattern.test(message)) return 'unreadable';
  return proxyKinds[type] ?? sharedKinds[type] ?? 'failed';
}

/**
 * Returns the kind, which determines the message and the next step on screen, from the proxy's type, the HTTP status or
 * the error text.
 */
export function getErrorKind(
  status: number | undefined,
  details: ErrorDetails,
  isFromProxy: boolean,
): ErrorKind {
  const { type = '', code = '' } = details;
  if (isFromProxy) return getProxyKind(type, details.message ?? '');
  if (status !== undefined && status >= 300) {
    if ((status === 400 || status === 403) && type === 'invalid_api_key') return 'key-rejected';
    return getStatusKind(status) ?? 'failed';
  }
  // An error inside a 200 has no status, but often a code with the same meaning.
  const kindFromCode = [Number(code), details.status ?? 0]
    .map(getStatusKind)
    .find((kind) => kind !== undefined);
  if (kindFromCode) return kindFromCode;
  const typeAndCode = `${type} ${code}`.toLowerCase();
  return kindPatterns.find(([pattern]) => pattern.test(typeAndCode))?.[1] ?? 'failed';
}
