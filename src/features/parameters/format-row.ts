import type { ParamRow, ParamTier } from '../../conversation/setup/params.ts';

const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/** Formats a number with thousands separators; returns other text unchanged. */
export function formatParamValue(text: string): string {
  const value = Number(text);
  return Number.isFinite(value) ? numberFormat.format(value) : text;
}

/** Describes a row that is not sent: the default that then applies, if known, or else `not sent`. */
export function describeUnset(row: ParamRow): string {
  if (row.demoDefault !== undefined) return `default ${formatParamValue(row.demoDefault)}`;
  return 'not sent';
}

/** Describes a row and, if known, the default of the gateway. */
export function describeRow({ description, demoDefault }: ParamRow): string {
  if (demoDefault === undefined) return description;
  return `${description} The default of the demo gateway is ${formatParamValue(demoDefault)}.`;
}

/** Describes a value equal to the default, which is sent nevertheless. */
export function describeDefault(row: ParamRow, text: string): string | undefined {
  if (row.demoDefault === undefined || Number(text) !== Number(row.demoDefault)) return undefined;
  return 'default';
}

/** Icon and label of each tier. */
export const TIER_MARKS: Record<ParamTier, { fill: 'full' | 'half' | 'open'; label: string }> = {
  portable: { fill: 'full', label: 'Portable: works everywhere' },
  documented: { fill: 'half', label: 'Documented: widely supported' },
  'passed through': { fill: 'open', label: 'Passed through: support depends on the provider' },
};

/** Formats a count: `3 functions`, `1 function`, or `2 tools` if some are not functions. */
export function formatToolCount(count: number, functionCount: number): string {
  const noun = count === functionCount ? 'function' : 'tool';
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
