/** Dollar amounts. Separate from format.ts, because prices are not needed for the first render. */

const priceFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 });
const costFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Formats a listed price: "$3", "$0.60", "$0.0375". */
export function formatPrice(usd: number): string {
  return `$${priceFormat.format(usd).replace(/\.00$/, '')}`;
}

/** Formats a cost: "$1.24", and below one dollar with two significant digits: "$0.031", "$0.00012". */
export function formatCost(usd: number): string {
  if (usd === 0 || usd >= 0.995) return `$${costFormat.format(usd)}`;
  return `$${usd.toFixed(Math.max(2, 1 - Math.floor(Math.log10(usd))))}`;
}
