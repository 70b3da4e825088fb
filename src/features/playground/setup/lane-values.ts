import type { ParamName, Params } from '../../../conversation/params.ts';

export interface LaneParams {
  letter: string;
  params: Params;
}

/** One value and the lanes that have it; `undefined` stands for not sent. */
export interface LaneValue {
  text: string | undefined;
  letters: string[];
}

/** The values of one row over the lanes, each with its lanes, in order of the first; one entry where all agree. */
export function laneValues(lanes: readonly LaneParams[], name: ParamName): LaneValue[] {
  const values: LaneValue[] = [];
  for (const { letter, params } of lanes) {
    const setting = params[name];
    const text = setting?.sent ? setting.text : undefined;
    const known = values.find((value) => value.text === text);
    if (known) known.letters.push(letter);
    else values.push({ text, letters: [letter] });
  }
  return values;
}

/** "differs: A 0.2, B and C 0.7", for those who hear the row. */
export function differsWords(values: readonly LaneValue[]): string {
  const words = values.map(({ text, letters }) => `${letters.join(' and ')} ${text ?? 'not sent'}`);
  return `differs: ${words.join(', ')}`;
}
