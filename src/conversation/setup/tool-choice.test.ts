import { describe, expect, it } from 'vitest';

import { createTickedParams } from '../../testing/builders.ts';
import { findLostToolChoice, withValidToolChoice } from './tool-choice.ts';

const createToolsText = (...names: string[]): string =>
  JSON.stringify(names.map((name) => ({ type: 'function', function: { name } })));

describe('tool_choice', () => {
  const initialParams = createTickedParams({
    tools: createToolsText('add', 'sum'),
    tool_choice: 'function:sum',
  });
  const applyTools = (text: string) =>
    withValidToolChoice(initialParams, { ...initialParams, tools: { sent: true, text } });

  it('resets tool_choice to auto if its tool is removed, and returns the lost name', () => {
    expect(applyTools(createToolsText('add')).tool_choice).toEqual({ sent: true, text: 'auto' });
    expect(['', ' \n'].map((text) => applyTools(text).tool_choice?.text)).toEqual(['auto', 'auto']);
    expect(
      findLostToolChoice(initialParams, {
        ...initialParams,
        tools: { sent: true, text: createToolsText('add') },
      }),
    ).toBe('sum');
    expect(
      findLostToolChoice(initialParams, {
        ...initialParams,
        tools: { sent: true, text: createToolsText('sum') },
      }),
    ).toBeUndefined();
  });

  it('updates tool_choice while its tool is renamed', () => {
    expect(applyTools(createToolsText('add', 'sum_up')).tool_choice?.text).toBe('function:sum_up');
    const empty = applyTools(createToolsText('add', ''));
    const typed = withValidToolChoice(empty, {
      ...empty,
      tools: { sent: true, text: createToolsText('add', 't') },
    });
    expect(typed.tool_choice?.text).toBe('function:t');
  });

  it('keeps tool_choice unchanged while the tools are invalid JSON, or if it does not name a tool', () => {
    expect(applyTools('[{').tool_choice?.text).toBe('function:sum');
    expect(applyTools(createToolsText('sum', 'add', 'more')).tool_choice?.text).toBe('function:sum');
    const required = createTickedParams({ tools: createToolsText('add'), tool_choice: 'required' });
    expect(
      withValidToolChoice(required, { ...required, tools: { sent: true, text: '[]' } }).tool_choice?.text,
    ).toBe('required');
  });

  it('keeps tool_choice unsent when it is reset to auto', () => {
    const unsent = { ...initialParams, tool_choice: { sent: false, text: 'function:sum' } };
    expect(withValidToolChoice(unsent, { ...unsent, tools: { sent: true, text: '[]' } }).tool_choice).toEqual(
      { sent: false, text: 'auto' },
    );
  });
});
