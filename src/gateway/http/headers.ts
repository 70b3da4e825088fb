import { isRecord, parseJson } from '../../lib/json.ts';

const packedHeader = 'x-gateway-headers';
const statusHeader = 'x-gateway-status';
const directHeaderPattern = /^(?:content-type|x-request-id|retry-after|retry-after-ms|x-ratelimit-.*)$/;

/** True when the answer is the gateway's own, passed through the proxy: only those carry the header of headers. */
export function isProxied(headers: Headers): boolean {
  return headers.has(packedHeader);
}

/**
 * The status that the gateway answered with. Some make a browser send the request again or drop the body; the proxy
 * answers those as 502 and names the real one in a header (a chat is never sent twice).
 */
export function getGatewayStatus({ status, headers }: Response): number {
  if (!isProxied(headers) || status !== 502) return status;
  const statusText = headers.get(statusHeader) ?? '';
  return /^4\d\d$/.test(statusText) ? Number(statusText) : status;
}

/**
 * The gateway's response headers, names in lower case: those that pass directly, and the others that the
 * proxy packs into `x-gateway-headers`. The proxy's own headers are left out. Without that
 * header, all headers as they are.
 */
export function getGatewayHeaders(headers: Headers): Record<string, string> {
  const directEntries = [...headers].filter(([name]) => name !== packedHeader && name !== statusHeader);
  const packed = parseJson(headers.get(packedHeader) ?? '');
  if (!packed.ok || !isRecord(packed.value)) return Object.fromEntries(directEntries);
  const packedEntries = Object.entries(packed.value).flatMap(([name, value]): [string, string][] => {
    const text = Array.isArray(value) ? value.filter((item) => typeof item === 'string').join(', ') : value;
    return typeof text === 'string' ? [[name.toLowerCase(), text]] : [];
  });
  // fromEntries defines own properties, so that a header called __proto__ stays a plain name.
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

/** The request id that the other side reported under any of the names in use, or undefined (§4). */
export function findRequestId(headers: Record<string, string>): string | undefined {
  for (const name of requestIdHeaders) {
    const value = Object.hasOwn(headers, name) ? headers[name]?.trim() : undefined;
    if (value) return value.slice(0, 256);
  }
  return undefined;
}
