import type { ParamRow, ParamTier } from '../../../conversation/setup/params.ts';

const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/** A number with its thousands apart; any other text as it is. */
export function formatParamValue(text: string): string {
  const value = Number(text);
  return Number.isFinite(value) ? numberFormat.format(value) : text;
}

/** What a row that is not sent shows: what then applies where that is known, else `not sent`. */
export function describeUnset(row: ParamRow): string {
  if (row.gatewayDefault !== undefined) return `default ${formatParamValue(row.gatewayDefault)}`;
  return row.control.type === 'lines' ? `up to ${row.control.maxLines}` : 'not sent';
}

/** What a row is for, and where its default is known from: another gateway may have its own. */
export function describeRow({ description, gatewayDefault }: ParamRow): string {
  if (gatewayDefault === undefined) return description;
  return `${description} The default ${formatParamValue(gatewayDefault)} comes from the API specification. This gateway may use another.`;
}

/** Words beside a value that is what applies anyway: it is sent all the same. */
export function describeDefault(row: ParamRow, text: string): string | undefined {
  if (row.gatewayDefault === undefined || Number(text) !== Number(row.gatewayDefault)) return undefined;
  return 'default';
}

/** How each tier is drawn and said. */
export const TIER_MARKS: Record<ParamTier, { fill: 'full' | 'half' | 'open'; label: string }> = {
  portable: { fill: 'full', label: 'Portable: works everywhere' },
  documented: { fill: 'half', label: 'Documented: widely supported' },
  'passed through': { fill: 'open', label: 'Passed through: support depends on the provider' },
};

/** `3 functions`, `1 function`, `2 tools` where not all are functions. */
export function formatToolCount(count: number, functionCount: number): string {
  const noun = count === functionCount ? 'function' : 'tool';
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
