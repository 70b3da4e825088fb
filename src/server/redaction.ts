import type { GatewayConfig } from './config.ts';

/** Removes secrets from bytes that come in pieces; keeps back only what may be the beginning of one. */
export interface Redactor {
  push: (bytes: Buffer) => Buffer;
  /** What was kept back, at the end. */
  flush: () => Buffer;
}

/** Removes secrets from a whole text, such as a header or a log line. */
export type TextRedaction = (text: string) => string;

export interface Redaction {
  ofText: TextRedaction;
  /** For a successful answer: exact secrets only, since a model may speak about keys in general. */
  ofAnswer: () => Redactor | undefined;
  /** For an error body: also everything that looks like a key of the gateway (gateway-spec.md §5.2). */
  ofError: () => Redactor;
}

const REPLACEMENT = '[redacted]';
const KEY_PATTERN = /fk-[A-Za-z0-9_-]{8,}/g;
const KEY_PATTERN_TAIL = /f$|fk$|fk-[A-Za-z0-9_-]{0,512}$/;

/** Values that local servers ask to be sent as a key: they are no secrets, but words that answers use. */
const PLACEHOLDERS = new Set([
  'dummy',
  'empty',
  'lm-studio',
  'no-key',
  'none',
  'not-needed',
  'ollama',
  'placeholder',
  'sk-no-key-required',
  'test',
  'unused',
]);
const SHORTEST_SECRET = 6;

/** Redaction of one gateway's key and of the extra headers that hold credentials (faults.md T2). */
export function createRedaction(
  gateway: Pick<GatewayConfig, 'apiKey' | 'extraHeaders'> | undefined,
): Redaction {
  const secrets = gateway === undefined ? [] : secretsOf(gateway);
  const ofText: TextRedaction = (text) => {
    let clean = text;
    for (const secret of secrets) clean = clean.replaceAll(secret, REPLACEMENT);
    return clean.replace(KEY_PATTERN, REPLACEMENT);
  };
  return {
    ofText,
    ofAnswer: () => (secrets.length === 0 ? undefined : chained(secrets.map(exactRedactor))),
    ofError: () => chained([...secrets.map(exactRedactor), patternRedactor()]),
  };
}

function secretsOf(gateway: Pick<GatewayConfig, 'apiKey' | 'extraHeaders'>): string[] {
  const credentials = gateway.extraHeaders.filter(([name]) =>
    /key|token|secret|auth|pass|credential/.test(name),
  );
  const values = [
    gateway.apiKey ?? '',
    ...credentials.map(([, value]) => value.replace(/^(?:bearer|basic|token)\s+/i, '')),
  ];
  const real = values.filter(
    (value) => value.length >= SHORTEST_SECRET && !PLACEHOLDERS.has(value.toLowerCase()),
  );
  const forms = real.flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
  ]);
  // The longest first, so that a secret inside another one leaves no rest.
  return [...new Set(forms)].toSorted((one, other) => other.length - one.length);
}

function exactRedactor(secret: string): Redactor {
  const needle = Buffer.from(secret, 'latin1');
  const replacement = Buffer.from(REPLACEMENT, 'latin1');
  let kept: Buffer = Buffer.alloc(0);
  return {
    push(bytes) {
      let rest = kept.length === 0 ? bytes : Buffer.concat([kept, bytes]);
      const clean: Buffer[] = [];
      for (let at = rest.indexOf(needle); at !== -1; at = rest.indexOf(needle)) {
        clean.push(rest.subarray(0, at), replacement);
        rest = rest.subarray(at + needle.length);
      }
      const keep = lengthOfBeginningAtEnd(rest, needle);
      kept = keep === 0 ? EMPTY : Buffer.from(rest.subarray(rest.length - keep));
      const ready = rest.subarray(0, rest.length - keep);
      return clean.length === 0 ? ready : Buffer.concat([...clean, ready]);
    },
    flush() {
      const rest = kept;
      kept = EMPTY;
      return rest;
    },
  };
}

const EMPTY = Buffer.alloc(0);

/** How many bytes at the end of `bytes` are the beginning of `needle`, without being all of it. */
function lengthOfBeginningAtEnd(bytes: Buffer, needle: Buffer): number {
  const from = Math.max(0, bytes.length - needle.length + 1);
  const first = needle[0] ?? 0;
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (needle.subarray(0, bytes.length - at).equals(bytes.subarray(at))) return bytes.length - at;
  }
  return 0;
}

function patternRedactor(): Redactor {
  // latin1 maps bytes to characters one to one, so that UTF-8 around a key stays as it is.
  let kept = '';
  return {
    push(bytes) {
      const text = kept + bytes.toString('latin1');
      const tail = KEY_PATTERN_TAIL.exec(text)?.index ?? text.length;
      kept = text.slice(tail);
      return Buffer.from(text.slice(0, tail).replace(KEY_PATTERN, REPLACEMENT), 'latin1');
    },
    flush() {
      const rest = kept.replace(KEY_PATTERN, REPLACEMENT);
      kept = '';
      return Buffer.from(rest, 'latin1');
    },
  };
}

function chained(redactors: readonly Redactor[]): Redactor {
  return {
    push: (bytes) => redactors.reduce((rest, redactor) => redactor.push(rest), bytes),
    flush: () =>
      redactors.reduce((rest, redactor) => Buffer.concat([redactor.push(rest), redactor.flush()]), EMPTY),
  };
}
