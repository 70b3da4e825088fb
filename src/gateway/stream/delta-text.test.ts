import { expect, it } from 'vitest';

import { contentOf, rawText, thinkingOf, writtenJson, type Said } from './delta-text.ts';

const text = (words: string): Said => ({ type: 'text', text: words });
const skipped = (what: string, value: unknown): Said => ({ type: 'skipped', what, value });

it('says of each part of a content what can be in a text, and keeps what cannot', () => {
  const image = { type: 'image_url', image_url: 'x' };
  const cited = { type: 'text', text: 'a', note: 'b' };
  const nested = { type: 'text', text: ['a', 'b'], content: 'c' };
  const rows: [content: unknown, said: Said[]][] = [
    ['', []],
    [null, []],
    [
      ['a', 1],
      [text('a'), text('1')],
    ],
    [{ text: 'a' }, [text('a')]],
    [{ type: 'text', text: '' }, []],
    [{ type: 'output_text', text: { value: 'a' } }, [text('a')]],
    [{ type: 'reasoning', summary: [{ text: 'a' }, { text: 'b' }] }, [{ type: 'thinking', text: 'ab' }]],
    [{ type: 'refusal', refusal: 'no' }, [{ type: 'refusal', text: 'no' }]],
    [{ type: 'refusal', text: 'no' }, [{ type: 'refusal', text: 'no' }]],
    [
      { type: 'text', text: 'a', refusal: 'no' },
      [text('a'), skipped('content part', { type: 'text', text: 'a', refusal: 'no' })],
    ],
    [image, [skipped('content part of type image_url', image)]],
    [cited, [text('a'), skipped('content part with note', { note: 'b' })]],
    [{ type: 'text', note: 'b' }, [text('{"note":"b"}')]],
    [nested, [text('ab'), skipped('content part', nested)]],
    [{ type: 'text', text: { card: 'b' } }, [text('{"text":{"card":"b"}}')]],
  ];
  expect(rows.map(([content]) => [content, contentOf(content)])).toEqual(rows);
});

it('reads parts inside of parts to a bounded depth, and shows what is deeper unchanged', () => {
  const parts = (levels: number): unknown => (levels === 0 ? 'a' : [parts(levels - 1)]);
  expect(contentOf(parts(5))).toEqual([text('a')]);
  expect(contentOf(parts(6))).toEqual([text('["a"]')]);
  const thought = (levels: number): unknown => (levels === 0 ? 'a' : { text: thought(levels - 1) });
  expect(thinkingOf({ thinking_blocks: thought(5) })).toBe('a');
  expect(thinkingOf({ thinking_blocks: [[[[['a']]]]] })).toBe('a');
  expect(thinkingOf({ reasoning_details: [[[[[['a']]]]]] })).toBe('');
});

it('takes the same thinking under two names once, and other thinking in its order', () => {
  const rows: [delta: Record<string, unknown>, thinking: string][] = [
    [{}, ''],
    [{ reasoning: 'a', reasoning_content: 'a' }, 'a'],
    [{ reasoning: 'b', reasoning_content: 'a', thinking: 'a' }, 'ab'],
    [{ reasoning_content: '', reasoning: 'b', reasoning_text: null }, 'b'],
    [{ reasoning: { step: 4 } }, '{"step":4}'],
    [{ reasoning: 'a', reasoning_details: [{ text: 'b' }] }, 'a'],
    [{ reasoning_details: [{ type: 'x' }], thinking_blocks: [{ thinking: 'b' }] }, 'b'],
  ];
  expect(rows.map(([delta]) => [delta, thinkingOf(delta)])).toEqual(rows);
});

it('writes a value of another type than text as JSON, and nothing where it says nothing', () => {
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
  expect(rows.map(([value]) => [value, rawText(value)])).toEqual(rows);
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  expect(writtenJson(deep)).toContain('nested too deep');
});
