import type { GatewayConfig } from './config.ts';
import { escapedRedactor } from './escaped-redactor.ts';
import { chained, exactRedactor, KEY_PATTERN, patternRedactor, REPLACEMENT } from './redactor.ts';
import type { Redactor } from './redactor.ts';

/** Removes secrets from a whole text, such as a header or a log line. */
export type TextRedaction = (text: string) => string;

export interface Redaction {
  ofText: TextRedaction;
  /** For a successful answer: exact secrets only, since a model may speak about keys in general. */
  ofAnswer: () => Redactor | undefined;
  /** For an error body: also everything that looks like a key of the gateway (gateway-spec.md §5.2). */
  ofError: () => Redactor;
}

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
  const forms = formsOf(secrets);
  // Names of headers and hosts come in lower case whatever the gateway wrote.
  const forTexts = [...secrets, ...secrets.map((secret) => secret.toLowerCase())];
  const formsInTexts = formsOf(forTexts);
  const ofText: TextRedaction = (text) => {
    let clean = text;
    for (const form of formsInTexts) clean = clean.replaceAll(form, REPLACEMENT);
    if (/[\\%]/.test(clean)) clean = throughAll(clean, escapedRedactors(forTexts));
    return clean.replace(KEY_PATTERN, REPLACEMENT);
  };
  const redactors = () => [...forms.map(exactRedactor), ...escapedRedactors(secrets)];
  return {
    ofText,
    ofAnswer: () => (secrets.length === 0 ? undefined : chained(redactors())),
    ofError: () => chained([...redactors(), patternRedactor()]),
  };
}

function escapedRedactors(secrets: readonly string[]): Redactor[] {
  return secrets.flatMap((secret) => escapedRedactor(secret, SHORTEST_SECRET) ?? []);
}

function throughAll(text: string, redactors: readonly Redactor[]): string {
  const all = chained(redactors);
  return Buffer.concat([all.push(Buffer.from(text)), all.flush()]).toString();
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
  return longestFirst(real);
}

/** Each secret as it is and as it is usually written in JSON and in addresses, which is quick to look for. */
function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((value) => [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
  ]);
  return longestFirst(forms);
}

/** So that a secret inside another one leaves no rest. */
function longestFirst(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted((one, other) => other.length - one.length);
}
