/** Amounts of money. Separate from format.ts, because prices are not needed for the first render. */

/** Most digits after the decimal point that every engine supports. */
const maxDigits = 20;
const formats = new Map<string, Intl.NumberFormat>();

/** Formats a price per million tokens: "$3", "$0.60", "€0.0375". */
export function formatPrice(amount: number, currency: string): string {
  return formatAmount(amount, currency, Number.isInteger(amount) ? [0, 0] : [2, 6]);
}

/** Formats a cost: "$1.24", and below one with two significant digits: "$0.031", "€0.00012". */
export function formatCost(amount: number, currency: string): string {
  if (amount === 0 || amount >= 0.995) return formatAmount(amount, currency, [2, 2]);
  const digits = Math.min(maxDigits, Math.max(2, 1 - Math.floor(Math.log10(amount))));
  return formatAmount(amount, currency, [digits, digits]);
}

/** Returns the sign of a currency: "$", "€" or "CHF". */
export function getCurrencySign(currency: string): string {
  const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

function formatAmount(amount: number, currency: string, [min, max]: [min: number, max: number]): string {
  const key = `${currency} ${min} ${max}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      minimumFractionDigits: min,
      maximumFractionDigits: max,
    });
    formats.set(key, format);
  }
  return format.format(amount);
}
