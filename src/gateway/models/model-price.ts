import { getOwnProperty, getStringProperty } from '../../lib/json.ts';

/** Price of a model's tokens in US dollars per million. */
export interface Price {
  promptUsd: number;
  completionUsd: number;
}

const million = 1_000_000;
/** Upper limit. The most expensive model ever listed cost 600, so a far larger number is in another unit. */
const maxUsd = 10_000;

/**
 * Reads the listed price of a model. Gateways use the same names for prices per token, per thousand and per million,
 * and their size does not reveal the unit. A price is read only if the format reveals its unit; no price is better than
 * a wrong one.
 */
export function parsePrice(record: unknown): Price | undefined {
  for (const source of [record, getOwnProperty(record, 'model_info')]) {
    const [input, output] = ['input_cost_per_token', 'output_cost_per_token'].map((name) =>
      getOwnProperty(source, name),
    );
    // LiteLLM names contain the unit. Zero means that the price is unknown.
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
  // A model with additional charges has no price per token alone.
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

/** `canBeFree`: two zeros mean free, not unknown. */
function buildPrice(input: unknown, output: unknown, factor: number, canBeFree = false): Price | undefined {
  const [prompt, completion] = [parseAmount(input), parseAmount(output)];
  if (prompt === undefined || completion === undefined) return undefined;
  if (prompt === 0 && completion === 0 && !canBeFree) return undefined;
  // Rounds away the binary error of 0.0000003 × 1,000,000.
  const [promptUsd, completionUsd] = [prompt, completion].map((amount) =>
    Number((amount * factor).toPrecision(12)),
  );
  if (promptUsd === undefined || completionUsd === undefined) return undefined;
  return Math.max(promptUsd, completionUsd) >= maxUsd ? undefined : { promptUsd, completionUsd };
}

/** Parses a number, quoted or not. OpenRouter writes -1 if the price depends on the model that answers. */
function parseAmount(value: unknown): number | undefined {
  const amount = typeof value === 'string' && /^[\d.]+(?:e-?\d+)?$/i.test(value) ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
