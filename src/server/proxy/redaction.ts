import { createSearchPattern } from '../../lib/text/search-pattern.ts';
import type { GatewayConfig } from '../config.ts';
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
  /** For a successful answer: exact secrets only, since a model may speak about keys in general. */
  createAnswerRedactor: () => Redactor | undefined;
  /** For an error body: also everything that looks like a key of the gateway (§5.2). */
  createErrorRedactor: () => Redactor;
}

/** Values that local servers ask to be sent as a key: they are not secrets, but words that answers use. */
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
/** From here on a value is taken for a credential whatever its header is called. */
const MIN_CREDENTIAL_CHARS = 12;

/** Redaction of one gateway's key and of the extra headers that may hold credentials. */
export function createRedaction(
  gateway: Pick<GatewayConfig, 'apiKey' | 'extraHeaders'> | undefined,
): Redaction {
  const encodings = [...new Set(gateway === undefined ? [] : listSecrets(gateway).flatMap(listKeyEncodings))];
  if (encodings.length === 0) {
    return {
      redactText: (text) => text.replace(KEY_PATTERN, REPLACEMENT),
      createAnswerRedactor: () => undefined,
      createErrorRedactor: createPatternRedactor,
    };
  }
  const search = createSearchPattern(encodings);
  return {
    redactText: (text) => text.replace(search, REPLACEMENT).replace(KEY_PATTERN, REPLACEMENT),
    createAnswerRedactor: () => createEncodingRedactor(encodings),
    createErrorRedactor: () => chainRedactors([createEncodingRedactor(encodings), createPatternRedactor()]),
  };
}

/**
 * The key and what among the extra headers may be a credential, by the header's name or by its length, each also without
 * the scheme before it ("Bearer", "Api-Key"): a gateway may repeat only the rest.
 */
function listSecrets(gateway: Pick<GatewayConfig, 'apiKey' | 'extraHeaders'>): string[] {
  const fromHeaders = gateway.extraHeaders.flatMap(([name, value]) => {
    const hasCredentialName = isCredentialName(name);
    const lastWord = value.slice(value.lastIndexOf(' ') + 1);
    if (hasCredentialName) return [value, lastWord];
    // The last of several words, unless it is a word of some language.
    const isCode = lastWord.length >= MIN_CREDENTIAL_CHARS || /\d/.test(lastWord);
    return value.length < MIN_CREDENTIAL_CHARS ? [] : isCode ? [value, lastWord] : [value];
  });
  return [gateway.apiKey ?? '', ...fromHeaders].filter(
    (value) => value.length >= MIN_SECRET_CHARS && !PLACEHOLDERS.has(value.toLowerCase()),
  );
}

/** True for a header name with a word for credentials, or whose last word has one in it: "x-keyboard-layout" has none. */
function isCredentialName(name: string): boolean {
  const words = name.split(/[-_]/);
  const hasCredentialWord = words.some((word) =>
    /^(?:(?:api)?keys?|tokens?|secrets?|auth[a-z]*|pass[a-z]*|credentials?)$/.test(word),
  );
  return hasCredentialWord || /key|token|secret|auth|pass|credential/.test(words.at(-1) ?? '');
}
