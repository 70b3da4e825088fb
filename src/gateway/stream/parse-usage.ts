import { isRecord, JsonSource } from '../../lib/json.ts';
import { toPlainName } from '../../lib/text/plain-name.ts';
import type { Usage } from '../wire.ts';

/** Patterns for plain names. */
const countNames = {
  promptTokens: /^(?:prompt|input)tokens?(?:count)?$|^promptevalcount$/,
  completionTokens: /^(?:completion|output|candidates|generated)tokens?(?:count)?$|^evalcount$/,
  totalTokens: /^totaltokens?(?:count)?$/,
};
const reasoningName = /^(?:reasoning|thinking|thoughts?)tokens?(?:count)?$/;
const cachedName =
  /^cached(?:prompt|input|content)?tokens?(?:count)?$|^cacheread(?:input)?tokens?(?:count)?$|^promptcachehittokens$/;

const costName = /^(?:total|estimated|response|request)?cost(?:in)?(?:usd)?$|^costdetails$/;
/** Names of the total in a cost object, the most reliable first. */
const costSumNames = [
  /^total(?:cost)?(?:in)?(?:usd)?$/,
  /^(?:cost|usd|amount|value)$/,
  /^upstreaminferencecost$/,
];
const costPartNames = [
  /^(?:prompt|input)(?:tokens?)?cost(?:usd)?$/,
  /^(?:completion|output)(?:tokens?)?cost(?:usd)?$/,
];

/** Cheap check, since most chunks have no counts. */
const countPattern = /token|eval|cost/i;
/** Records under other names count as usage only with two of the three counts. */
const usageName = /usage|token|billed|metric/;
const limitName = /limit|quota|remaining|budget/;
/** Fields with model text, where these names prove nothing. */
const contentName =
  /^(?:content|text|toolcalls|functioncall|arguments|input|parsed|refusal|reasoning.*|thinking.*|audio|images|annotations|logprobs|error)$/;
const maxDepth = 6;
const maxRecords = 500;

function readNumber(value: unknown, pattern: RegExp): number | undefined {
  const plain = value instanceof JsonSource ? value.toJSON() : value;
  const number = typeof plain === 'string' && pattern.test(plain) ? Number(plain) : plain;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

const readCount = (value: unknown) => readNumber(value, /^\d{1,15}$/);
const readAmount = (value: unknown) =>
  readNumber(value, /^(?:\d{1,15}(?:\.\d{0,40})?|\.\d{1,40})(?:e[+-]?\d{1,2})?$/i);

/**
 * Returns the first positive number under such a name, otherwise the first one: a placeholder 0 may precede the real
 * count.
 */
function findNumber(
  record: Record<string, unknown>,
  name: RegExp,
  read: (value: unknown) => number | undefined,
): number | undefined {
  const numbers = Object.entries(record).flatMap(([key, field]) =>
    name.test(toPlainName(key)) ? (read(field) ?? []) : [],
  );
  return numbers.find((number) => number > 0) ?? numbers[0];
}

/** Finds a count in the record or in its details. */
function findDetailCount(record: Record<string, unknown>, name: RegExp): number | undefined {
  const records = [record, ...Object.values(record).filter(isRecord)];
  const numbers = records.flatMap((source) => findNumber(source, name, readCount) ?? []);
  return numbers.find((number) => number > 0) ?? numbers[0];
}

/** Reads a cost in US dollars; `undefined` for another currency. */
function readCost(value: unknown): number | undefined {
  if (!isRecord(value) || value instanceof JsonSource) return readAmount(value);
  if (isOtherCurrency(value)) return undefined;
  for (const name of costSumNames) {
    const sum = findNumber(value, name, readAmount);
    if (sum !== undefined) return sum;
  }
  const parts = costPartNames.flatMap((name) => findNumber(value, name, readAmount) ?? []);
  return parts.length === costPartNames.length ? parts.reduce((sum, part) => sum + part, 0) : undefined;
}

function isOtherCurrency(record: Record<string, unknown>): boolean {
  return Object.entries(record).some(
    ([key, field]) =>
      /^(?:cost)?currency$/.test(toPlainName(key)) &&
      typeof field === 'string' &&
      !/^(?:usd|us\$|\$)?$/i.test(field.trim()),
  );
}

function findCost(record: Record<string, unknown>): number | undefined {
  return isOtherCurrency(record) ? undefined : findNumber(record, costName, readCost);
}

/** Returns the reported counts (§2.4, §2.7), or undefined if there are none: a missing count is never 0. */
export function parseUsage(value: unknown): Usage | undefined {
  if (!isRecord(value) || !countPattern.test(Object.keys(value).join())) return undefined;
  const usage: Usage = {};
  const promptTokens = findNumber(value, countNames.promptTokens, readCount);
  const completionTokens = findNumber(value, countNames.completionTokens, readCount);
  const totalTokens = findNumber(value, countNames.totalTokens, readCount);
  const reasoningTokens = findDetailCount(value, reasoningName);
  const cachedTokens = findDetailCount(value, cachedName);
  const costUsd = findCost(value);
  if (promptTokens !== undefined) usage.promptTokens = promptTokens;
  if (completionTokens !== undefined) usage.completionTokens = completionTokens;
  if (totalTokens !== undefined) usage.totalTokens = totalTokens;
  if (reasoningTokens !== undefined) usage.reasoningTokens = reasoningTokens;
  if (cachedTokens !== undefined) usage.cachedTokens = cachedTokens;
  if (costUsd !== undefined) usage.costUsd = costUsd;
  return Object.keys(usage).length > 0 ? usage : undefined;
}

const listCounts = ({ promptTokens, completionTokens, totalTokens }: Usage): number[] =>
  [promptTokens, completionTokens, totalTokens].filter((count) => count !== undefined);

/**
 * Finds the usage in a chunk or part of one. Gateways put it at the top, in a nested object, in the choice or in the
 * message: the record nearest to the top counts, and a record of zeros only as a last resort. The cost may be next to
 * it or alone.
 */
export function findUsage(chunk: Record<string, unknown>): Usage | undefined {
  let placeholder: Usage | undefined;
  let costUsd: number | undefined;
  let level: [name: string, record: Record<string, unknown>][] = [['', chunk]];
  for (let depth = 0, visitedCount = 0; depth <= maxDepth && level.length > 0; depth += 1) {
    const nextLevel: typeof level = [];
    for (const [name, record] of level) {
      if ((visitedCount += 1) > maxRecords) break;
      const usage = parseUsage(record);
      costUsd ??= usage?.costUsd;
      const counts = usage === undefined ? [] : listCounts(usage);
      if (usage && counts.length >= (usageName.test(name) ? 1 : 2)) {
        if (counts.some((count) => count > 0)) return costUsd === undefined ? usage : { ...usage, costUsd };
        placeholder ??= usage;
      }
      for (const [key, field] of Object.entries(record)) {
        const plainName = toPlainName(key);
        if (typeof field !== 'object' || contentName.test(plainName) || limitName.test(plainName)) continue;
        // Choices, and the pieces inside them, may be lists.
        const items: unknown[] = Array.isArray(field) ? field : [field];
        for (const item of items.slice(0, maxRecords)) if (isRecord(item)) nextLevel.push([plainName, item]);
      }
    }
    level = nextLevel;
  }
  return costUsd === undefined ? placeholder : { ...placeholder, costUsd };
}

/** Merges later counts into earlier ones. A later 0 is a placeholder if an earlier count was positive. */
export function mergeUsage(earlier: Usage | undefined, later: Usage): Usage {
  const newCounts = Object.entries(later).filter(
    ([name, count]) =>
      count > 0 || !Object.entries(earlier ?? {}).some(([earlierName]) => earlierName === name),
  );
  return { ...earlier, ...Object.fromEntries(newCounts) };
}
