/** Errors of the demo gateway, with the types and statuses of §7. */
type ApiErrorType =
  | 'invalid_api_key'
  | 'invalid_request'
  | 'not_found'
  | 'model_not_found'
  | 'method_not_allowed'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'rate_limit_exceeded'
  | 'client_closed_request'
  | 'internal_error'
  | 'overloaded_error';

const statuses: Record<ApiErrorType, number> = {
  invalid_api_key: 401,
  invalid_request: 400,
  not_found: 404,
  model_not_found: 404,
  method_not_allowed: 405,
  request_too_large: 413,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  client_closed_request: 499,
  internal_error: 500,
  overloaded_error: 503,
};

export class ApiError extends Error {
  readonly type: ApiErrorType;
  readonly headers: Record<string, string>;
  /** Status and JSON body that replace the gateway's own error response, for models that imitate other gateways. */
  readonly responseOverride: { status: number; body: unknown } | undefined;

  constructor(
    type: ApiErrorType,
    message: string,
    headers: Record<string, string> = {},
    responseOverride?: { status: number; body: unknown },
  ) {
    super(message);
    this.name = 'ApiError';
    this.type = type;
    this.headers = headers;
    this.responseOverride = responseOverride;
  }
}

/** Returns the error as the gateway's JSON (§7). */
export function toErrorBody(error: ApiError): { error: { message: string; type: string; code: string } } {
  return { error: { message: error.message, type: error.type, code: String(statuses[error.type]) } };
}

/** Returns the error as a Response with its status and headers (§7). */
export function toErrorResponse(error: ApiError): Response {
  const { status, body } = error.responseOverride ?? {
    status: statuses[error.type],
    body: toErrorBody(error),
  };
  return Response.json(body, { status, headers: error.headers });
}
