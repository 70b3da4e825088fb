/** Every `error.type` of the playground server itself, with its HTTP status. */
const STATUS_BY_TYPE = {
  invalid_request: 400,
  login_required: 401,
  forbidden_origin: 403,
  forbidden_host: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_too_large: 413,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  gateway_unreachable: 502,
  gateway_redirected: 502,
  too_many_streams: 503,
  gateway_timeout: 504,
} as const;

export type ServerErrorType = keyof typeof STATUS_BY_TYPE;

/** An error of the playground server as plain data: one sentence about what happened and how to fix it. */
export interface ServerError {
  type: ServerErrorType;
  message: string;
  headers?: Record<string, string>;
}

export function getErrorStatus(type: ServerErrorType): number {
  return STATUS_BY_TYPE[type];
}

/** Returns the body in the gateway's error format (§7): `error.code` is the status as a string. */
export function formatErrorBody(error: ServerError): string {
  const code = String(STATUS_BY_TYPE[error.type]);
  return JSON.stringify({ error: { message: error.message, type: error.type, code } });
}

/** Returns the error as a Response that is never cached. */
export function createErrorResponse(error: ServerError): Response {
  const headers = { ...API_HEADERS, 'content-type': 'application/json; charset=utf-8', ...error.headers };
  return new Response(formatErrorBody(error), { status: STATUS_BY_TYPE[error.type], headers });
}

/** Returns a small JSON response of the playground server that is never cached. */
export function createJsonResponse(value: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    headers: { ...API_HEADERS, 'content-type': 'application/json; charset=utf-8', ...headers },
  });
}

/**
 * Headers for every response under /gateway/ and /playground/. The policy matters if a user opens such a URL in a tab:
 * HTML from the gateway cannot run on this origin.
 */
export const API_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store, no-transform',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};
