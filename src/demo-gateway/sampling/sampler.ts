/** Continues a text word by word with an n-gram model of the documentation, so that sampling can be seen at work. */
import { getNumberProperty, getOwnProperty, isRecord, type JsonObject } from '../../lib/json.ts';
import { trimEndChars } from '../../lib/text/trim.ts';
import type { DemoModel, DemoRequest, Piece } from '../model.ts';
import { documentation, withoutCode } from '../models/documentation.ts';
import { lastUserText } from '../models/prompt-text.ts';
import { textPieces } from '../models/text-output.ts';
import { contextLength, countNGrams, paragraphEnd, tokensOf, type NGramModel } from './n-gram-model.ts';
import { candidatesOf, chosen, type SamplingSettings } from './token-sampling.ts';

export const sampler: DemoModel = {
  id: 'demo/sampler',
  about:
    'Continues a text with a 4-gram model of the documentation; every sampling parameter works as defined.',
  abilities: { vision: false, tools: false, thinking: false },
  reply: (request) => {
    const text = lastUserText(request.messages);
    const command = /^\/tokens\b(.*)$/su.exec(text);
    if (command) return textPieces(tokenTable(command[1] ?? ''));
    return request.wantsJson ? asJson(continuation(text, request)) : continuation(text, request);
  },
};

/** Tokens after which a text may end at the end of a sentence, and after which it ends in any case. */
const naturalLength = 100;
const longestLength = 300;

let counted: NGramModel | undefined;

/** The model of the documentation's prose, counted at first use. */
export function documentationModel(): NGramModel {
  counted ??= countNGrams(documentation().flatMap(({ body }) => proseOf(body)));
  return counted;
}

/** The paragraphs without code blocks, tables and facts: what reads as sentences. */
function proseOf(body: string): string[] {
  return withoutCode(body)
    .split(/\n{2,}/)
    .filter((paragraph) => /^[\p{L}"`]/u.test(paragraph))
    .map((paragraph) => paragraph.replace(/["()]/g, '').replace(/\s+/g, ' ').trim());
}

function* continuation(text: string, { fields, random }: DemoRequest): Generator<Piece> {
  const model = documentationModel();
  const settings = settingsOf(fields, model);
  const prompt = knownTokens(text, model);
  const answer = new Map<number, number>();
  const context = prompt.length === 0 ? indexesOf(paragraphEnd, model) : prompt.slice(-contextLength);
  let isFirst = true;
  for (let length = 1; length <= longestLength; length += 1) {
    const candidates = candidatesOf(model.probabilities(context), settings, {
      prompt: new Set(prompt),
      answer,
    });
    const index = chosen(candidates, random());
    const token = model.vocabulary[index] ?? '';
    if (token === paragraphEnd && length > naturalLength) return;
    // The answer starts in a bubble of its own: no space before its first word.
    const piece: string = isFirst ? token.trimStart() : token;
    if (piece !== '') yield { text: piece };
    isFirst &&= piece === '';
    if (length >= naturalLength && /^[.?]$/.test(token)) return;
    answer.set(index, (answer.get(index) ?? 0) + 1);
    context.push(index);
    if (context.length > contextLength) context.shift();
  }
}

function* asJson(pieces: Iterable<Piece>): Generator<Piece> {
  yield { text: '{"text": "' };
  for (const piece of pieces) {
    if ('text' in piece) yield { text: JSON.stringify(piece.text).slice(1, -1) };
  }
  yield { text: '"}' };
}

/** §2.1: top_p is 0.7 where it is not sent. */
function settingsOf(fields: JsonObject, model: NGramModel): SamplingSettings {
  return {
    temperature: getNumberProperty(fields, 'temperature') ?? 1,
    topP: getNumberProperty(fields, 'top_p') ?? 0.7,
    topK: getNumberProperty(fields, 'top_k') ?? 0,
    frequencyPenalty: getNumberProperty(fields, 'frequency_penalty') ?? 0,
    presencePenalty: getNumberProperty(fields, 'presence_penalty') ?? 0,
    repetitionPenalty: getNumberProperty(fields, 'repetition_penalty') ?? 1,
    bias: biasOf(getOwnProperty(fields, 'logit_bias'), model),
  };
}

/** Keys are token ids or the tokens themselves; keys that name no token are ignored, as are values that are not numbers. */
function biasOf(value: unknown, model: NGramModel): Map<number, number> {
  const bias = new Map<number, number>();
  if (!isRecord(value)) return bias;
  const byId = new Map(model.vocabulary.map((token, index) => [String(tokenId(token)), index]));
  for (const [key, amount] of Object.entries(value)) {
    const index = byId.get(key) ?? model.indexOf(key);
    if (index !== undefined && typeof amount === 'number') bias.set(index, amount);
  }
  return bias;
}

/** The id of a token for logit_bias: FNV-1a of its UTF-8 bytes, 32 bits, modulo 1,000,003. Depends on nothing else. */
export function tokenId(token: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(token)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % 1_000_003;
}

/** The last run of words that the model knows, as indexes; signs at the end of the message are not part of it. */
function knownTokens(text: string, model: NGramModel): number[] {
  const known: number[] = [];
  for (const token of tokensOf(trimEndChars(text, ' \t\n.?!…')).toReversed()) {
    const [index] = indexesOf(token, model);
    if (index !== undefined) known.unshift(index);
    else if (known.length > 0) break;
  }
  return known;
}

/** The token as it is written, else in the spellings in which a text may have it; the commonest first. */
function indexesOf(token: string, model: NGramModel): number[] {
  const exact = model.indexOf(token);
  const word = token.trim();
  const lower = word.toLowerCase();
  const capital = lower.slice(0, 1).toUpperCase() + lower.slice(1);
  const spellings = [` ${word}`, word, ` ${lower}`, lower, ` ${capital}`, capital, ` \`${word}\``];
  const others = spellings.flatMap((spelling) => model.indexOf(spelling) ?? []);
  return [...new Set([...(exact === undefined ? [] : [exact]), ...others])];
}

const tableLength = 20;

/** The answer to `/tokens some words`: each token with its id, ready to be used in logit_bias. */
function tokenTable(words: string): string {
  const model = documentationModel();
  const asked = tokensOf(words.trim());
  const indexes =
    asked.length === 0 ? commonest(model) : [...new Set(asked.flatMap((token) => indexesOf(token, model)))];
  const unknown = asked
    .filter((token) => indexesOf(token, model).length === 0)
    .map((token) => `\`${token.trim()}\``);
  const rows = indexes.map((index) => {
    const token = model.vocabulary[index] ?? '';
    return `| ${codeSpan(JSON.stringify(token))} | ${tokenId(token)} | ${model.countOf(index)} |`;
  });
  const intro =
    asked.length === 0
      ? `The ${tableLength} most common of ${model.vocabulary.length} tokens:`
      : 'These tokens are in the vocabulary:';
  const parts =
    rows.length === 0
      ? []
      : [
          [intro, '', '| Token | ID | Times in the documentation |', '| --- | ---: | ---: |', ...rows].join(
            '\n',
          ),
        ];
  if (unknown.length > 0) parts.push(`Not in the vocabulary: ${unknown.join(', ')}.`);
  return parts.join('\n\n');
}

function codeSpan(code: string): string {
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
}

function commonest(model: NGramModel): number[] {
  return Array.from(model.vocabulary.keys())
    .toSorted((left, right) => model.countOf(right) - model.countOf(left))
    .slice(0, tableLength);
}
