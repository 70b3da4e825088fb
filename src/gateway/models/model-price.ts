import { getOwnProperty, getStringProperty } from '../../lib/json.ts';

/** Price of a model's tokens, per million. */
export interface Price {
  inputPerMillion: number;
  outputPerMillion: number;
  /** Price of input tokens from a cache; without it, they cost as much as other input tokens. */
  cachedInputPerMillion?: number;
  /** Price of reasoning tokens; without it, they cost as much as other output tokens. */
  reasoningPerMillion?: number;
  /** ISO 4217 code, such as `USD`. */
  currency: string;
}

/** Price that the operator of the server has set. */
export interface OwnPrice extends Price {
  model: string;
}

const million = 1_000_000;
/** Upper limit. The most expensive model ever listed cost 600, so a far larger number is in another unit. */
const maxPrice = 10_000;

/** Names of the fields with prices, the preferred first. */
interface FieldNames {
  input: readonly string[];
  output: readonly string[];
  cachedInput: readonly string[];
  reasoning: readonly string[];
}

const liteLlmNames: FieldNames = {
  input: ['input_cost_per_token'],
  output: ['output_cost_per_token'],
  cachedInput: ['cache_read_input_token_cost'],
  reasoning: ['output_cost_per_reasoning_token'],
};
const deepInfraNames: FieldNames = {
  input: ['input_tokens'],
  output: ['output_tokens'],
  cachedInput: ['cache_read_tokens'],
  reasoning: [],
};
const pricingNames: FieldNames = {
  input: ['prompt', 'input'],
  output: ['completion', 'output'],
  cachedInput: ['input_cache_read', 'cached_input'],
  reasoning: ['internal_reasoning'],
};

/**
 * Reads the listed price of a model. Gateways use the same names for prices per token, per thousand and per million,
 * and their size does not reveal the unit. A price is read only if the format reveals its unit; no price is better than
 * a wrong one.
 */
export function parsePrice(record: unknown): Price | undefined {
  for (const source of [record, getOwnProperty(record, 'model_info')]) {
    // LiteLLM names contain the unit. Zero means that the price is unknown.
    if (getOwnProperty(source, 'input_cost_per_token') !== undefined)
      return buildPrice(source, liteLlmNames, { factor: million });
  }
  const pricing = getOwnProperty(record, 'pricing');
  if (pricing === undefined)
    return buildPrice(getOwnProperty(getOwnProperty(record, 'metadata'), 'pricing'), deepInfraNames, {
      factor: 1,
    });
  const currency = (getStringProperty(pricing, 'currency') ?? 'USD').toUpperCase();
  // A model with additional charges has no price per token alone.
  const fee = parseAmount(getOwnProperty(pricing, 'request')) ?? 0;
  if (!/^[A-Z]{3}$/.test(currency) || fee > 0) return undefined;
  const [input, output] = [findField(pricing, pricingNames.input), findField(pricing, pricingNames.output)];
  const factor = findFactor(pricing, input, output);
  if (factor === undefined) return undefined;
  return buildPrice(pricing, pricingNames, { factor, currency, canBeFree: typeof input === 'string' });
}

function findField(source: unknown, names: readonly string[]): unknown {
  return names.map((name) => getOwnProperty(source, name)).find((field) => field !== undefined);
}

/** Returns the factor that converts these amounts to prices per million tokens; `undefined` if the unit is unknown. */
function findFactor(pricing: unknown, input: unknown, output: unknown): number | undefined {
  const unit = getStringProperty(pricing, 'unit');
  if (unit !== undefined) {
    // NanoGPT.
    if (/^(?:usd_)?per_(?:1m|million)_tokens$/i.test(unit)) return 1;
    return /^(?:usd_)?per_token$/i.test(unit) ? million : undefined;
  }
  // OpenRouter and compatible gateways, and Vercel's gateway under other names: quoted numbers per token.
  if (typeof input === 'string' && typeof output === 'string') return million;
  // Together: numbers per million, next to other charges.
  const isTogetherAi = ['hourly', 'base', 'finetune'].some(
    (name) => getOwnProperty(pricing, name) !== undefined,
  );
  return isTogetherAi ? 1 : undefined;
}

interface PriceFormat {
  /** Converts an amount to the price of a million tokens. */
  factor: number;
  currency?: string;
  /** Two zeros mean free, not unknown. */
  canBeFree?: boolean;
}

function buildPrice(
  source: unknown,
  names: FieldNames,
  { factor, currency = 'USD', canBeFree = false }: PriceFormat,
): Price | undefined {
  const readField = (fieldNames: readonly string[]) => {
    const amount = parseAmount(findField(source, fieldNames));
    // Rounds away the binary error of 0.0000003 × 1,000,000.
    return amount === undefined ? undefined : Number((amount * factor).toPrecision(12));
  };
  const input = readField(names.input);
  const output = readField(names.output);
  if (input === undefined || output === undefined) return undefined;
  if (input === 0 && output === 0 && !canBeFree) return undefined;
  if (Math.max(input, output) >= maxPrice) return undefined;
  // Gateways write 0 if there is no separate price.
  const cachedInput = readField(names.cachedInput) || undefined;
  const reasoning = readField(names.reasoning) || undefined;
  return {
    inputPerMillion: input,
    outputPerMillion: output,
    ...(cachedInput === undefined ? {} : { cachedInputPerMillion: cachedInput }),
    ...(reasoning === undefined ? {} : { reasoningPerMillion: reasoning }),
    currency,
  };
}

/** Parses a number, quoted or not. OpenRouter writes -1 if the price depends on the model that answers. */
function parseAmount(value: unknown): number | undefined {
  const amount = typeof value === 'string' && /^[\d.]+(?:e-?\d+)?$/i.test(value) ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
