/** Continues a text word by word with an n-gram model of the documentation, to demonstrate sampling parameters. */
import { getNumberProperty, getOwnProperty, isRecord, type JsonObject } from '../../lib/json.ts';
import { trimEndChars } from '../../lib/text/trim.ts';
import type { DemoModel, DemoRequest, ModelOutput } from '../model.ts';
import { getPassages, withoutCode } from '../models/documentation.ts';
import { getLastUserText } from '../models/prompt-text.ts';
import { toTextOutput } from '../models/text-output.ts';
import {
  contextLength,
  createNGramModel,
  paragraphEnd,
  tokenizeParagraph,
  type NGramModel,
} from './n-gram-model.ts';
import { getTokenCandidates, pickCandidate, type SamplingSettings } from './token-sampling.ts';

export const sampler: DemoModel = {
  id: 'demo/sampler',
  description:
    'Continues text with a 4-gram model trained on the documentation. All sampling parameters work as defined.',
  abilities: { vision: false, tools: false, thinking: false },
  reply: (request) => {
    const text = getLastUserText(request.messages);
    const command = /^\/tokens\b(.*)$/su.exec(text);
    if (command) return toTextOutput(formatTokenTable(command[1] ?? ''));
    return request.isJsonMode
      ? wrapAsJson(generateContinuation(text, request))
      : generateContinuation(text, request);
  },
};

/** Number of tokens after which a text may end with a sentence, and number after which it always ends. */
const minContinuationTokens = 100;
const maxContinuationTokens = 300;

let cachedModel: NGramModel | undefined;

/** Returns the model of the documentation's prose, built on first use. */
export function getDocumentationModel(): NGramModel {
  cachedModel ??= createNGramModel(getPassages().flatMap(({ body }) => extractProse(body)));
  return cachedModel;
}

/** Returns the paragraphs of prose, without code blocks, tables, lists and what only introduces them. */
function extractProse(body: string): string[] {
  return withoutCode(body)
    .split(/\n{2,}/)
    .filter((paragraph) => /^[\p{L}"`]/u.test(paragraph) && !paragraph.trimEnd().endsWith(':'))
    .map((paragraph) => paragraph.replace(/["()]/g, '').replace(/\s+/g, ' ').trim());
}

function* generateContinuation(text: string, { fields, random }: DemoRequest): Generator<ModelOutput> {
  const model = getDocumentationModel();
  const settings = readSettings(fields, model);
  const promptIndexes = findKnownTokens(text, model);
  const answerCounts = new Map<number, number>();
  const context =
    promptIndexes.length === 0 ? findIndexes(paragraphEnd, model) : promptIndexes.slice(-contextLength);
  let isFirst = true;
  for (let length = 1; length <= maxContinuationTokens; length += 1) {
    const candidates = getTokenCandidates(model.computeProbabilities(context), settings, {
      prompt: new Set(promptIndexes),
      answer: answerCounts,
    });
    const index = pickCandidate(candidates, random());
    const token = model.vocabulary[index] ?? '';
    if (token === paragraphEnd && length > minContinuationTokens) return;
    // The answer is displayed separately from the prompt, so its first word has no leading space.
    const piece: string = isFirst ? token.trimStart() : token;
    if (piece !== '') yield { text: piece };
    isFirst &&= piece === '';
    if (length >= minContinuationTokens && /^[.?]$/.test(token)) return;
    answerCounts.set(index, (answerCounts.get(index) ?? 0) + 1);
    context.push(index);
    if (context.length > contextLength) context.shift();
  }
}

function* wrapAsJson(pieces: Iterable<ModelOutput>): Generator<ModelOutput> {
  yield { text: '{"text": "' };
  for (const piece of pieces) {
    if ('text' in piece) yield { text: JSON.stringify(piece.text).slice(1, -1) };
  }
  yield { text: '"}' };
}

/** Reads the sampling settings; top_p defaults to 0.7 (§2.1). */
function readSettings(fields: JsonObject, model: NGramModel): SamplingSettings {
  return {
    temperature: getNumberProperty(fields, 'temperature') ?? 1,
    topP: getNumberProperty(fields, 'top_p') ?? 0.7,
    topK: getNumberProperty(fields, 'top_k') ?? 0,
    frequencyPenalty: getNumberProperty(fields, 'frequency_penalty') ?? 0,
    presencePenalty: getNumberProperty(fields, 'presence_penalty') ?? 0,
    repetitionPenalty: getNumberProperty(fields, 'repetition_penalty') ?? 1,
    bias: readLogitBias(getOwnProperty(fields, 'logit_bias'), model),
  };
}

/** Reads logit_bias. Keys are token IDs or tokens; unknown keys and values that are not numbers are ignored. */
function readLogitBias(value: unknown, model: NGramModel): Map<number, number> {
  const bias = new Map<number, number>();
  if (!isRecord(value)) return bias;
  const indexById = new Map(model.vocabulary.map((token, index) => [String(getTokenId(token)), index]));
  for (const [key, amount] of Object.entries(value)) {
    const index = indexById.get(key) ?? model.getIndex(key);
    if (index !== undefined && typeof amount === 'number') bias.set(index, amount);
  }
  return bias;
}

/**
 * Returns the ID of a token for logit_bias: 32-bit FNV-1a of its UTF-8 bytes, modulo 1,000,003. Independent of the
 * vocabulary.
 */
export function getTokenId(token: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(token)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % 1_000_003;
}

/** Returns the indexes of the last run of known words, ignoring punctuation at the end of the message. */
function findKnownTokens(text: string, model: NGramModel): number[] {
  const tokenIndexes: number[] = [];
  for (const token of tokenizeParagraph(trimEndChars(text, ' \t\n.?!…')).toReversed()) {
    const [index] = findIndexes(token, model);
    if (index !== undefined) tokenIndexes.unshift(index);
    else if (tokenIndexes.length > 0) break;
  }
  return tokenIndexes;
}

/** Returns the indexes of the exact token and of its spelling variants, the most common first. */
function findIndexes(token: string, model: NGramModel): number[] {
  const exact = model.getIndex(token);
  const word = token.trim();
  const lower = word.toLowerCase();
  const capital = lower.slice(0, 1).toUpperCase() + lower.slice(1);
  const variants = [` ${word}`, word, ` ${lower}`, lower, ` ${capital}`, capital, ` \`${word}\``];
  const others = variants.flatMap((variant) => model.getIndex(variant) ?? []);
  return [...new Set([...(exact === undefined ? [] : [exact]), ...others])];
}

const maxTableRows = 20;

/** Formats the answer to `/tokens some words`: each token with its ID for logit_bias. */
function formatTokenTable(text: string): string {
  const model = getDocumentationModel();
  const requestedTokens = tokenizeParagraph(text.trim());
  const indexes =
    requestedTokens.length === 0
      ? listCommonTokens(model)
      : [...new Set(requestedTokens.flatMap((token) => findIndexes(token, model)))];
  const unknownTokens = requestedTokens
    .filter((token) => findIndexes(token, model).length === 0)
    .map((token) => `\`${token.trim()}\``);
  const rows = indexes.map((index) => {
    const token = model.vocabulary[index] ?? '';
    return `| ${formatCodeSpan(JSON.stringify(token))} | ${getTokenId(token)} | ${model.getCount(index)} |`;
  });
  const intro =
    requestedTokens.length === 0
      ? `The ${maxTableRows} most common of ${model.vocabulary.length} tokens:`
      : 'Tokens in the vocabulary:';
  const parts =
    rows.length === 0
      ? []
      : [
          [intro, '', '| Token | ID | Count in the documentation |', '| --- | ---: | ---: |', ...rows].join(
            '\n',
          ),
        ];
  if (unknownTokens.length > 0) parts.push(`Not in the vocabulary: ${unknownTokens.join(', ')}.`);
  return parts.join('\n\n');
}

function formatCodeSpan(code: string): string {
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
}

function listCommonTokens(model: NGramModel): number[] {
  return Array.from(model.vocabulary.keys())
    .toSorted((left, right) => model.getCount(right) - model.getCount(left))
    .slice(0, maxTableRows);
}
