import { describe, expect, it } from 'vitest';

import { describeMissingLanes, parseSettings } from './palette-settings.ts';
import { PARAMS } from './params.ts';

/** Formats each parsed setting briefly: row, text and lanes. */
function describeSettings(input: string, laneCount = 3): string[] {
  return parseSettings(input, laneCount).map(({ row, change, lanes }) => {
    const changeText = !change
      ? 'named'
      : change.kind === 'unset'
        ? 'unset'
        : `${change.text}${change.problem === undefined ? '' : ' (wrong)'}`;
    return `${row.name} ${changeText}${lanes ? ` in ${lanes.join()}` : ''}`;
  });
}

describe('settings in the command palette', () => {
  it('parses common notations of a setting', () => {
    const rows: [string, string][] = [
      ['temp 0.2', 'temperature 0.2'],
      ['temperature=0.2', 'temperature 0.2'],
      ['Temp: 0.2', 'temperature 0.2'],
      ['temperature to 0.2', 'temperature 0.2'],
      ['max 600', 'max_tokens 600'],
      ['max tokens 1,024', 'max_tokens 1024'],
      ['top p 0.9', 'top_p 0.9'],
      ['thinking off', 'enable_thinking false'],
      ['thinking budget 2048', 'thinking_budget 2048'],
      ['budget 2,048', 'thinking_budget 2048'],
      ['stream no', 'stream false'],
      ['format json', 'response_format json_object'],
      ['tool choice required', 'tool_choice required'],
      ['choice get_weather', 'tool_choice function:get_weather'],
      ['stop END OF TEXT', 'stop END OF TEXT'],
      ['usage on', 'stream_options {"include_usage":true}'],
      ['extra {"min_p": 0.1}', 'Extra provider fields {"min_p": 0.1}'],
      ['presence -1.5', 'presence_penalty -1.5'],
    ];
    expect(rows.map(([typed]) => [typed, ...describeSettings(typed)])).toEqual(rows);
  });

  it.each(PARAMS.map((row) => [row.name, row] as const))('finds %s by its full name', (name, row) => {
    expect(parseSettings(name, 1).map((setting) => setting.row)).toEqual([row]);
    const value = row.control.type === 'constant' ? 'on' : row.initialText.replaceAll(/\s+/g, ' ');
    expect(parseSettings(`${name} ${value}`, 1)[0]?.change).toMatchObject({ kind: 'send' });
    expect(parseSettings(`no ${name}`, 1)[0]?.change).toEqual({ kind: 'unset' });
  });

  it('keeps an invalid value together with the reason', () => {
    expect(parseSettings('temp 5', 1)[0]?.change).toEqual({
      kind: 'send',
      text: '5',
      problem: 'Must be between 0 and 2. Not sent.',
    });
    expect(describeSettings('temp warm')).toEqual(['temperature warm (wrong)']);
  });

  it('suggests every field that a prefix may mean', () => {
    expect(describeSettings('pe 1')).toEqual([]);
    expect(describeSettings('to 1')).toEqual(['top_p 1', 'max_tokens 1', 'top_k 1']);
    expect(describeSettings('rep')).toEqual(['repetition_penalty named']);
  });

  it('removes a field from the request', () => {
    expect(describeSettings('no seed')).toEqual(['seed unset']);
    expect(describeSettings('seed off')).toEqual(['seed unset']);
    expect(describeSettings('unset max tokens in b')).toEqual(['max_tokens unset in 1']);
  });

  it('parses the named lanes and rejects settings for missing lanes', () => {
    expect(describeSettings('temp 0.2 in b')).toEqual(['temperature 0.2 in 1']);
    expect(describeSettings('temp 0.2 in lane C')).toEqual(['temperature 0.2 in 2']);
    expect(describeSettings('temp 0.2 in c and a')).toEqual(['temperature 0.2 in 0,2']);
    expect(describeSettings('temp 0.2 in all lanes')).toEqual(['temperature 0.2']);
    expect(describeSettings('temp 0.2 in d', 3)).toEqual([]);
  });

  it('names missing lanes only if the rest is a valid setting', () => {
    expect(describeMissingLanes('max 600 in b', 1)).toBe('There is no lane B.');
    expect(describeMissingLanes('temp 0.2 in a, c and d', 2)).toBe('There is no lane C and no lane D.');
    expect(describeMissingLanes('max 600 in b', 2)).toBeUndefined();
    expect(describeMissingLanes('words in b', 1)).toBeUndefined();
  });

  it('ignores input that is not a setting', () => {
    for (const input of ['', ' ', 'new session', 'xyz 3', 'a', 'temperatures 3', 'rename temp 3'])
      expect(describeSettings(input)).toEqual([]);
  });
});
