/** Reads the prices that the operator of the server sets in the file of GATEWAY_PRICES. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import * as v from 'valibot';

import type { OwnPrice } from '../gateway/models/model-price.ts';
import { formatError } from '../lib/format-error.ts';
import { isRecord, parseJson } from '../lib/json.ts';
import { ConfigurationError } from './configuration-error.ts';
import { quoteText, type SettingLookup } from './settings-source.ts';

/** Price of a model at one gateway, or at all of them without `gateway`. */
export interface PriceEntry extends OwnPrice {
  gateway?: string;
}

const VARIABLE = 'GATEWAY_PRICES';

const textSchema = v.pipe(v.string('must be text'), v.trim(), v.nonEmpty('is empty'));
const AMOUNT_RULE = 'must be a number of 0 or more, the price of a million tokens';
const amountSchema = v.pipe(v.number(AMOUNT_RULE), v.finite(AMOUNT_RULE), v.minValue(0, AMOUNT_RULE));
const CURRENCY_RULE = 'must be three capital letters, like "USD" or "EUR"';

const entrySchema = v.strictObject({
  gateway: v.optional(textSchema),
  model: textSchema,
  input: amountSchema,
  output: amountSchema,
  cached_input: v.optional(amountSchema),
  reasoning: v.optional(amountSchema),
  currency: v.pipe(v.string(CURRENCY_RULE), v.picklist(Intl.supportedValuesOf('currency'), CURRENCY_RULE)),
});

/**
 * Reads the file of GATEWAY_PRICES, whose path counts from the current folder; no prices if it is unset. Throws
 * ConfigurationError.
 */
export function readPriceFile(getSetting: SettingLookup, gatewayNames: readonly string[]): PriceEntry[] {
  const setting = getSetting(VARIABLE);
  if (setting === undefined) return [];
  const file = path.resolve(setting);
  const parsed = parseJson(readText(file));
  if (!parsed.ok) throw new ConfigurationError(`${VARIABLE}: ${file} is not valid JSON: ${parsed.message}.`);
  const items: unknown = parsed.value;
  if (!Array.isArray(items)) throw new ConfigurationError(`${VARIABLE}: ${file} must contain a JSON list.`);
  const entries = items.map((item, index) => readEntry(item, index + 1, gatewayNames));
  const numbers = new Map<string, number>();
  for (const [index, { gateway, model }] of entries.entries()) {
    const key = JSON.stringify([gateway, model]);
    const earlier = numbers.get(key);
    if (earlier !== undefined)
      throw new ConfigurationError(
        `${VARIABLE}: entries ${earlier} and ${index + 1} both have the model ${quoteText(model)} and the same gateway.`,
      );
    numbers.set(key, index + 1);
  }
  return entries;
}

/** Returns the prices of one gateway: an entry that names it takes precedence over one for all gateways. */
export function listGatewayPrices(entries: readonly PriceEntry[], gatewayName: string): OwnPrice[] {
  const prices = new Map<string, OwnPrice>();
  const commonEntries = entries.filter(({ gateway }) => gateway === undefined);
  const namedEntries = entries.filter(({ gateway }) => gateway === gatewayName);
  for (const { gateway: _, ...price } of [...commonEntries, ...namedEntries]) prices.set(price.model, price);
  return [...prices.values()];
}

function readText(file: string): string {
  try {
    // Some editors write a byte order mark, which is not part of JSON.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new ConfigurationError(`${VARIABLE}: the file cannot be read: ${formatError(error)}.`);
  }
}

function readEntry(item: unknown, number: number, gatewayNames: readonly string[]): PriceEntry {
  const fail = (text: string) => new ConfigurationError(`${VARIABLE}: entry ${number} ${text}.`);
  if (!isRecord(item)) throw fail('is not an object');
  const result = v.safeParse(entrySchema, item);
  if (!result.success) throw fail(describeIssue(result.issues[0]));
  const { gateway, model, input, output, cached_input: cachedInput, reasoning, currency } = result.output;
  if (gateway !== undefined && !gatewayNames.includes(gateway))
    throw fail(`has the gateway ${quoteText(gateway)}, but there is only ${gatewayNames.join(', ')}`);
  return {
    ...(gateway === undefined ? {} : { gateway }),
    model,
    inputPerMillion: input,
    outputPerMillion: output,
    ...(cachedInput === undefined ? {} : { cachedInputPerMillion: cachedInput }),
    ...(reasoning === undefined ? {} : { reasoningPerMillion: reasoning }),
    currency,
  };
}

function describeIssue({ type, expected, message, path: fields }: v.InferIssue<typeof entrySchema>): string {
  const field = quoteText(String(fields?.[0].key));
  if (type !== 'strict_object') return `has a wrong ${field}: it ${message}`;
  return expected === 'never' ? `has the unknown field ${field}` : `has no ${field}`;
}
