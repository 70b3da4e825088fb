import { createSearchPattern } from '../../lib/text/search-pattern.ts';
import type { GatewayConfig } from '../gateway-settings.ts';
import { listKeyEncodings } from './key-encodings.ts';
import {
  chainRedactors,
  KEY_PATTERN,
  createPatternRedactor,
  REPLACEMENT,
  createEncodingRedactor,
} from './redactor.ts';
import type { Redactor } from './redactor.ts';

/** Removes secrets from a whole text, such as a header or a log line. */
export type TextRedaction = (text: string) => string;

export interface Redaction {
  redactText: TextRedaction;
  /** Removes only exact secrets from a successful answer, since a model may write about keys in general. */
  createAnswerRedactor: () => Redactor | undefined;
  /** Also removes anything that looks like a gateway key (§5.2) from an error body. */
  createErrorRedactor: () => Redactor;
}

/** Keys that local servers expect; they are not secrets but ordinary words. */
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
const MIN_SECRET_CHARS = 6;
/** Values of this length count as credentials whatever the header is called. */
const MIN_CREDENTIAL_CHARS = 12;

/**
 * Creates the redaction for the keys of all gateways, so that none of them can repeat the key of another, and for the
 * values of their extra headers. In answers, only those that may be credentials are removed: a model may write the
 * name of a team.
 */
export function createRedaction(
  gateways: readonly Pick<GatewayConfig, 'apiKey' | 'extraHeaders'>[],
): Redaction {
  const encodings = listEncodings(gateways.flatMap(listSecrets));
  const errorEncodings = listEncodings(
    gateways.flatMap((gateway) => [
      ...listSecrets(gateway),
      ...gateway.extraHeaders.map(([, value]) => value).filter(canBeSecret),
    ]),
  );
  if (errorEncodings.length === 0) {
    return {
      redactText: (text) => text.replace(KEY_PATTERN, REPLACEMENT),
      createAnswerRedactor: () => undefined,
      createErrorRedactor: createPatternRedactor,
    };
  }
  const search = createSearchPattern(errorEncodings);
  return {
    redactText: (text) => text.replace(search, REPLACEMENT).replace(KEY_PATTERN, REPLACEMENT),
    createAnswerRedactor: () => (encodings.length === 0 ? undefined : createEncodingRedactor(encodings)),
    createErrorRedactor: () =>
      chainRedactors([createEncodingRedactor(errorEncodings), createPatternRedactor()]),
  };
}

/**
 * Lists the key and the extra headers that may be credentials, by name or by length. Also lists each of them without
 * its scheme ("Bearer", "Api-Key"), since a gateway may repeat only the rest.
 */
function listSecrets(gateway: Pick<GatewayConfig, 'apiKey' | 'extraHeaders'>): string[] {
  const fromHeaders = gateway.extraHeaders.flatMap(([name, value]) => {
    const hasCredentialName = isCredentialName(name);
    const lastWord = value.slice(value.lastIndexOf(' ') + 1);
    if (hasCredentialName) return [value, lastWord];
    // Lists the last of several words separately, unless it is an ordinary word.
    const isCode = lastWord.length >= MIN_CREDENTIAL_CHARS || /\d/.test(lastWord);
    return value.length < MIN_CREDENTIAL_CHARS ? [] : isCode ? [value, lastWord] : [value];
  });
  return [gateway.apiKey ?? '', ...fromHeaders].filter(canBeSecret);
}

/** Returns false for short values and placeholders, which occur in ordinary text. */
function canBeSecret(value: string): boolean {
  return value.length >= MIN_SECRET_CHARS && !PLACEHOLDERS.has(value.toLowerCase());
}

function listEncodings(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap(listKeyEncodings))];
}

/**
 * Returns true for a header name that contains a credential word, or whose last word includes one as a part;
 * "x-keyboard-layout" does not count.
 */
function isCredentialName(name: string): boolean {
  const words = name.split(/[-_]/);
  const hasCredentialWord = words.some((word) =>
    /^(?:(?:api)?keys?|tokens?|secrets?|auth[a-z]*|pass[a-z]*|credentials?)$/.test(word),
  );
  return hasCredentialWord || /key|token|secret|auth|pass|credential/.test(words.at(-1) ?? '');
}
