import { isUnset, type ParamName, type ParamRow, type Params } from '../../../conversation/setup/params.ts';
import { formatParamValue } from './format-row.ts';

export interface LaneParams {
  letter: string;
  params: Params;
}

/** Changes the parameters of the lanes in scope, or of the lane with this letter. */
export type EditParams = (edit: (params: Params) => Params, letter?: string) => void;

/** One value and the lanes that have it; `undefined` stands for not sent. */
export interface LaneValue {
  text: string | undefined;
  letters: string[];
}

/** The values of one row over the lanes, each with its lanes, in order of the first; one entry where all agree. */
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

/** "differs: A 0.2, B and C 0.7", for screen readers. */
export function describeDifferingValues(values: readonly LaneValue[]): string {
  const valueTexts = values.map(({ text, letters }) => `${letters.join(' and ')} ${text ?? 'not sent'}`);
  return `differs: ${valueTexts.join(', ')}`;
}

/** What stands in place of a value that is not one: `mixed 0.2 / 1.4`, `mixed 0.2 to 1.4` of more than two lanes. */
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
    ? `mixed ${formatParamValue(String(low))} / none`
    : `mixed ${formatParamValue(String(low))} to ${formatParamValue(String(high))}`;
}

function formatOptionalNumber(text: string | undefined): string {
  return text === undefined ? 'none' : formatParamValue(text);
}

/** The number that a text is, where it is one. */
export function parseOptionalNumber(text: string | undefined): number | undefined {
  const value = Number(text);
  return text === undefined || text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}
