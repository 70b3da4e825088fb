import { ownProperty, stringProperty } from '../../lib/json.ts';

/** What a model's tokens cost, in US dollars per million. */
export interface Price {
  promptUsd: number;
  completionUsd: number;
}

const aMillion = 1_000_000;
/** The dearest model ever listed cost 600: what is far above was written in another unit than its name says. */
const mostUsd = 10_000;

/**
 * The price in a model's record, as it was listed. Gateways write prices per token, per thousand or per million under the
 * same names, and no size tells these apart for sure: 0.0005 is a dear price per token and a cheap one per thousand. So a
 * record is read only where its format tells the unit, and any other has no price: none is better than a wrong one.
 */
export function priceOf(record: unknown): Price | undefined {
  for (const place of [record, ownProperty(record, 'model_info')]) {
    const [input, output] = ['input_cost_per_token', 'output_cost_per_token'].map((name) =>
      ownProperty(place, name),
    );
    // LiteLLM, whose names say the unit. A zero is what it writes for a model whose price it does not know.
    if (input !== undefined) return priceFrom(input, output, aMillion);
  }
  const pricing = ownProperty(record, 'pricing');
  const ofMetadata = ownProperty(ownProperty(record, 'metadata'), 'pricing');
  // DeepInfra.
  if (pricing === undefined)
    return priceFrom(ownProperty(ofMetadata, 'input_tokens'), ownProperty(ofMetadata, 'output_tokens'), 1);
  const currency = stringProperty(pricing, 'currency') ?? 'USD';
  // What costs something beside its tokens has no price by the token alone.
  const fee = amountOf(ownProperty(pricing, 'request')) ?? 0;
  if (currency.toUpperCase() !== 'USD' || fee > 0) return undefined;
  const [input, output] = [
    ['prompt', 'input'],
    ['completion', 'output'],
  ].map(([one = '', other = '']) => ownProperty(pricing, one) ?? ownProperty(pricing, other));
  const perMillion = factorIn(pricing, input, output);
  return perMillion === undefined
    ? undefined
    : priceFrom(input, output, perMillion, typeof input === 'string');
}

/** What makes these amounts amounts per million tokens; undefined where nothing says what they are. */
function factorIn(pricing: unknown, input: unknown, output: unknown): number | undefined {
  const unit = stringProperty(pricing, 'unit');
  if (unit !== undefined) {
    // NanoGPT.
    if (/^(?:usd_)?per_(?:1m|million)_tokens$/i.test(unit)) return 1;
    return /^(?:usd_)?per_token$/i.test(unit) ? aMillion : undefined;
  }
  // OpenRouter and those who follow it, and Vercel's gateway under other names: numbers in quotes, per token.
  if (typeof input === 'string' && typeof output === 'string') return aMillion;
  // Together: numbers per million, beside the other things that it charges for.
  const isTogethers = ['hourly', 'base', 'finetune'].some((name) => ownProperty(pricing, name) !== undefined);
  return isTogethers ? 1 : undefined;
}

/** `mayBeFree`: two zeros say that it is free, not that nothing is known. */
function priceFrom(
  input: unknown,
  output: unknown,
  perMillion: number,
  mayBeFree = false,
): Price | undefined {
  const [prompt, completion] = [amountOf(input), amountOf(output)];
  if (prompt === undefined || completion === undefined) return undefined;
  if (prompt === 0 && completion === 0 && !mayBeFree) return undefined;
  // 0.0000003 × 1,000,000 is 0.3 but for the last of its digits.
  const [promptUsd, completionUsd] = [prompt, completion].map((amount) =>
    Number((amount * perMillion).toPrecision(12)),
  );
  if (promptUsd === undefined || completionUsd === undefined) return undefined;
  return Math.max(promptUsd, completionUsd) >= mostUsd ? undefined : { promptUsd, completionUsd };
}

/** A number, in quotes or not. OpenRouter writes -1 where the price depends on the model that answers. */
function amountOf(value: unknown): number | undefined {
  const amount = typeof value === 'string' && /^[\d.]+(?:e-?\d+)?$/i.test(value) ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
