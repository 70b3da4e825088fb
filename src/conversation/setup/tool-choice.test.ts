import { describe, expect, it } from 'vitest';

import { ticked } from '../../testing/builders.ts';
import { lostToolChoice, withValidToolChoice } from './tool-choice.ts';

const tools = (...names: string[]): string =>
  JSON.stringify(names.map((name) => ({ type: 'function', function: { name } })));

describe('tool_choice', () => {
  const before = ticked({ tools: tools('add', 'sum'), tool_choice: 'function:sum' });
  const after = (text: string) => withValidToolChoice(before, { ...before, tools: { sent: true, text } });

  it('falls back to auto when its tool goes, and the name it loses is known', () => {
    expect(after(tools('add')).tool_choice).toEqual({ sent: true, text: 'auto' });
    expect(['', ' \n'].map((text) => after(text).tool_choice?.text)).toEqual(['auto', 'auto']);
    expect(lostToolChoice(before, { ...before, tools: { sent: true, text: tools('add') } })).toBe('sum');
    expect(lostToolChoice(before, { ...before, tools: { sent: true, text: tools('sum') } })).toBeUndefined();
  });

  it('follows a tool that is renamed, letter by letter', () => {
    expect(after(tools('add', 'sum_up')).tool_choice?.text).toBe('function:sum_up');
    const empty = after(tools('add', ''));
    const typed = withValidToolChoice(empty, { ...empty, tools: { sent: true, text: tools('add', 't') } });
    expect(typed.tool_choice?.text).toBe('function:t');
  });

  it('stays while the JSON is being typed, and where it names no tool', () => {
    expect(after('[{').tool_choice?.text).toBe('function:sum');
    expect(after(tools('sum', 'add', 'more')).tool_choice?.text).toBe('function:sum');
    const required = ticked({ tools: tools('add'), tool_choice: 'required' });
    expect(
      withValidToolChoice(required, { ...required, tools: { sent: true, text: '[]' } }).tool_choice?.text,
    ).toBe('required');
  });

  it('that is not sent stays unsent', () => {
    const unsent = { ...before, tool_choice: { sent: false, text: 'function:sum' } };
    expect(withValidToolChoice(unsent, { ...unsent, tools: { sent: true, text: '[]' } }).tool_choice).toEqual(
      { sent: false, text: 'auto' },
    );
  });
});
