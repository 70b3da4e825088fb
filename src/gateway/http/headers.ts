import { isRecord, parseJson } from '../../lib/json.ts';

const packedHeader = 'x-gateway-headers';
const statusHeader = 'x-gateway-status';
const directHeaderPattern = /^(?:content-type|x-request-id|retry-after|retry-after-ms|x-ratelimit-.*)$/;

/** Returns true if the response comes from the gateway through the proxy: only those have the packed header. */
export function isProxied(headers: Headers): boolean {
  return headers.has(packedHeader);
}

/**
 * Returns the gateway's status. Browsers retry or drop some statuses, so the proxy sends 502 and the real status in a
 * header (a chat is never sent twice).
 */
export function getGatewayStatus({ status, headers }: Response): number {
  if (!isProxied(headers) || status !== 502) return status;
  const statusText = headers.get(statusHeader) ?? '';
  return /^4\d\d$/.test(statusText) ? Number(statusText) : status;
}

/**
 * Returns the gateway's response headers in lower case: those passed through and those packed into `x-gateway-headers`,
 * without the proxy's own. Without a packed header, returns all headers.
 */
export function getGatewayHeaders(headers: Headers): Record<string, string> {
  const directEntries = [...headers].filter(([name]) => name !== packedHeader && name !== statusHeader);
  const packed = parseJson(headers.get(packedHeader) ?? '');
  if (!packed.ok || !isRecord(packed.value)) return Object.fromEntries(directEntries);
  const packedEntries = Object.entries(packed.value).flatMap(([name, value]): [string, string][] => {
    const text = Array.isArray(value) ? value.filter((item) => typeof item === 'string').join(', ') : value;
    return typeof text === 'string' ? [[name.toLowerCase(), text]] : [];
  });
  // fromEntries defines own properties, so a header named __proto__ is safe.
  return Object.fromEntries([
    ...packedEntries,
    ...directEntries.filter(([name]) => directHeaderPattern.test(name)),
  ]);
}

const requestIdHeaders = [
  'x-request-id',
  'request-id',
  'x-generation-id',
  'x-litellm-call-id',
  'x-correlation-id',
  'apim-request-id',
  'x-amzn-requestid',
  'x-trace-id',
  'cf-ray',
];

/** Returns the request ID reported under any of the usual names, or undefined (§4). */
export function findRequestId(headers: Record<string, string>): string | undefined {
  for (const name of requestIdHeaders) {
    const value = Object.hasOwn(headers, name) ? headers[name]?.trim() : undefined;
    if (value) return value.slice(0, 256);
  }
  return undefined;
}
