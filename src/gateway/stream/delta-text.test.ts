import { expect, it } from 'vitest';

import { readContent, toRawText, readReasoning, stringifyJson, type DeltaContent } from './delta-text.ts';

const createText = (value: string): DeltaContent => ({ type: 'text', text: value });
const createSkipped = (description: string, value: unknown): DeltaContent => ({
  type: 'skipped',
  description,
  value,
});

it('reads each content part as text and keeps values that are not text', () => {
  const image = { type: 'image_url', image_url: 'x' };
  const cited = { type: 'text', text: 'a', note: 'b' };
  const nested = { type: 'text', text: ['a', 'b'], content: 'c' };
  const rows: [content: unknown, contents: DeltaContent[]][] = [
    ['', []],
    [null, []],
    [
      ['a', 1],
      [createText('a'), createText('1')],
    ],
    [{ text: 'a' }, [createText('a')]],
    [{ type: 'text', text: '' }, []],
    [{ type: 'output_text', text: { value: 'a' } }, [createText('a')]],
    [{ type: 'reasoning', summary: [{ text: 'a' }, { text: 'b' }] }, [{ type: 'thinking', text: 'ab' }]],
    [{ type: 'refusal', refusal: 'no' }, [{ type: 'refusal', text: 'no' }]],
    [{ type: 'refusal', text: 'no' }, [{ type: 'refusal', text: 'no' }]],
    [
      { type: 'text', text: 'a', refusal: 'no' },
      [createText('a'), createSkipped('content part', { type: 'text', text: 'a', refusal: 'no' })],
    ],
    [image, [createSkipped('content part of type image_url', image)]],
    [cited, [createText('a'), createSkipped('content part with note', { note: 'b' })]],
    [{ type: 'text', note: 'b' }, [createText('{"note":"b"}')]],
    [nested, [createText('ab'), createSkipped('content part', nested)]],
    [{ type: 'text', text: { card: 'b' } }, [createText('{"text":{"card":"b"}}')]],
  ];
  expect(rows.map(([content]) => [content, readContent(content)])).toEqual(rows);
});

it('reads nested parts to a limited depth and shows deeper ones unchanged', () => {
  const createParts = (levels: number): unknown => (levels === 0 ? 'a' : [createParts(levels - 1)]);
  expect(readContent(createParts(5))).toEqual([createText('a')]);
  expect(readContent(createParts(6))).toEqual([createText('["a"]')]);
  const createReasoning = (levels: number): unknown =>
    levels === 0 ? 'a' : { text: createReasoning(levels - 1) };
  expect(readReasoning({ thinking_blocks: createReasoning(5) })).toBe('a');
  expect(readReasoning({ thinking_blocks: [[[[['a']]]]] })).toBe('a');
  expect(readReasoning({ reasoning_details: [[[[[['a']]]]]] })).toBe('');
});

it('reads identical reasoning under two names once, and different reasoning in order', () => {
  const rows: [delta: Record<string, unknown>, thinking: string][] = [
    [{}, ''],
    [{ reasoning: 'a', reasoning_content: 'a' }, 'a'],
    [{ reasoning: 'b', reasoning_content: 'a', thinking: 'a' }, 'ab'],
    [{ reasoning_content: '', reasoning: 'b', reasoning_text: null }, 'b'],
    [{ reasoning: { step: 4 } }, '{"step":4}'],
    [{ reasoning: 'a', reasoning_details: [{ text: 'b' }] }, 'a'],
    [{ reasoning_details: [{ type: 'x' }], thinking_blocks: [{ thinking: 'b' }] }, 'b'],
  ];
  expect(rows.map(([delta]) => [delta, readReasoning(delta)])).toEqual(rows);
});

it('converts values of other types to JSON, and empty values to an empty string', () => {
  const rows: [value: unknown, written: string][] = [
    [' a ', ' a '],
    [0, '0'],
    [true, 'true'],
    [false, ''],
    [null, ''],
    [undefined, ''],
    [[], ''],
    [{ a: [1] }, '{"a":[1]}'],
  ];
  expect(rows.map(([value]) => [value, toRawText(value)])).toEqual(rows);
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(stringifyJson(deep)).toContain('nested too deep');
});
