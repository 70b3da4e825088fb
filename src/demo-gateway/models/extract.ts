/** Fills any JSON schema from the words of the message by fixed rules. */
import { isDeeperThan, isJsonObject, maxJsonDepth, type Json, type JsonObject } from '../../lib/json.ts';
import type { DemoModel } from '../model.ts';
import { generateFromSchema, getObject } from './generate-from-schema.ts';
import { getUserTexts } from './prompt-text.ts';
import { toTextOutput, toJsonOutput } from './text-output.ts';
import { getResponseSchema } from './tools.ts';

export const extract: DemoModel = {
  id: 'demo/extract',
  description: 'Fills in a JSON schema with values from the message, matched by field name and format.',
  abilities: { vision: false, tools: false, thinking: false },
  *reply({ messages, fields, isJsonMode }) {
    const schema = getResponseSchema(fields);
    const texts = getUserTexts(messages);
    // Messages that only report schema errors contain no facts, so an earlier message is used.
    const text =
      texts.findLast((userText) => !/does not (?:fit|match) the (?:json )?schema/i.test(userText)) ??
      texts.at(-1) ??
      '';
    if (schema) yield* toJsonOutput(generateFromSchema(withHints(schema, text), text).value);
    else if (isJsonMode) yield* toJsonOutput(parseNamedValues(text));
    else yield* toTextOutput(introduction);
  },
};

const introduction =
  'I am a small program, not a language model. I fill a JSON schema from your message. Set `response_format` to `json_schema`, choose Edit schema, and send a message with the facts, such as "title: Slow checkout, severity: high".';

/** Parses "city: Oslo, days: 3" into an object, for requests for JSON without a schema. */
function parseNamedValues(text: string): Json {
  const pairs = [...text.matchAll(/([\p{L}_][\p{L}\p{N}_ -]{0,40}?)\s*[:=]\s*([^,;\n]{1,400})/gu)];
  const entries = pairs.map(([, name = '', value = '']): [string, Json] => {
    const valueText = value.trim();
    return [
      name
        .trim()
        .replaceAll(/[\s-]+/g, '_')
        .toLowerCase(),
      /^-?\d+(?:\.\d+)?$/.test(valueText) ? Number(valueText) : valueText,
    ];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : { text };
}

const maxDepth = 12;

/**
 * Returns the schema with candidate values from the message as examples of each field. `generateFromSchema` uses them
 * if they fit.
 */
function withHints(schema: JsonObject, text: string): JsonObject {
  if (isDeeperThan(maxJsonDepth, schema)) return schema;
  return addHints(schema, '', text, 0);
}

function addHints(schema: JsonObject, name: string, text: string, depth: number): JsonObject {
  if (depth > maxDepth) return schema;
  const hintedSchema: JsonObject = { ...schema };
  for (const key of ['properties', '$defs', 'definitions'])
    if (isJsonObject(schema[key]))
      hintedSchema[key] = Object.fromEntries(
        Object.entries(getObject(schema, key)).map(([propertyName, field]) => [
          propertyName,
          isJsonObject(field) ? addHints(field, propertyName, text, depth + 1) : field,
        ]),
      );
  for (const key of ['items', 'additionalProperties'])
    if (isJsonObject(schema[key]))
      hintedSchema[key] = addHints(getObject(schema, key), name, text, depth + 1);
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const branches = schema[key];
    if (Array.isArray(branches))
      hintedSchema[key] = branches.map((branch) =>
        isJsonObject(branch) ? addHints(branch, name, text, depth + 1) : branch,
      );
  }
  if ('enum' in schema || 'const' in schema) return hintedSchema;
  const types = new Set([schema['type'] ?? []].flat());
  const examples = types.has('string')
    ? findTextExamples(schema, name, text)
    : types.has('integer') || types.has('number')
      ? findNumberExamples(schema, name, text)
      : [];
  if (examples.length > 0) hintedSchema['examples'] = [...examples, ...[schema['examples'] ?? []].flat()];
  return hintedSchema;
}

/** Patterns of values with a recognisable form, selected by the format or name of the field. */
const fieldPatterns: readonly [field: RegExp, value: RegExp][] = [
  [/e-?mail/i, /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
  [/\bur[il]\b|link|website|web_?site/i, /https?:\/\/[^\s"'<>)]+/g],
  [/date-time|timestamp/i, /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?/g],
  [/\bdate\b|day\b|_on$|birthday/i, /\d{4}-\d\d-\d\d/g],
  [/time|_at$|hour|start|end\b|HH:MM/i, /(?<!\d)\d{1,2}:\d\d(?!\d)/g],
  [/phone|tel\b/i, /\+?\d[\d ()-]{6,}\d/g],
  [/currency/i, /\b(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|JPY)\b/g],
  [/amount|price|total|cost/i, /[€$£]\s?\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)?\s?(?:EUR|USD|GBP|€)/g],
];

function findTextExamples(schema: JsonObject, name: string, text: string): string[] {
  const fieldText = `${name.replaceAll('_', ' ')} ${name} ${getString(schema['format'])} ${getString(schema['description'])}`;
  const formatMatches = fieldPatterns.flatMap(([fieldPattern, valuePattern]) =>
    fieldPattern.test(fieldText) ? (text.match(valuePattern) ?? []) : [],
  );
  const patternMatches = findPatternMatches(schema, text);
  if (formatMatches.length > 0 || patternMatches.length > 0 || schema['format'] !== undefined)
    return [...patternMatches, ...formatMatches];
  return findBestSentence(fieldText, text);
}

/**
 * Returns the words that match the field's pattern. Only short words are tried, because a badly written pattern could
 * run for a long time.
 */
function findPatternMatches(schema: JsonObject, text: string): string[] {
  const { pattern } = schema;
  if (typeof pattern !== 'string' || pattern.length > 200) return [];
  try {
    const allowedPattern = new RegExp(pattern, 'u');
    return (text.match(/[^\s,;"']{1,24}/g) ?? []).slice(0, 200).filter((word) => allowedPattern.test(word));
  } catch {
    return [];
  }
}

/** Fields that a sentence may fill. Other fields stay unknown unless the message names them. */
const sentenceFields =
  /title|headline|subject|summary|description|text|comment|note|question|message|reason|impact|problem|issue|cause|detail|body|content|next|action|step|answer/i;
/** Fields that any sentence may fill. */
const anySentenceFields =
  /title|headline|subject|summary|description|text|message|question|problem|issue|content/i;
const instructionPattern = /\b(?:fill|extract|answer as|return|give me|as json|schema|form)\b/i;

/**
 * Returns the sentence that shares the most words with the field's description. For a title, returns the first sentence
 * if none shares any.
 */
function findBestSentence(fieldText: string, text: string): string[] {
  if (!sentenceFields.test(fieldText)) return [];
  const sentences = text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim().replace(/[.!]$/, ''))
    .filter((sentence) => sentence !== '' && sentence.length <= 600 && !instructionPattern.test(sentence));
  const fieldStems = extractStems(fieldText);
  const scored = sentences.map((sentence) => ({
    sentence,
    shared: [...extractStems(sentence)].filter((stem) => fieldStems.has(stem)).length,
  }));
  const best = scored.toSorted((left, right) => right.shared - left.shared)[0];
  return best && (best.shared > 0 || anySentenceFields.test(fieldText)) ? [best.sentence] : [];
}

function extractStems(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.slice(0, 5)));
}

/** Returns the numbers near a word from the field's description, or the only number in the message. */
function findNumberExamples(schema: JsonObject, name: string, text: string): number[] {
  const fieldStems = extractStems(`${name.replaceAll('_', ' ')} ${getString(schema['description'])}`);
  const numbers = [...text.matchAll(/(?<![\w:.-])-?\d[\d,]*(?:\.\d+)?(?![\w:])/g)].map((match) => ({
    value: Number(match[0].replaceAll(',', '')),
    near: extractStems(text.slice(Math.max(0, match.index - 24), match.index + match[0].length + 24)),
  }));
  const isNearFieldStem = ({ near }: { near: Set<string> }) => [...near].some((stem) => fieldStems.has(stem));
  const chosen = numbers.length === 1 ? numbers : numbers.filter(isNearFieldStem);
  return chosen.map(({ value }) => value).filter(Number.isFinite);
}

function getString(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
