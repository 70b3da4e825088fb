import { createElement } from 'react';
import { renderToReadableStream } from 'react-dom/server';
import { describe, expect, it } from 'vitest';

import { parseJson } from '../../../lib/json.ts';
import { JsonTree } from './json-tree.tsx';

/** As a stream: React's other renderer gives up half way where the stack is short. */
async function drawn(text: string, failing?: string[]): Promise<string> {
  const reading = parseJson(text);
  if (!reading.ok) throw new Error(reading.message);
  const stream = await renderToReadableStream(createElement(JsonTree, { value: reading.value, failing }));
  await stream.allReady;
  return new Response(stream).text();
}

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const foldersIn = (html: string) => html.match(/<details/g)?.length;

describe('JSON as a tree', () => {
  it('draws what is open, and nothing of what is folded away', async () => {
    expect(await drawn('{"a":{"b":{"c":{"d":"hidden"}}}}')).not.toContain('hidden');
    expect(await drawn('{"a":{"b":{"c":"shown"}}}')).toContain('shown');
  });

  it('of 20,000 levels draws the first', async () => {
    expect(foldersIn(await drawn(nested(20_000)))).toBe(4);
  });

  it('opens down to the place that fails, and is text where that is too deep for a tree', async () => {
    const path = (levels: number) => Array.from({ length: levels }, () => 'a');
    expect(await drawn(nested(6), path(6))).toContain('does not fit the schema');
    const deep = await drawn(nested(5000), path(5000));
    expect(foldersIn(deep)).toBeLessThanOrEqual(100);
    expect(deep).toContain('Too deeply nested for the tree');
    expect(await drawn(nested(150), path(150))).toContain('{&quot;a&quot;:{&quot;a&quot;:');
  });
});
