import { isUnset, type ParamName, type ParamRow, type Params } from '../../conversation/setup/params.ts';
import { formatParamValue } from './format-row.ts';

export interface LaneParams {
  letter: string;
  params: Params;
}

/** Edits the parameters of the lanes in scope, or only of the lane with the given letter. */
export type EditParams = (edit: (params: Params) => Params, letter?: string) => void;

/** Value and the lanes that use it; `undefined` means not sent. */
export interface LaneValue {
  text: string | undefined;
  letters: string[];
}

/**
 * Groups the lanes by their value of one row, in the order of the first lane of each group. There is one group if all
 * values are equal.
 */
export function groupLaneValues(lanes: readonly LaneParams[], name: ParamName): LaneValue[] {
  const values: LaneValue[] = [];
  for (const { letter, params } of lanes) {
    const text = isUnset(params, name) ? undefined : params[name]?.text;
    const existing = values.find((value) => value.text === text);
    if (existing) existing.letters.push(letter);
    else values.push({ text, letters: [letter] });
  }
  return values;
}

/** Describes differing values for screen readers, such as "differs: A 0.2, B and C 0.7". */
export function describeDifferingValues(values: readonly LaneValue[]): string {
  const valueTexts = values.map(({ text, letters }) => `${letters.join(' and ')} ${text ?? 'not sent'}`);
  return `differs: ${valueTexts.join(', ')}`;
}

/** Formats differing values: `mixed 0.2 / 1.4` for two lanes, `mixed 0.2 to 1.4` for more. */
export function formatMixedValues(row: ParamRow, lanes: readonly LaneParams[]): string {
  if (row.control.type !== 'number') return 'mixed';
  const values = groupLaneValues(lanes, row.name);
  if (lanes.length === 2) return `mixed ${values.map(({ text }) => formatOptionalNumber(text)).join(' / ')}`;
  const numbers = values
    .map(({ text }) => parseOptionalNumber(text))
    .filter((number) => number !== undefined);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  if (numbers.length === 0) return 'mixed';
  return low === high
    ? `mixed ${formatParamValue(String(low))} / not sent`
    : `mixed ${formatParamValue(String(low))} to ${formatParamValue(String(high))}`;
}

function formatOptionalNumber(text: string | undefined): string {
  return text === undefined ? 'not sent' : formatParamValue(text);
}

/** Returns the number in a text, or `undefined`. */
export function parseOptionalNumber(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}
