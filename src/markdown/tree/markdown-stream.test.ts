import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isRecord, ownProperty } from '../../lib/json.ts';
import { cases } from '../../testing/seeds.ts';
import { ANSWER, DOCUMENTS, LATE_DOCUMENTS } from '../__fixtures__/documents.ts';
import { RecordingSink } from '../__fixtures__/recording-sink.ts';
import { MarkdownStream } from './markdown-stream.ts';
import { referenceTree, textOf } from './reference-tree.ts';
import type { MarkdownChild, MarkdownNode } from './tree.ts';
import { joinedChildren } from './tree.ts';

/** A tree with neighbouring texts joined, to compare what is seen. */
function seen(node: MarkdownNode): unknown {
  const children = joinedChildren(node.children).map((child) =>
    typeof child === 'string' ? child : seen(child),
  );
  const attributes = Object.entries(node.attributes).toSorted(([one], [other]) => one.localeCompare(other));
  return { kind: node.kind, ...Object.fromEntries(attributes), children };
}

/** As the reference has it, but for white space of code: the reference loses some of it in a list, and all of it is kept. */
function seenAlike(node: MarkdownNode): string {
  const squeezed = (one: unknown): unknown => {
    if (!isRecord(one)) return typeof one === 'string' ? one.replace(/[\t ]+/g, ' ') : one;
    const children: unknown[] = Array.isArray(one['children']) ? one['children'] : [];
    if (one['kind'] === 'line')
      return { ...one, children: children.map((text) => String(text).replace(/\s/g, '')) };
    return { ...one, children: children.map(squeezed) };
  };
  return JSON.stringify(squeezed(seen(node)));
}

function streamed(chunks: readonly string[]): { sink: RecordingSink; differences: number } {
  const sink = new RecordingSink();
  const stream = new MarkdownStream(sink);
  for (const chunk of chunks) stream.append(chunk);
  stream.finish();
  return { sink, differences: stream.reconcile() };
}

function chunksOf(text: string, size: number): string[] {
  const chunks: string[] = [];
  for (let from = 0; from < text.length; from += size) chunks.push(text.slice(from, from + size));
  return chunks;
}

/** What is on screen after the given text, before its end is known. */
function soFar(text: string, chunkSize = 1): unknown {
  const sink = new RecordingSink();
  const stream = new MarkdownStream(sink);
  for (const chunk of chunksOf(text, chunkSize)) stream.append(chunk);
  const read: unknown = JSON.parse(JSON.stringify(seen(sink.tree.root)));
  return ownProperty(read, 'children');
}

describe('a streamed document at its end', () => {
  it('equals the complete parse without a repair', () => {
    for (const text of DOCUMENTS) {
      const { sink, differences } = streamed(chunksOf(text, 1));
      expect(seen(sink.tree.root), JSON.stringify(text)).toEqual(seen(referenceTree(text)));
      expect(differences, JSON.stringify(text)).toBe(0);
    }
  });

  it('equals the complete parse wherever a document is cut in two', () => {
    for (const text of [...DOCUMENTS, ...LATE_DOCUMENTS, ANSWER]) {
      const wanted = JSON.stringify(seen(referenceTree(text)));
      for (let cut = 0; cut <= text.length; cut += 1) {
        const { sink } = streamed([text.slice(0, cut), text.slice(cut)]);
        expect(JSON.stringify(seen(sink.tree.root)), `cut at ${cut} of ${JSON.stringify(text)}`).toBe(wanted);
      }
    }
  });

  it('reads a whole answer as the reference does, character by character, without a repair', () => {
    const { sink, differences } = streamed(chunksOf(ANSWER, 1));
    expect(seen(sink.tree.root)).toEqual(seen(referenceTree(ANSWER)));
    expect(differences).toBe(0);
  });

  it('resolves what only the end decides', () => {
    for (const text of LATE_DOCUMENTS) {
      const { sink } = streamed(chunksOf(text, 3));
      expect(seen(sink.tree.root), JSON.stringify(text)).toEqual(seen(referenceTree(text)));
    }
  });

  it('takes CR LF and CR as line ends, also between two chunks, and with an empty one between them', () => {
    const text = '# a\r\nb\rc\r\n\r\n- d\r\n- e\r\n';
    for (let cut = 0; cut <= text.length; cut += 1) {
      for (const between of [[], [''], ['', '']]) {
        const { sink } = streamed([text.slice(0, cut), ...between, text.slice(cut)]);
        expect(seen(sink.tree.root)).toEqual(seen(referenceTree(text)));
      }
    }
  });

  it('keeps the tabs of code in a list, which the reference loses', () => {
    const { sink } = streamed(['- make:\n\n  ```\n  \tgo build\n  ```\n']);
    expect(JSON.stringify(sink.tree.root)).toContain('"\\tgo build"');
  });
});

const word = fc.constantFrom(
  'alpha',
  'beta,',
  'snake_case',
  '42',
  'naïve',
  '日本語',
  'AT&T',
  '$5',
  '100%',
  '(see)',
  '👍',
  'f()',
  'a[1]',
);
const span = fc.oneof(
  { weight: 6, arbitrary: word },
  word.map((text) => `**${text}**`),
  word.map((text) => `*${text}*`),
  fc.constantFrom(
    '`co*de`',
    '~~gone~~',
    '[link](https://example.com/a_b "t")',
    'https://example.com/x?y=1.',
    '\\*',
    '2 * 3',
    '![i](http://i.example/x.png)',
  ),
);
/** Markup that is closed, so that nothing before it can change any more. */
const finishedSpan = fc.constantFrom(
  'word',
  '**bold**',
  '*italic*',
  '`co*de`',
  '~~gone~~',
  '[link](https://example.com/a_b "t")',
  'snake_case',
  '2 * 3',
  '![i](http://i.example/x.png)',
);
const LONGEST_MARKUP = 120;
/** How many characters stand behind the last dollar of the open block, which may begin a formula until one closes it. */
function openPrice(text: string): number {
  // What follows a dollar says whether it closes the one before.
  const at = text.lastIndexOf('$', text.length - 2);
  return at < 0 || text.includes('\n\n', at) ? 0 : text.length - at;
}
const line = fc.array(span, { minLength: 1, maxLength: 6 }).map((spans) => spans.join(' '));
const paragraph = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
const fence = fc
  .array(fc.constantFrom('const a = 1;', '', '  indented', '# x', '- y', '`z`'), { maxLength: 4 })
  .map((lines) => ['```ts', ...lines, '```'].join('\n'));
const table = fc
  .array(fc.tuple(line, line), { maxLength: 3 })
  .map((rows) =>
    ['| a | b |', '|---|:-:|', ...rows.map(([one, other]) => `| ${one} | ${other} |`)].join('\n'),
  );

function indented(text: string, by: string): string {
  return text.replace(/\n(?=[^\n])/g, `\n${by}`);
}

const { block } = fc.letrec<{ block: string; list: string; quote: string }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    paragraph,
    line.map((text) => `## ${text}`),
    fence,
    table,
    fc.constant('---'),
    tie('list'),
    tie('quote'),
  ),
  list: fc
    .tuple(
      fc.boolean(),
      fc.boolean(),
      fc.array(fc.tuple(paragraph, fc.option(tie('block'))), { minLength: 1, maxLength: 3 }),
    )
    .map(([ordered, loose, items]) =>
      items
        .map(([text, more], index) => {
          const marker = ordered ? `${index + 1}. ` : '- ';
          const body = more === null ? text : `${text}\n\n${more}`;
          return marker + indented(body, ' '.repeat(marker.length));
        })
        .join(loose ? '\n\n' : '\n'),
    ),
  quote: tie('block').map((text) =>
    text
      .split('\n')
      .map((each) => (each === '' ? '>' : `> ${each}`))
      .join('\n'),
  ),
}));
const document = fc.array(block, { minLength: 1, maxLength: 5 }).map((blocks) => blocks.join('\n\n'));

describe('a generated document', () => {
  it('is the same at its end however it was split, and equals the complete parse', () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 40 }), (text, size) => {
        const { sink } = streamed(chunksOf(text, size));
        expect(seen(sink.tree.root)).toEqual(seen(referenceTree(text)));
      }),
      { numRuns: cases(400) },
    );
  });

  it('is not split-dependent before its end is compared either', () => {
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(soFar(`${text}\n\nEnd.\n\n`, size)).toEqual(soFar(`${text}\n\nEnd.\n\n`, 1_000_000));
      }),
      { numRuns: cases(200) },
    );
  });

  it('survives any characters at all', () => {
    const hostile = fc.array(
      fc.constantFrom(
        '*',
        '_',
        '`',
        '[',
        ']',
        '(',
        ')',
        '<',
        '>',
        '#',
        '-',
        '|',
        '\n',
        ' ',
        '\t',
        'a',
        '1.',
        '&',
        '$',
        '\\',
        '~',
        '!',
        ':',
        '\r',
        '\u0000',
        '\ud83d',
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 7 }), (pieces, size) => {
        const text = pieces.join('');
        const { sink } = streamed(chunksOf(text, size));
        expect(seenAlike(sink.tree.root)).toBe(seenAlike(referenceTree(text)));
      }),
      { numRuns: cases(1_500) },
    );
  });
});

describe('while the text grows', () => {
  it('never changes a block that was closed', () => {
    const sink = new RecordingSink();
    const stream = new MarkdownStream(sink);
    const closed: { node: MarkdownChild; text: string }[] = [];
    for (const character of ANSWER) {
      stream.append(character);
      const blocks = sink.tree.root.children;
      for (const [index, { node, text }] of closed.entries()) {
        expect(blocks[index]).toBe(node);
        expect(JSON.stringify(blocks[index])).toBe(text);
      }
      // The last two may still change: the open one, and one that a lazy line could carry on.
      while (closed.length < blocks.length - 1) {
        const node = blocks[closed.length] ?? '';
        closed.push({ node, text: JSON.stringify(node) });
      }
    }
    expect(closed.length).toBeGreaterThan(6);
  });

  it('shows what is open as it will most likely close', () => {
    const rows: [string, unknown][] = [
      [
        'some **bold te',
        [{ kind: 'paragraph', children: ['some ', { kind: 'strong', children: ['bold te'] }] }],
      ],
      ['some **bold*', [{ kind: 'paragraph', children: ['some ', { kind: 'strong', children: ['bold'] }] }]],
      [
        'an *opener and `co',
        [
          {
            kind: 'paragraph',
            children: [
              'an ',
              { kind: 'emphasis', children: ['opener and ', { kind: 'code-span', children: ['co'] }] },
            ],
          },
        ],
      ],
      ['wait *', [{ kind: 'paragraph', children: ['wait '] }]],
      ['see [the do', [{ kind: 'paragraph', children: ['see ', { kind: 'link', children: ['the do'] }] }]],
      [
        'see [the docs](https://exa',
        [{ kind: 'paragraph', children: ['see ', { kind: 'link', children: ['the docs'] }] }],
      ],
      ['the array[0', [{ kind: 'paragraph', children: ['the array[0'] }]],
      ['five &am', [{ kind: 'paragraph', children: ['five '] }]],
      ['# Head', [{ kind: 'heading', level: 1, children: ['Head'] }]],
      ['text\n##', [{ kind: 'paragraph', children: ['text'] }]],
      ['text\n--', [{ kind: 'paragraph', children: ['text'] }]],
      ['```t', []],
      ['```ts\ncon', [{ kind: 'code', language: 'ts', children: [{ kind: 'line', children: ['con'] }] }]],
      ['```\na\n``', [{ kind: 'code', children: [{ kind: 'line', children: ['a'] }] }]],
      [
        '- one\n- tw',
        [
          {
            kind: 'list',
            loose: false,
            children: [
              { kind: 'item', children: [{ kind: 'paragraph', children: ['one'] }] },
              { kind: 'item', children: [{ kind: 'paragraph', children: ['tw'] }] },
            ],
          },
        ],
      ],
      [
        '| a | b',
        [
          {
            kind: 'table',
            children: [
              {
                kind: 'row',
                children: [
                  { kind: 'cell', header: true, children: ['a'] },
                  { kind: 'cell', header: true, children: ['b'] },
                ],
              },
            ],
          },
        ],
      ],
      ['It costs $5 and', [{ kind: 'paragraph', children: ['It costs $5 and'] }]],
    ];
    expect(rows.map(([text]) => [text, soFar(text)])).toEqual(rows);
  });

  it('draws again only what stands behind the last safe point, in documents of any kind', () => {
    fc.assert(
      fc.property(document, (text) => {
        const sink = new RecordingSink();
        const stream = new MarkdownStream(sink);
        let drawn = 0;
        let open = 0;
        for (const character of text) {
          const before = sink.characters;
          const price = openPrice(text.slice(0, stream.length));
          stream.append(character);
          const now = sink.characters - before;
          // One markup of these documents and the word before it.
          expect(now, `after ${JSON.stringify(text.slice(0, stream.length))}`).toBeLessThan(
            LONGEST_MARKUP + price,
          );
          drawn += now;
          open += price;
        }
        expect(drawn).toBeLessThan(text.length * 40 + 400 + open);
      }),
      { numRuns: cases(300) },
    );
  });

  it('keeps every finished piece of the open paragraph, and its text, while it goes on', () => {
    fc.assert(
      fc.property(fc.array(finishedSpan, { minLength: 3, maxLength: 20 }), (spans) => {
        const sink = new RecordingSink();
        const stream = new MarkdownStream(sink);
        const kept: { child: MarkdownChild; text: string }[] = [];
        for (const text of spans) {
          for (const character of `${text} `) stream.append(character);
          const [open] = sink.tree.root.children;
          const children = typeof open === 'object' ? open.children : [];
          for (const [index, { child, text: was }] of kept.entries()) {
            expect(children[index]).toBe(child);
            expect(JSON.stringify(children[index])).toBe(was);
          }
          // The last two may wait for what follows.
          for (let index = kept.length; index < children.length - 2; index += 1) {
            const child = children[index] ?? '';
            kept.push({ child, text: JSON.stringify(child) });
          }
        }
        expect(kept.length).toBeGreaterThanOrEqual(spans.length - 4);
      }),
      { numRuns: cases(300) },
    );
  });

  it('keeps every finished cell of the open row, and every finished row, while the table grows', () => {
    const row = '| **one** | two \\| three | `four` five |\n';
    const sink = new RecordingSink();
    const stream = new MarkdownStream(sink);
    stream.append('| a | b | c |\n|---|---|---|\n');
    const table = sink.tree.root.children[0];
    const kept: { cell: MarkdownChild; text: string }[] = [];
    for (const character of row.repeat(3)) {
      stream.append(character);
      const rows = typeof table === 'object' ? table.children : [];
      const cells = rows.slice(1).flatMap((each) => (typeof each === 'object' ? each.children : []));
      for (const [index, { cell, text }] of kept.entries()) {
        expect(cells[index]).toBe(cell);
        expect(JSON.stringify(cells[index])).toBe(text);
      }
      for (const cell of cells.slice(kept.length, -1)) kept.push({ cell, text: JSON.stringify(cell) });
    }
    expect(kept).toHaveLength(8);
    const first = kept.slice(0, 3).map(({ cell }) => textOf([cell]));
    expect(first).toEqual(['one', 'two | three', 'four five']);
  });

  it('never leads to a part of a long address, and shows what is not read as a definition', () => {
    const address = `https://example.com/${'x'.repeat(3_000)}`;
    const sink = new RecordingSink();
    const stream = new MarkdownStream(sink);
    for (const chunk of chunksOf(`[a]: ${address}\n\n[a] and [a]`, 100)) stream.append(chunk);
    stream.finish();
    const text = JSON.stringify(sink.tree.root);
    for (const [href] of text.matchAll(/"href":"[^"]*"/g)) expect(href).toBe(`"href":"${address}"`);
    expect(textOf(sink.tree.root.children)).toContain(address);
  });

  it('turns a line that looked like a header back into a paragraph', () => {
    expect(soFar('| a | b\nnot a table')).toEqual([
      { kind: 'paragraph', children: ['| a | b\nnot a table'] },
    ]);
  });
});

describe('the cost, counted in operations', () => {
  function costOf(text: string, chunkSize = 130): { operations: number; characters: number } {
    const { sink } = streamed(chunksOf(text, chunkSize));
    return { operations: sink.operations, characters: sink.characters };
  }

  it.each([
    ['list', (count: number) => '- item with some **text** here\n'.repeat(count)],
    ['nested list', (count: number) => `- top\n${'  - item with *text*\n'.repeat(count)}`],
    ['table', (count: number) => `| a | b |\n|---|---|\n${'| some | `text` |\n'.repeat(count)}`],
    ['code block', (count: number) => `\`\`\`\n${'const x = 1;\n'.repeat(count)}`],
    ['paragraph', (count: number) => 'some words in a *line* and more '.repeat(count)],
    ['quote', (count: number) => '> some words in a *line*\n'.repeat(count)],
    ['word without a space', (count: number) => 'abcdefghijklmnop'.repeat(count * 2)],
    ['answer of many blocks', (count: number) => `${ANSWER}\n`.repeat(count / 100)],
  ])('grows with the text, not faster, in one giant %s', (_name, make) => {
    const small = costOf(make(400));
    const large = costOf(make(3_200));
    expect(large.operations / small.operations).toBeLessThan(8.8);
    expect(large.characters / small.characters).toBeLessThan(9.6);
  });

  it.each([
    ['asterisks', '*a_ '.repeat(20_000)],
    ['brackets', '[a]('.repeat(20_000)],
    ['open brackets', '['.repeat(50_000)],
    ['one megabyte without a break', 'abcdefghij'.repeat(100_000)],
    ['fences', '```\n'.repeat(5_000)],
    ['dollars', '$'.repeat(20_000)],
    ['comments', 'x <!-- '.repeat(10_000)],
    ['backticks', Array.from({ length: 300 }, (_, index) => '`'.repeat(index + 1)).join(' ')],
    ['spaces', `a${' '.repeat(100_000)}b`],
    ['spaces in a heading', `# a${' '.repeat(100_000)}b`],
    ['images within images', '![a '.repeat(20_000)],
    ['at signs', 'a@'.repeat(30_000)],
  ])('stays bounded for a bomb of %s', (_name, text) => {
    const { operations, characters } = costOf(text, 1_000);
    expect(operations).toBeLessThan(text.length + 1_000);
    expect(characters).toBeLessThan(text.length * 3);
  });

  it.each([
    ['a list 1,000 deep', Array.from({ length: 1_000 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
    ['quotes 10,000 deep', `${'>'.repeat(10_000)} a`],
    ['emphasis 20,000 deep', '**a '.repeat(20_000) + 'a** '.repeat(20_000)],
    ['a table of 5,000 columns', `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n`],
    [
      'a table whose 10,000 rows lack 249 of 250 cells',
      `${'|a'.repeat(250)}|\n${'|-'.repeat(250)}|\n${'x\n'.repeat(10_000)}`,
    ],
  ])('shows %s as plain text with a note, all of it', (_name, text) => {
    const { sink } = streamed(chunksOf(text, 4_000));
    expect(sink.operations).toBeLessThan(100_000);
    const [note, ...plain] = sink.tree.root.children;
    expect(note).toMatchObject({ kind: 'note' });
    const shown = textOf(plain);
    expect(shown.replaceAll('\n', '')).toBe(text.replaceAll('\n', ''));
  });

  it.each([
    ['first', `[a]: https://example.com/${'x'.repeat(20_000)}\n\n${'[a] '.repeat(10_000)}`],
    ['last', `${'[a] '.repeat(10_000)}\n\n[a]: https://example.com/${'x'.repeat(20_000)}\n`],
  ])('does not multiply an address that is defined %s and used 10,000 times', (_where, text) => {
    for (const size of [100, 4_000, text.length]) {
      const { sink } = streamed(chunksOf(text, size));
      expect(JSON.stringify(sink.tree.root).length, `in pieces of ${size}`).toBeLessThan(text.length * 20);
      const shown = textOf(sink.tree.root.children);
      expect(shown.match(/a\b/g)?.length, `in pieces of ${size}`).toBeGreaterThanOrEqual(10_000);
    }
  });

  it.each([
    ['lines', 'A line of **text**.\n\n', 2_100_000],
    ['one line', 'words and ', 2_300_000],
  ])('draws %s up to a bound, and shows the rest unchanged, however it was cut', (_name, unit, length) => {
    const text = unit.repeat(Math.ceil(length / unit.length));
    const trees = [text.length, 65_537].map((size) => {
      const { children } = streamed(chunksOf(text, size)).sink.tree.root;
      const at = children.findIndex((child) => typeof child !== 'string' && child.kind === 'note');
      return { drawn: children.slice(0, at), rest: textOf(children.slice(at + 1)) };
    });
    const [whole] = trees;
    const rest = whole?.rest.replaceAll('\n', '') ?? '';
    expect(rest.length).toBeGreaterThan(10_000);
    expect(text.replaceAll('\n', '').endsWith(rest)).toBe(true);
    // Nothing between the two: what is drawn lacks its marks only.
    const drawn = textOf(whole?.drawn ?? []).replaceAll('\n', '');
    const before = text.replaceAll('\n', '').slice(0, -rest.length).replaceAll('*', '');
    expect(drawn).toBe(before.trimEnd());
    for (const tree of trees) {
      expect(tree.drawn.length).toBe(whole?.drawn.length);
      expect(tree.rest.replaceAll('\n', '') === rest).toBe(true);
    }
  });
});
