import { describe, expect, it } from 'vitest';

import type { ToolCall } from '../gateway/wire.ts';
import { canonicalArguments, identitiesOf, resultsFor } from './tool-results.ts';
import type { ToolResult } from './types.ts';

const call = (name: string, text: string): ToolCall => ({
  id: `${name} ${text}`,
  type: 'function',
  function: { name, arguments: text },
});
const result = (name: string, ordinal: number, content: string, text?: string): ToolResult => ({
  call: { name, ordinal, ...(text === undefined ? {} : { arguments: text }) },
  content,
});
const contents = (calls: ToolCall[], results: ToolResult[]) =>
  resultsFor(calls, results).map((found) => found?.content);

describe('a result', () => {
  it('answers the call with the same name and arguments, wherever it stands', () => {
    const results = [result('add', 0, 'one', '{"a":1}'), result('add', 1, 'two', '{"a":2}')];
    expect(contents([call('add', '{"a":2}'), call('add', '{ "a": 1 }')], results)).toEqual(['two', 'one']);
  });

  it('answers by name and order where the arguments are others', () => {
    expect(
      contents([call('add', '{"a":9}'), call('sub', '{}')], [result('add', 0, 'one', '{"a":1}')]),
    ).toEqual(['one', undefined]);
  });

  it('never answers two calls of one lane', () => {
    const calls = [call('add', '{"a":1}'), call('add', '{"a":1}')];
    expect(contents(calls, [result('add', 0, 'once', '{"a":1}')])).toEqual(['once', undefined]);
    const both = [result('add', 0, 'first', '{"a":1}'), result('add', 1, 'second', '{"a":1}')];
    expect(contents(calls, both)).toEqual(['first', 'second']);
  });

  it('does not leave an exact match to a call that only fits by order', () => {
    const results = [result('add', 0, 'for two', '{"a":2}')];
    expect(contents([call('add', '{"a":1}'), call('add', '{"a":2}')], results)).toEqual([
      undefined,
      'for two',
    ]);
  });
});

describe('a call', () => {
  it('is the same whatever the order of its keys and its white space', () => {
    expect(canonicalArguments('{"b": [1, {"d":1,"c":2}], "a":1}')).toBe(
      canonicalArguments('{"a":1,"b":[1,{"c":2,"d":1}]}'),
    );
    expect(canonicalArguments('[2,1]')).not.toBe(canonicalArguments('[1,2]'));
    expect(canonicalArguments(' {broken ')).toBe('{broken');
    expect(canonicalArguments('{"__proto__":{"x":1}}')).toBe('{"__proto__":{"x":1}}');
  });

  it('is counted among the calls of its name', () => {
    const calls = [call('add', '1'), call('sub', '1'), call('add', '2')];
    expect(identitiesOf(calls).map(({ ordinal }) => ordinal)).toEqual([0, 0, 1]);
  });
});
