import { createElement } from 'react';
import { renderToReadableStream } from 'react-dom/server';
import { describe, expect, it } from 'vitest';

import { parseJson } from '../../lib/json.ts';
import { JsonTree } from './json-tree.tsx';

/** Renders as a stream, because React's synchronous renderer fails partway if the stack is small. */
async function renderTree(text: string, failingPath?: string[]): Promise<string> {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new Error(parsed.message);
  const stream = await renderToReadableStream(createElement(JsonTree, { value: parsed.value, failingPath }));
  await stream.allReady;
  return new Response(stream).text();
}

const createNested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const countDetailsElements = (html: string) => html.match(/<details/g)?.length;

describe('JSON tree', () => {
  it('renders expanded levels of a JSON tree and omits collapsed ones', async () => {
    expect(await renderTree('{"a":{"b":{"c":{"d":"hidden"}}}}')).not.toContain('hidden');
    expect(await renderTree('{"a":{"b":{"c":"shown"}}}')).toContain('shown');
  });

  it('renders only the first levels of a JSON tree with 20,000 levels', async () => {
    expect(countDetailsElements(await renderTree(createNested(20_000)))).toBe(4);
  });

  it('expands a JSON tree down to a failing path, or shows text if the path is too deep', async () => {
    const createPath = (levels: number) => Array.from({ length: levels }, () => 'a');
    expect(await renderTree(createNested(6), createPath(6))).toContain('does not fit the schema');
    const deepHtml = await renderTree(createNested(5000), createPath(5000));
    expect(countDetailsElements(deepHtml)).toBeLessThanOrEqual(100);
    expect(deepHtml).toContain('Nested too deeply for the tree');
    expect(await renderTree(createNested(150), createPath(150))).toContain('{&quot;a&quot;:{&quot;a&quot;:');
  });
});
