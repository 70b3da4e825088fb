/** A small program that fills any JSON schema from the words of the message, by rules that it can tell. */
import { isDeeperThan, isJsonObject, maxJsonDepth, type Json, type JsonObject } from '../../lib/json.ts';
import type { DemoModel } from '../model.ts';
import { fillSchema, objectAt } from './generate-from-schema.ts';
import { userTexts } from './prompt-text.ts';
import { textPieces, valuePieces } from './text-output.ts';
import { schemaOf } from './tools.ts';

export const extract: DemoModel = {
  id: 'demo/extract',
  about: 'Fills a JSON schema from the message: what is named in it, and what has the form of the field.',
  abilities: { vision: false, tools: false, thinking: false },
  *reply({ messages, fields, wantsJson }) {
    const schema = schemaOf(fields);
    const texts = userTexts(messages);
    // What only tells the faults of an answer brings no facts: they are in what was said before.
    const text =
      texts.findLast((said) => !/does not fit the (?:json )?schema/i.test(said)) ?? texts.at(-1) ?? '';
    if (schema) yield* valuePieces(fillSchema(withHints(schema, text), text).value);
    else if (wantsJson) yield* valuePieces(namedValues(text));
    else yield* textPieces(aboutItself);
  },
};

const aboutItself =
  'I am a small program and not a language model: I fill a JSON schema from your message. Set `response_format` to `json_schema`, press Edit schema, and send a message that holds the facts, such as "title: Slow checkout, severity: high".';

/** "city: Oslo, days: 3" as an object, for a request that asks for JSON without a schema. */
function namedValues(text: string): Json {
  const pairs = [...text.matchAll(/([\p{L}_][\p{L}\p{N}_ -]{0,40}?)\s*[:=]\s*([^,;\n]{1,400})/gu)];
  const found = pairs.map(([, name = '', value = '']): [string, Json] => {
    const words = value.trim();
    return [
      name
        .trim()
        .replaceAll(/[\s-]+/g, '_')
        .toLowerCase(),
      /^-?\d+(?:\.\d+)?$/.test(words) ? Number(words) : words,
    ];
  });
  return found.length > 0 ? Object.fromEntries(found) : { text };
}

const deepest = 12;

/** The schema with what the message offers for each field as its examples, which the filling takes where they fit. */
function withHints(schema: JsonObject, text: string): JsonObject {
  if (isDeeperThan(maxJsonDepth, schema)) return schema;
  return hinted(schema, '', text, 0);
}

function hinted(schema: JsonObject, name: string, text: string, depth: number): JsonObject {
  if (depth > deepest) return schema;
  const next: JsonObject = { ...schema };
  for (const key of ['properties', '$defs', 'definitions'])
    if (isJsonObject(schema[key]))
      next[key] = Object.fromEntries(
        Object.entries(objectAt(schema, key)).map(([each, field]) => [
          each,
          isJsonObject(field) ? hinted(field, each, text, depth + 1) : field,
        ]),
      );
  for (const key of ['items', 'additionalProperties'])
    if (isJsonObject(schema[key])) next[key] = hinted(objectAt(schema, key), name, text, depth + 1);
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const parts = schema[key];
    if (Array.isArray(parts))
      next[key] = parts.map((part) => (isJsonObject(part) ? hinted(part, name, text, depth + 1) : part));
  }
  if ('enum' in schema || 'const' in schema) return next;
  const types = new Set([schema['type'] ?? []].flat());
  const offers = types.has('string')
    ? textOffers(schema, name, text)
    : types.has('integer') || types.has('number')
      ? numberOffers(schema, name, text)
      : [];
  if (offers.length > 0) next['examples'] = [...offers, ...[schema['examples'] ?? []].flat()];
  return next;
}

/** What has a form of its own, by the format or the name of the field. */
const forms: readonly [field: RegExp, written: RegExp][] = [
  [/e-?mail/i, /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
  [/\bur[il]\b|link|website|web_?site/i, /https?:\/\/[^\s"'<>)]+/g],
  [/date-time|timestamp/i, /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?/g],
  [/\bdate\b|day\b|_on$|birthday/i, /\d{4}-\d\d-\d\d/g],
  [/time|_at$|hour|start|end\b|HH:MM/i, /(?<!\d)\d{1,2}:\d\d(?!\d)/g],
  [/phone|tel\b/i, /\+?\d[\d ()-]{6,}\d/g],
  [/currency/i, /\b(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|JPY)\b/g],
  [/amount|price|total|cost/i, /[€$£]\s?\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)?\s?(?:EUR|USD|GBP|€)/g],
];

function textOffers(schema: JsonObject, name: string, text: string): string[] {
  const asked = `${name.replaceAll('_', ' ')} ${name} ${words(schema['format'])} ${words(schema['description'])}`;
  const byForm = forms.flatMap(([field, written]) => (field.test(asked) ? (text.match(written) ?? []) : []));
  const pattern = patternOffers(schema, text);
  if (byForm.length > 0 || pattern.length > 0 || schema['format'] !== undefined)
    return [...pattern, ...byForm];
  return sentenceFor(asked, text);
}

/** Words of the message that the pattern of the field allows. A bad pattern could run for long: only short words are tried. */
function patternOffers(schema: JsonObject, text: string): string[] {
  const { pattern } = schema;
  if (typeof pattern !== 'string' || pattern.length > 200) return [];
  try {
    const allowed = new RegExp(pattern, 'u');
    return (text.match(/[^\s,;"']{1,24}/g) ?? []).slice(0, 200).filter((word) => allowed.test(word));
  } catch {
    return [];
  }
}

/** Names of what is told in a sentence; anything else that the message does not name stays unknown. */
const told =
  /title|headline|subject|summary|description|text|comment|note|question|message|reason|impact|problem|issue|cause|detail|body|content|next|action|step|answer/i;
/** What any sentence can stand for. */
const whole = /title|headline|subject|summary|description|text|message|question|problem|issue|content/i;
const asks = /\b(?:fill|extract|answer as|return|give me|as json|schema|form)\b/i;

/** The sentence that shares most words with what the field is for; the first one for a title. */
function sentenceFor(asked: string, text: string): string[] {
  if (!told.test(asked)) return [];
  const sentences = text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim().replace(/[.!]$/, ''))
    .filter((sentence) => sentence !== '' && sentence.length <= 600 && !asks.test(sentence));
  const wanted = stems(asked);
  const scored = sentences.map((sentence) => ({
    sentence,
    shared: [...stems(sentence)].filter((stem) => wanted.has(stem)).length,
  }));
  const best = scored.toSorted((left, right) => right.shared - left.shared)[0];
  return best && (best.shared > 0 || whole.test(asked)) ? [best.sentence] : [];
}

function stems(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.slice(0, 5)));
}

/** Numbers of the message: those beside a word of the description first; alone in the message, the only one. */
function numberOffers(schema: JsonObject, name: string, text: string): number[] {
  const wanted = stems(`${name.replaceAll('_', ' ')} ${words(schema['description'])}`);
  const found = [...text.matchAll(/(?<![\w:.-])-?\d[\d,]*(?:\.\d+)?(?![\w:])/g)].map((match) => ({
    value: Number(match[0].replaceAll(',', '')),
    near: stems(text.slice(Math.max(0, match.index - 24), match.index + match[0].length + 24)),
  }));
  const isNear = ({ near }: { near: Set<string> }) => [...near].some((stem) => wanted.has(stem));
  const chosen = found.length === 1 ? found : found.filter(isNear);
  return chosen.map(({ value }) => value).filter(Number.isFinite);
}

function words(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
