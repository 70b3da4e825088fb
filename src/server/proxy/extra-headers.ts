import { isRecord, parseJson } from '../../lib/json.ts';
import { ConfigurationError } from '../configuration-error.ts';

/** Headers that the proxy sets itself, or that belong to one connection. */
const RESERVED_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);

/**
 * Reads the extra headers of a gateway from the value of `variable`: names in lower case with their values.
 * `keyVariable` is set if the gateway has a key. Throws ConfigurationError.
 */
export function readExtraHeaders(
  text: string | undefined,
  variable: string,
  keyVariable: string | undefined,
): [name: string, value: string][] {
  if (text === undefined) return [];
  const parsed = parseJson(text);
  if (!parsed.ok || !isRecord(parsed.value)) {
    throw new ConfigurationError(
      `${variable} must be a JSON object of header names and values, like {"x-team": "blue"}.`,
    );
  }
  return Object.entries(parsed.value).map(([name, value]) => [
    readHeaderName(name, variable, keyVariable),
    readHeaderValue(name, value, variable),
  ]);
}

function readHeaderName(text: string, variable: string, keyVariable: string | undefined): string {
  const name = text.toLowerCase();
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(name)) {
    throw new ConfigurationError(
      `${variable} contains ${JSON.stringify(text.slice(0, 80))}, which is not a header name.`,
    );
  }
  if (name === 'authorization' && keyVariable !== undefined) {
    throw new ConfigurationError(
      `${variable} contains authorization while ${keyVariable} is set: use only one of them.`,
    );
  }
  if (RESERVED_HEADERS.has(name)) {
    throw new ConfigurationError(`${variable} contains ${name}, which the proxy sets itself: remove it.`);
  }
  return name;
}

function readHeaderValue(name: string, value: unknown, variable: string): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && /^[\x20-\x7e]*$/.test(text)) return text.trim();
  throw new ConfigurationError(
    `${variable}: the value of ${name} must contain only printable ASCII characters.`,
  );
}
