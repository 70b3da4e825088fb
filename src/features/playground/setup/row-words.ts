import type { ParamRow, Tier } from '../../../conversation/params.ts';

const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/** A row has room for about this many characters of name and words. */
const roomyNameLength = 12;

/** A number with its thousands apart; any other text as it is. */
export function readable(text: string): string {
  const value = Number(text);
  return Number.isFinite(value) ? format.format(value) : text;
}

/** What stands in a row that is not sent: `not sent`, and what then applies where that is known. */
export function unsetWords(row: ParamRow): string {
  if (row.gatewayDefault !== undefined) {
    const uses = `gateway uses ${readable(row.gatewayDefault)}`;
    return row.name.length > roomyNameLength ? uses : `not sent, ${uses}`;
  }
  if (row.control.type === 'lines') return `not sent, up to ${row.control.most}`;
  return 'not sent';
}

/** Words beside a value that is what the gateway would use anyway: it is sent all the same. */
export function defaultWords(row: ParamRow, text: string): string | undefined {
  if (row.gatewayDefault === undefined || Number(text) !== Number(row.gatewayDefault)) return undefined;
  return row.name.length > roomyNameLength ? 'default' : 'same as default';
}

/** How each tier is drawn and said. */
export const TIER_MARKS: Record<Tier, { fill: 'full' | 'half' | 'open'; label: string }> = {
  portable: { fill: 'full', label: 'Portable field' },
  documented: { fill: 'half', label: 'Documented field, support varies' },
  'passed through': { fill: 'open', label: 'Passed through, best effort' },
};

/** `3 functions`, `1 function`, `2 tools` where not all are functions. */
export function toolCountWords(count: number, functions: number): string {
  const noun = count === functions ? 'function' : 'tool';
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
