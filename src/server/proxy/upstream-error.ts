import type { GatewayConfig } from '../gateway-settings.ts';
import type { ServerError } from './error-response.ts';

/** No usable response came from the gateway; `error` is sent to the client. */
export class UpstreamError extends Error {
  readonly error: ServerError;
  constructor(error: ServerError) {
    super(error.message);
    this.name = 'UpstreamError';
    this.error = error;
  }
}

/** Converts a transport failure to one sentence that names the host, based on the error code from Node or undici. */
export function toUpstreamError(failure: unknown, gateway: GatewayConfig): UpstreamError {
  const code = findErrorCode(failure);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    const message = `The gateway at ${gateway.host} did not start to respond within ${formatSeconds(gateway.headersTimeoutMs)}.`;
    return new UpstreamError({ type: 'gateway_timeout', message });
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    const message = `The gateway at ${gateway.host} did not accept a connection within ${formatSeconds(gateway.connectTimeoutMs)}.`;
    return new UpstreamError({ type: 'gateway_timeout', message });
  }
  const isInvalidHttp = failure instanceof Error && failure.name === 'HTTPParserError';
  const invalidReason =
    findUnrequestedReason(failure) ?? findUnreadableReason(isInvalidHttp && code === '' ? 'HPE' : code);
  if (invalidReason !== undefined) {
    const message = `The gateway at ${gateway.host} responded, but its response could not be read: ${invalidReason}.`;
    return new UpstreamError({ type: 'gateway_unreachable', message });
  }
  const reason = describeReason(code);
  const message = `The gateway at ${gateway.host} could not be reached: ${reason}.`;
  return new UpstreamError({ type: 'gateway_unreachable', message });
}

const UNREACHABLE_REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'it refused the connection (ECONNREFUSED)'],
  ['ENOTFOUND', 'its host name was not found (ENOTFOUND)'],
  ['EAI_AGAIN', 'its host name could not be looked up (EAI_AGAIN)'],
  ['EHOSTUNREACH', 'there is no route to the host (EHOSTUNREACH)'],
  ['ENETUNREACH', 'there is no route to the network (ENETUNREACH)'],
  ['ECONNRESET', 'it closed the connection before it responded (ECONNRESET)'],
  ['EPIPE', 'it closed the connection before it responded (EPIPE)'],
  ['UND_ERR_SOCKET', 'it closed the connection before it responded'],
  ['UND_ERR_ABORTED', 'a proxy in between refused the connection'],
]);

/**
 * Reasons why a received response is unreadable, by parser code, so that users do not search for an unreachable
 * gateway.
 */
const UNREADABLE_REASONS: ReadonlyMap<string, string> = new Map([
  ['UND_ERR_HEADERS_OVERFLOW', 'its headers are too large'],
  ['HPE_HEADER_OVERFLOW', 'its headers are too large'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'it has a wrong or duplicate length, or a folded header line'],
]);

/** Failures that the HTTP client reports only by message. */
const UNREQUESTED_REASONS: readonly [message: RegExp, reason: string][] = [
  [/^bad response$/, 'it sent "100 Continue", which was not requested'],
  [/^bad upgrade$|assert\(upgrade\)/, 'it switched to another protocol (101), which was not requested'],
  [
    /whitespace after header value|space after start line/,
    'one of its header lines is folded, which HTTP forbids',
  ],
];

function findUnrequestedReason(failure: unknown): string | undefined {
  if (!(failure instanceof Error)) return undefined;
  return UNREQUESTED_REASONS.find(([message]) => message.test(failure.message))?.[1];
}

function findUnreadableReason(code: string): string | undefined {
  const knownReason = UNREADABLE_REASONS.get(code);
  if (knownReason !== undefined || !code.startsWith('HPE')) return knownReason;
  return `it is not valid HTTP${code === 'HPE' ? '' : ` (${code})`}`;
}

/** OpenSSL received text instead of a TLS record: the server uses plain HTTP. */
const NO_TLS = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/;

function describeReason(code: string): string {
  if (NO_TLS.test(code)) return `it does not use TLS (${code})`;
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code))
    return `a secure connection could not be established (${code})`;
  return (
    UNREACHABLE_REASONS.get(code) ??
    (code === '' ? 'the connection failed' : `the connection failed (${code})`)
  );
}

/** Returns the code of an error or of its cause; several connection attempts are combined into one error. */
function findErrorCode(failure: unknown): string {
  if (!(failure instanceof Error)) return '';
  const code = 'code' in failure ? failure.code : undefined;
  if (typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code)) return code;
  return 'cause' in failure ? findErrorCode(failure.cause) : '';
}

function formatSeconds(ms: number): string {
  return `${ms / 1000} s`;
}
