import { getOwnProperty, getStringProperty } from '../../lib/json.ts';

/** What a model's tokens cost, in US dollars per million. */
export interface Price {
  promptUsd: number;
  completionUsd: number;
}

const million = 1_000_000;
/** The dearest model ever listed cost 600: what is far above was written in another unit than its name says. */
const maxUsd = 10_000;

/**
 * The price in a model's record, as it was listed. Gateways write prices per token, per thousand or per million under the
 * same names, and no size tells these apart for sure: 0.0005 is a dear price per token and a cheap one per thousand. So a
 * record is read only where its format tells the unit, and any other has no price: none is better than a wrong one.
 */
export function parsePrice(record: unknown): Price | undefined {
  for (const source of [record, getOwnProperty(record, 'model_info')]) {
    const [input, output] = ['input_cost_per_token', 'output_cost_per_token'].map((name) =>
      getOwnProperty(source, name),
    );
    // LiteLLM, whose names say the unit. A zero is what it writes for a model whose price it does not know.
    if (input !== undefined) return buildPrice(input, output, million);
  }
  const pricing = getOwnProperty(record, 'pricing');
  const metadataPricing = getOwnProperty(getOwnProperty(record, 'metadata'), 'pricing');
  // DeepInfra.
  if (pricing === undefined)
    return buildPrice(
      getOwnProperty(metadataPricing, 'input_tokens'),
      getOwnProperty(metadataPricing, 'output_tokens'),
      1,
    );
  const currency = getStringProperty(pricing, 'currency') ?? 'USD';
  // What costs something beside its tokens has no price by the token alone.
  const fee = parseAmount(getOwnProperty(pricing, 'request')) ?? 0;
  if (currency.toUpperCase() !== 'USD' || fee > 0) return undefined;
  const [input, output] = [
    ['prompt', 'input'],
    ['completion', 'output'],
  ].map(
    ([firstName = '', secondName = '']) =>
      getOwnProperty(pricing, firstName) ?? getOwnProperty(pricing, secondName),
  );
  const factor = findFactor(pricing, input, output);
  return factor === undefined ? undefined : buildPrice(input, output, factor, typeof input === 'string');
}

/** What makes these amounts amounts per million tokens; undefined where nothing says what they are. */
function findFactor(pricing: unknown, input: unknown, output: unknown): number | undefined {
  const unit = getStringProperty(pricing, 'unit');
  if (unit !== undefined) {
    // NanoGPT.
    if (/^(?:usd_)?per_(?:1m|million)_tokens$/i.test(unit)) return 1;
    return /^(?:usd_)?per_token$/i.test(unit) ? million : undefined;
  }
  // OpenRouter and those who follow it, and Vercel's gateway under other names: numbers in quotes, per token.
  if (typeof input === 'string' && typeof output === 'string') return million;
  // Together: numbers per million, beside the other things that it charges for.
  const isTogetherAi = ['hourly', 'base', 'finetune'].some(
    (name) => getOwnProperty(pricing, name) !== undefined,
  );
  return isTogetherAi ? 1 : undefined;
}

/** `canBeFree`: two zeros say that it is free, not that nothing is known. */
function buildPrice(input: unknown, output: unknown, factor: number, canBeFree = false): Price | undefined {
  const [prompt, completion] = [parseAmount(input), parseAmount(output)];
  if (prompt === undefined || completion === undefined) return undefined;
  if (prompt === 0 && completion === 0 && !canBeFree) return undefined;
  // 0.0000003 × 1,000,000 is 0.3 but for the last of its digits.
  const [promptUsd, completionUsd] = [prompt, completion].map((amount) =>
    Number((amount * factor).toPrecision(12)),
  );
  if (promptUsd === undefined || completionUsd === undefined) return undefined;
  return Math.max(promptUsd, completionUsd) >= maxUsd ? undefined : { promptUsd, completionUsd };
}

/** A number, in quotes or not. OpenRouter writes -1 where the price depends on the model that answers. */
function parseAmount(value: unknown): number | undefined {
  const amount = typeof value === 'string' && /^[\d.]+(?:e-?\d+)?$/i.test(value) ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
