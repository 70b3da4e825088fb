import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createOpaqueCollector, isOpaqueField, readOpaqueFields } from './opaque-fields.ts';

/** Collects the opaque fields of deltas, each read from the text of its event. */
function collectFields(...texts: string[]) {
  const collector = createOpaqueCollector();
  for (const text of texts) {
    const value: unknown = JSON.parse(text);
    collector.add(Object(value), text, []);
  }
  return collector.getFields();
}

const textArbitrary = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });

describe('opaque fields', () => {
  it('keeps a field that arrives only once byte for byte', () => {
    const text = '{"content":"x", "extra_content" : {"sig":"a\\u003d\\/", "n":1.0, "big":9007199254740993} }';
    expect(collectFields(text)).toEqual({
      extra_content: '{"sig":"a\\u003d\\/", "n":1.0, "big":9007199254740993}',
    });
  });

  it('keeps the digits of a field if another candidate has an equal field', () => {
    const text = '{"choices":[{"delta":{"x":1,"y":2}},{"delta":{"x":1.0,"y":2}}]}';
    const collector = createOpaqueCollector();
    collector.add({ x: 1, y: 2 }, text, ['choices', 1, 'delta']);
    expect(collector.getFields()).toEqual({ x: '1.0', y: '2' });
  });

  it('keeps the last opaque value that is not empty', () => {
    expect(
      collectFields('{"meta":{"a":1}}', '{"meta":null}', '{"meta":{"b":2}}', '{"meta":[]}', '{"other":""}'),
    ).toEqual({
      meta: '{"b":2}',
    });
  });

  it('joins the text of a reasoning field, wherever it was cut', () => {
    fc.assert(
      fc.property(
        fc.array(textArbitrary, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (pieces, hasOther) => {
          const texts = pieces.map((piece) =>
            JSON.stringify(
              hasOther ? { role: null, reasoning_content: piece, x_sig: 's' } : { reasoning_content: piece },
            ),
          );
          const { reasoning_content: json = '' } = collectFields(...texts);
          expect(JSON.parse(json)).toBe(pieces.join(''));
        },
      ),
    );
  });

  it('joins list items of opaque fields by index, otherwise ID, otherwise order, with keys in any order', () => {
    const pieces = fc.array(fc.tuple(fc.nat(2), textArbitrary, fc.boolean()), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(pieces, fc.constantFrom('index', 'id'), (list, key) => {
        const texts: Record<string, string> = {};
        const events = list.map(([number, text, isReversed]) => {
          const name = key === 'index' ? number : `item-${number}`;
          texts[name] = (texts[name] ?? '') + text;
          const item = isReversed ? { text, [key]: name, format: 'v1' } : { format: 'v1', [key]: name, text };
          return JSON.stringify({ reasoning_details: [item] });
        });
        const items: unknown = JSON.parse(collectFields(...events)['reasoning_details'] ?? '[]');
        expect(items).toHaveLength(Object.keys(texts).length);
        for (const [name, text] of Object.entries(texts))
          expect(items).toContainEqual({ [key]: key === 'index' ? Number(name) : name, text, format: 'v1' });
      }),
    );
  });

  it('joins blocks without index and ID by order, starts a new block after a signature, and reads a missing index as 0', () => {
    expect(
      collectFields(
        '{"thinking_blocks":[{"type":"thinking","thinking":"He"}]}',
        '{"thinking_blocks":[{"type":"thinking","thinking":"llo"}]}',
        '{"thinking_blocks":[{"type":"thinking","thinking":"","signature":"c2ln"}]}',
        '{"thinking_blocks":[{"type":"redacted_thinking","data":"QUJD"}]}',
        '{"thinking_blocks":[{"type":"thinking","thinking":"More"}]}',
      ),
    ).toEqual({
      thinking_blocks:
        '[{"type":"thinking","thinking":"Hello","signature":"c2ln"},{"type":"redacted_thinking","data":"QUJD"},{"type":"thinking","thinking":"More"}]',
    });
    expect(
      collectFields(
        '{"reasoning_details":[{"text":"a"},{"index":1,"text":"b"}]}',
        '{"reasoning_details":[{"text":"c"}]}',
      ),
    ).toEqual({ reasoning_details: '[{"text":"ac"},{"index":1,"text":"b"}]' });
    expect(collectFields('{"x":[{"text":"a"},{"text":"b"}]}', '{"x":[{"text":"c"},{"text":"d"}]}')).toEqual({
      x: '[{"text":"ac"},{"text":"bd"}]',
    });
  });

  it('joins blocks from delta pieces into those of a whole message', () => {
    const createPiece = (index: number, delta: string) =>
      `{"content_blocks":[{"index":${index},"delta":${delta}}]}`;
    expect(
      collectFields(
        createPiece(0, '{"thinking":"","signature":""}'),
        createPiece(0, '{"thinking":"He\\u006c"}'),
        createPiece(0, '{"thinking":"lo"}'),
        createPiece(0, '{"signature":"c2\\/ln"}'),
        createPiece(1, '{"data":"QUJD"}'),
        createPiece(2, '{"text":""}'),
        createPiece(2, '{"text":"Hi"}'),
        createPiece(3, '{"type":"image_url","image_url":{"url":"data:,x"}}'),
      ),
    ).toEqual({
      content_blocks:
        '[{"thinking":"He\\u006clo","signature":"c2\\/ln","type":"thinking"},{"data":"QUJD","type":"redacted_thinking"},{"text":"Hi","type":"text"},{"type":"image_url","image_url":{"url":"data:,x"}}]',
    });
    expect(collectFields(createPiece(1, '{"text":"Hi"}'))).toEqual({
      content_blocks: '[{"text":"Hi","type":"text"}]',
    });
  });

  it("separates the fields of a call's function from the fields of the call", () => {
    const call =
      '{"id":"1","sig":1.0,"function":{"name":"look","arguments":"{}","sig":"a\\u003d","__proto__":1}}';
    expect(collectFields(call)).toEqual({ sig: '1.0', 'function.sig': '"a\\u003d"' });
    for (const name of ['function.name', 'function.arguments', 'function.toString'])
      expect(isOpaqueField(name)).toBe(false);
  });

  it('never treats a known field of a message or call, or an object prototype name, as opaque', () => {
    const forged = {
      role: '"system"',
      content: '"x"',
      tool_calls: '[]',
      constructor: '1',
      extra_content: '{',
    };
    expect(readOpaqueFields({ ...forged, ['__proto__']: '1', x_sig: '"kept"', usage: '{}' })).toEqual({
      x_sig: '"kept"',
    });
    for (const name of ['role', 'name', 'id', 'function', 'index', 'arguments', 'tool_call_id', 'toString'])
      expect(isOpaqueField(name)).toBe(false);
  });
});
