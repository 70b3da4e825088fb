import type { FailedResponse } from '../errors/error-report.ts';
import type { ErrorReport } from '../errors/errors.ts';

/**
 * An error response of a real gateway and its expected report. `raw` is the body in every row. Every added row is
 * tested.
 */
export interface ErrorRow {
  name: string;
  response: FailedResponse;
  report: Omit<ErrorReport, 'raw'>;
}

const toJson = (value: unknown) => JSON.stringify(value);
const createNginxPage = (title: string) => `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body></html>`;
const date = 'Sat, 21 Nov 2026 00:00:00 GMT';

export const errorRows: ErrorRow[] = [
  {
    name: 'a 401 in the format of the specification (§5, §7)',
    response: { status: 401, body: toJson({ error: { message: 'The key is not valid.', type: 'invalid_api_key', code: '401' } }) },
    report: { source: 'gateway', kind: 'key-rejected', message: 'The key is not valid.', status: 401, type: 'invalid_api_key', code: '401' },
  },
  {
    name: 'a rejected key with status 403',
    response: { status: 403, body: toJson({ error: { message: 'm', type: 'invalid_api_key', code: '403' } }) },
    report: { source: 'gateway', kind: 'key-rejected', message: 'm', status: 403, type: 'invalid_api_key', code: '403' },
  },
  {
    name: 'a 401 with an empty body',
    response: { status: 401, body: '' },
    report: { source: 'gateway', kind: 'key-rejected', message: 'The gateway returned status 401 without details.', status: 401 },
  },
  {
    name: 'a 403 with a challenge page',
    response: { status: 403, headers: { 'cf-ray': '8abc-FRA' }, body: '<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>' },
    report: { source: 'network', kind: 'forbidden', message: 'The request was blocked before reaching the gateway. The response is a web page titled "Just a moment...".', status: 403, requestId: '8abc-FRA' },
  },
  {
    name: 'a 404 from FastAPI',
    response: { status: 404, body: toJson({ detail: 'Not Found' }) },
    report: { source: 'gateway', kind: 'not-found', message: 'Not Found', status: 404 },
  },
  {
    name: 'a 422 from FastAPI',
    response: { status: 422, body: toJson({ detail: [{ loc: ['body', 'temperature'], msg: 'must be at most 2', type: 'less_than_equal' }, { loc: ['body', 'messages', 0, 'role'], msg: 'field required', type: 'missing' }] }) },
    report: { source: 'gateway', kind: 'invalid-request', message: 'temperature: must be at most 2; messages.0.role: field required', status: 422, type: 'less_than_equal', fields: [{ path: 'temperature', message: 'must be at most 2' }, { path: 'messages.0.role', message: 'field required' }] },
  },
  {
    name: 'a 400 with a flat error (vLLM)',
    response: { status: 400, body: toJson({ object: 'error', message: 'too many tokens', type: 'BadRequestError', param: null, code: 400 }) },
    report: { source: 'provider', kind: 'invalid-request', message: 'too many tokens', status: 400, type: 'BadRequestError', code: '400' },
  },
  {
    name: 'a nested error from LiteLLM, with both layers readable',
    response: { status: 400, body: toJson({ error: { message: `litellm.BadRequestError: BedrockException - ${toJson({ message: 'max_tokens is too large' })}`, type: null, param: null, code: '400' } }) },
    report: { source: 'provider', kind: 'invalid-request', message: 'litellm.BadRequestError: BedrockException - max_tokens is too large', status: 400, code: '400' },
  },
  {
    name: "an error from OpenRouter with the provider's error as JSON in metadata",
    response: { status: 502, body: toJson({ error: { message: 'Provider returned error', code: 502, metadata: { provider_name: 'Acme', raw: toJson({ error: { message: 'model crashed', type: 'x' } }) } } }) },
    report: { source: 'provider', kind: 'failed', message: 'Provider returned error (Acme): model crashed', status: 502, code: '502' },
  },
  { name: 'a status beside a message', response: { status: 500, body: toJson({ status: 'failure', message: 'm' }) }, report: { source: 'gateway', kind: 'failed', message: 'm', status: 500, type: 'failure' } },
  { name: 'a message alone', response: { status: 500, body: toJson({ message: 'm' }) }, report: { source: 'gateway', kind: 'failed', message: 'm', status: 500 } },
  { name: 'an error as a string', response: { status: 500, body: toJson({ error: 'm' }) }, report: { source: 'gateway', kind: 'failed', message: 'm', status: 500 } },
  { name: 'a list of errors', response: { status: 400, body: toJson({ errors: [{ message: 'a' }, 'b'] }) }, report: { source: 'gateway', kind: 'invalid-request', message: 'a; b', status: 400 } },
  { name: 'a list with one error (Gemini)', response: { status: 400, body: toJson([{ error: { code: 400, message: 'm', status: 'INVALID_ARGUMENT' } }]) }, report: { source: 'gateway', kind: 'invalid-request', message: 'm', status: 400, type: 'INVALID_ARGUMENT', code: '400' } },
  { name: 'an error two levels down', response: { status: 500, body: toJson({ detail: { error: { message: 'm', code: 'x' } } }) }, report: { source: 'gateway', kind: 'failed', message: 'm', status: 500, code: 'x' } },
  { name: 'a problem document', response: { status: 500, body: toJson({ title: 'Bad', detail: 'm', status: 500 }) }, report: { source: 'gateway', kind: 'failed', message: 'm', status: 500 } },
  { name: 'a parameter name beside the message', response: { status: 400, body: toJson({ error: { message: 'bad top_p', type: 'invalid_request_error', param: 'top_p', code: null } }) }, report: { source: 'gateway', kind: 'invalid-request', message: 'bad top_p', status: 400, type: 'invalid_request_error', fields: [{ path: 'top_p', message: 'bad top_p' }] } },
  { name: 'JSON in an unknown format', response: { status: 502, body: toJson({ fault: { where: 'upstream', again: false } }) }, report: { source: 'gateway', kind: 'failed', message: 'The gateway returned an error in an unknown format.', status: 502 } },
  { name: 'JSON without text', response: { status: 500, body: '{}' }, report: { source: 'gateway', kind: 'failed', message: 'The gateway returned status 500 without details.', status: 500 } },
  { name: 'an error event with an error status', response: { status: 400, body: 'event: error\ndata: {"error":{"message":"m"}}\n\n' }, report: { source: 'gateway', kind: 'invalid-request', message: 'm', status: 400 } },
  { name: 'a 413 page from nginx', response: { status: 413, body: '<html><body><h1>413 Request Entity Too Large</h1></body></html>' }, report: { source: 'gateway', kind: 'too-large', message: 'The response was status 413 with a web page titled "413 Request Entity Too Large".', status: 413 } },
  { name: 'a 429 with Retry-After in seconds', response: { status: 429, headers: { 'retry-after': '20' }, body: '' }, report: { source: 'gateway', kind: 'rate-limited', message: 'The gateway returned status 429 without details.', status: 429, retryAfterMs: 20_000 } },
  { name: 'a 429 with both Retry-After and the more precise retry-after-ms', response: { status: 429, headers: { 'retry-after': '2', 'retry-after-ms': '1500' }, body: 'slow down' }, report: { source: 'gateway', kind: 'rate-limited', message: 'slow down', status: 429, retryAfterMs: 1500 } },
  { name: 'Retry-After as a date, relative to the Date header', response: { status: 429, headers: { date, 'retry-after': 'Sat, 21 Nov 2026 00:00:30 GMT' }, body: 'm' }, report: { source: 'gateway', kind: 'rate-limited', message: 'm', status: 429, retryAfterMs: 30_000 } },
  { name: 'Retry-After as a date without a Date header', response: { status: 429, headers: { 'retry-after': 'Sat, 21 Nov 2026 00:00:30 GMT' }, body: 'm' }, report: { source: 'gateway', kind: 'rate-limited', message: 'm', status: 429 } },
  ...(
    [
      ['a date 120 s ahead', { 'retry-after': 'Sat, 21 Nov 2026 00:02:00 GMT' }, 120_000],
      ['a date in asctime format', { 'retry-after': 'Sat Nov 21 00:02:00 2026' }, 120_000],
      ['a date in RFC 850 format', { 'retry-after': 'Saturday, 21-Nov-26 00:02:00 GMT' }, 120_000],
      ['a reset in epoch seconds', { 'x-ratelimit-reset': String(Date.parse(date) / 1000 + 120) }, 120_000],
      ['a reset as an ISO date', { 'x-ratelimit-reset': '2026-11-21T00:02:00Z' }, 120_000],
      ['a reset as an ISO date without a time zone', { 'x-ratelimit-reset-tokens': '2026-11-21T00:02:00.000' }, 120_000],
      ['a date beside an invalid Date header', { date: 'today', 'retry-after': 'Sat, 21 Nov 2026 00:02:00 GMT' }, 120_000],
      ['the same seconds twice', { 'retry-after': '20, 20' }, 20_000],
      ['the longest of several', { 'retry-after': '5, Sat, 21 Nov 2026 00:02:00 GMT, 20' }, 120_000],
      ['milliseconds twice', { 'retry-after-ms': '1500, 2500' }, 2500],
      ['seconds with a fraction', { 'retry-after': ' 0.5 ' }, 500],
      ...['-5', '+20', '0x14', '1e3', '20 x', 'Infinity', '.', '2026', 'May 5'].flatMap(
        (text) =>
          [
            [`the invalid delay "${text}"`, { date, 'retry-after': text }, text === '2026' ? 2_026_000 : undefined],
            [`the invalid reset "${text}"`, { date, 'x-ratelimit-reset': text }, text === '2026' ? 2_026_000 : undefined],
          ] as const,
      ),
    ] as const
  ).map(([name, headers, retryAfterMs]): ErrorRow => ({
    name: `a wait relative to the local clock: ${name}`,
    response: { status: 429, headers: { ...headers }, body: 'm', receivedAt: Date.parse(date) },
    report: { source: 'gateway', kind: 'rate-limited', message: 'm', status: 429, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
  })),
  { name: 'a 429 with only x-ratelimit-reset-requests', response: { status: 429, headers: { 'x-ratelimit-reset-requests': '6m0s' }, body: 'm' }, report: { source: 'gateway', kind: 'rate-limited', message: 'm', status: 429, retryAfterMs: 360_000 } },
  { name: 'the exhausted one of several limits', response: { status: 429, headers: { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-tokens': '6m', 'x-ratelimit-remaining-tokens': '90' }, body: 'm' }, report: { source: 'gateway', kind: 'rate-limited', message: 'm', status: 429, retryAfterMs: 1000 } },
  { name: 'a reset as epoch milliseconds', response: { status: 429, headers: { date, 'x-ratelimit-reset': String(Date.parse(date) + 5000) }, body: 'm' }, report: { source: 'gateway', kind: 'rate-limited', message: 'm', status: 429, retryAfterMs: 5000 } },
  { name: 'a 429 without a usable delay', response: { status: 429, headers: { 'retry-after': 'soon', 'x-ratelimit-reset-requests': '' }, body: 'm' }, report: { source: 'gateway', kind: 'rate-limited', message: 'm', status: 429 } },
  { name: 'a 500 with plain text', response: { status: 500, body: 'Internal Server Error\n' }, report: { source: 'gateway', kind: 'failed', message: 'Internal Server Error', status: 500 } },
  { name: 'a 502 page from nginx', response: { status: 502, body: createNginxPage('502 Bad Gateway') }, report: { source: 'gateway', kind: 'failed', message: 'The response was status 502 with a web page titled "502 Bad Gateway".', status: 502 } },
  { name: 'a 504 page from nginx', response: { status: 504, body: createNginxPage('504 Gateway Time-out') }, report: { source: 'gateway', kind: 'timeout', message: 'The response was status 504 with a web page titled "504 Gateway Time-out".', status: 504 } },
  { name: 'a 503 with Retry-After', response: { status: 503, headers: { 'retry-after': '120' }, body: createNginxPage('503 Service Temporarily Unavailable') }, report: { source: 'gateway', kind: 'overloaded', message: 'The response was status 503 with a web page titled "503 Service Temporarily Unavailable".', status: 503, retryAfterMs: 120_000 } },
  { name: 'a 524 from a CDN edge', response: { status: 524, headers: { 'cf-ray': 'r-1' }, body: createNginxPage('x | 524: A timeout occurred') }, report: { source: 'network', kind: 'timeout', message: 'The response was status 524 with a web page titled "x | 524: A timeout occurred".', status: 524, requestId: 'r-1' } },
  { name: 'a web page without a title', response: { status: 520, body: '<html></html>' }, report: { source: 'gateway', kind: 'failed', message: 'The response was status 520 with a web page without a title.', status: 520 } },
  { name: 'an XML error', response: { status: 403, body: '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>' }, report: { source: 'gateway', kind: 'forbidden', message: 'The response was status 403 with a web page titled "Access Denied".', status: 403 } },
  { name: 'a redirect rejected by the proxy', response: { status: 502, body: toJson({ error: { message: 'The gateway redirected to x.example.', type: 'gateway_redirected', code: '502' } }) }, report: { source: 'proxy', kind: 'redirected', message: 'The gateway redirected to x.example.', status: 502, type: 'gateway_redirected', code: '502' } },
  ...(
    [
      ['could not be reached: its answer is not valid HTTP (HPE_INVALID_CONSTANT).', 'unreadable'],
      ['could not be reached: the headers of its answer are too large.', 'unreadable'],
      ['sent an answer in an encoding that was not asked for: zstd.', 'unreadable'],
      ['responded, but its response could not be read: 600 is not an HTTP status.', 'unreadable'],
      ['responded, but its response could not be read: it is not valid HTTP.', 'unreadable'],
      ['could not be reached: it refused the connection (ECONNREFUSED).', 'unreachable'],
      ['could not be reached: it closed the connection before it responded (ECONNRESET).', 'unreachable'],
    ] as const
  ).map(([detail, kind]): ErrorRow => {
    const message = `The gateway at x.example ${detail}`;
    return {
      name: `a message from the proxy: ${detail}`,
      response: { status: 502, body: toJson({ error: { message, type: 'gateway_unreachable', code: '502' } }) },
      report: { source: 'proxy', kind, message, status: 502, type: 'gateway_unreachable', code: '502' },
    };
  }),
  { name: 'a 304, which is not a redirect', response: { status: 304, isProxied: true, body: '' }, report: { source: 'gateway', kind: 'not-an-answer', message: 'The gateway returned status 304 (not modified), but Bench has no earlier response.', status: 304 } },
  { name: 'a 305, which no client follows', response: { status: 305, isProxied: true, body: '' }, report: { source: 'gateway', kind: 'failed', message: 'The gateway returned status 305 without details.', status: 305 } },
  { name: 'a 307 forwarded by the proxy', response: { status: 307, isProxied: true, body: '' }, report: { source: 'gateway', kind: 'redirected', message: 'The gateway returned a redirect (307), which Bench does not follow.', status: 307 } },
  ...(
    [
['a reason', { reason: 'GPU on fire' }, 'GPU on fire'],
['a msg', { msg: 'GPU on fire' }, 'GPU on fire'],
['a title', { title: 'GPU on fire' }, 'GPU on fire'],
['an error_message', { error_message: 'GPU on fire' }, 'GPU on fire'],
['a status_msg', { status_msg: 'GPU on fire' }, 'GPU on fire'],
      ['a text nested in the message', { message: { text: 'GPU on fire' } }, 'GPU on fire'],
      ['unknown fields', { where: { card: 3 } }, 'The gateway returned an error in an unknown format.'],
      ['a message in an unknown format', { message: { card: 3 } }, 'The gateway returned an error in an unknown format.'],
      ['no other content', { message: '', param: null, detail: [] }, 'The gateway returned status 500 without details.'],
    ] as const
  ).map(([name, fields, message]): ErrorRow => ({
    name: `an error with a type, a code and ${name}`,
    response: { status: 500, isProxied: true, body: toJson({ error: { type: 'server_error', code: '500', ...fields } }) },
    report: { source: 'gateway', kind: 'failed', message, status: 500, type: 'server_error', code: '500' },
  })),
  ...(
    [
      ['login_required', 401, 'key-rejected'],
      ['too_many_streams', 503, 'overloaded'],
      ['gateway_timeout', 504, 'timeout'],
      ['gateway_unreachable', 502, 'failed'],
      ['gateway_redirected', 502, 'failed'],
      ['forbidden_origin', 403, 'forbidden'],
    ] as const
  ).map(([type, status, kind]): ErrorRow => ({
    name: `${type} from the gateway, forwarded by the proxy`,
    response: { status, isProxied: true, body: toJson({ error: { message: 'm', type, code: String(status) } }) },
    report: { source: 'gateway', kind, message: 'm', status, type, code: String(status) },
  })),
  {
    name: 'a proxy error type inside a stream, attributed to the provider',
    response: { source: 'provider', body: toJson({ error: { message: 'm', type: 'login_required' } }) },
    report: { source: 'provider', kind: 'failed', message: 'm', type: 'login_required' },
  },
  { name: 'hostile text, kept as plain text', response: { status: 500, body: toJson({ error: { message: '<script>x</script> \u001B[31mred', type: 'constructor', code: '__proto__' } }) }, report: { source: 'gateway', kind: 'failed', message: '<script>x</script> \u001B[31mred', status: 500, type: 'constructor', code: '__proto__' } },
  ...(
    [
      ['gateway_unreachable', 502, 'unreachable'],
      ['gateway_timeout', 504, 'timeout'],
      ['request_too_large', 413, 'too-large'],
      ['unsupported_media_type', 415, 'invalid-request'],
      ['forbidden_origin', 403, 'forbidden'],
      ['forbidden_host', 403, 'forbidden'],
      ['login_required', 401, 'login-required'],
      ['not_found', 404, 'not-found'],
      ['invalid_request', 400, 'invalid-request'],
      ['method_not_allowed', 405, 'not-found'],
      ['rate_limit_exceeded', 429, 'rate-limited'],
      ['too_many_streams', 503, 'overloaded'],
    ] as const
  ).map(([type, status, kind]): ErrorRow => ({
    name: `${type} from the proxy`,
    response: { status, body: toJson({ error: { message: 'm', type, code: String(status) } }) },
    report: { source: 'proxy', kind, message: 'm', status, type, code: String(status) },
  })),
  {
    name: 'a type shared by gateway and proxy, forwarded by the proxy',
    response: { status: 429, isProxied: true, body: toJson({ error: { message: 'm', type: 'rate_limit_exceeded', code: '429' } }) },
    report: { source: 'gateway', kind: 'rate-limited', message: 'm', status: 429, type: 'rate_limit_exceeded', code: '429' },
  },
  {
    name: 'an error in the middle of an answer, classified by its code',
    response: { source: 'provider', body: toJson({ error: { message: 'm', code: 'context_length_exceeded' } }) },
    report: { source: 'provider', kind: 'invalid-request', message: 'm', code: 'context_length_exceeded' },
  },
];
