import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getOwnProperty } from '../../lib/json.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { ANSWER, DOCUMENTS, LATE_DOCUMENTS } from '../__fixtures__/documents.ts';
import { wellFormedDocument } from '../__fixtures__/generated-documents.ts';
import { parseWithMarked } from '../__fixtures__/marked-tree.ts';
import { RecordingSink } from '../__fixtures__/recording-sink.ts';
import { splitText, toVisibleTree, renderStreamed } from '../__fixtures__/visible-tree.ts';
import { MarkdownStream } from './markdown-stream.ts';
import type { MarkdownChild } from './markdown-tree.ts';
import { getInlineText } from './markdown-tree.ts';

/** Returns what is visible after the given text, before its end is known. */
function renderPartial(text: string, pieceSize = 1): unknown {
  const sink = new RecordingSink();
  const stream = new MarkdownStream(sink);
  for (const piece of splitText(text, pieceSize)) stream.append(piece);
  const tree: unknown = JSON.parse(JSON.stringify(toVisibleTree(sink.tree.root)));
  return getOwnProperty(tree, 'children');
}

describe('complete streamed document', () => {
  it('equals the result of marked, wherever the text is cut in two', () => {
    for (const text of [...DOCUMENTS, ...LATE_DOCUMENTS, ANSWER]) {
      const expected = JSON.stringify(toVisibleTree(parseWithMarked(text)));
      for (let cut = 0; cut <= text.length; cut += 1) {
        const { tree } = renderStreamed([text.slice(0, cut), text.slice(cut)]);
        expect(JSON.stringify(toVisibleTree(tree.root)), `cut at ${cut} of ${JSON.stringify(text)}`).toBe(
          expected,
        );
      }
    }
  });

  it('parses a block again only if it used a later definition', () => {
    const definedFirst = renderStreamed(splitText('[a]: /a\n\n[^1]: Note.\n\n[a], [b][a] and [^1].', 1));
    expect(definedFirst.reopenCount).toBe(0);
    for (const text of [...DOCUMENTS, ANSWER]) expect(renderStreamed([text]).reopenCount, text).toBe(0);
    const definedLater = renderStreamed([
      '[a] one\n\n[b] two\n\n- three [^1]\n\n| a |\n|---|\n| four [c][d] |\n\n[a]: /a\n\n[^1]: Note.',
    ]);
    expect(definedLater.reopenCount).toBe(2);
    expect(JSON.stringify(toVisibleTree(definedLater.tree.root))).toContain(
      '{"kind":"link","href":"/a","children":["a"]}',
    );
    expect(getInlineText(definedLater.tree.root.children)).toContain('four [c][d]');
  });

  it('keeps every block and its position when a reference is resolved', () => {
    const sink = new RecordingSink();
    const stream = new MarkdownStream(sink);
    stream.append('- [x] [a] task\n- other\n\n[a] text\n\n[a]: /a');
    stream.finish();
    const blocks = [...sink.tree.root.children];
    stream.resolve();
    expect(sink.reopenCount).toBe(2);
    expect(sink.tree.root.children.every((block, index) => block === blocks[index])).toBe(true);
  });

  it('shows an unclosed formula as text', () => {
    const text = '$$ opens nothing here\n- but *this*\n\n```\ncode\n```\n\nend';
    expect(toVisibleTree(renderStreamed(splitText(text, 3)).tree.root)).toEqual(
      toVisibleTree(parseWithMarked(text)),
    );
    expect(toVisibleTree(renderStreamed(['> \\[ a\n> # b\n\nc']).tree.root)).toEqual(
      toVisibleTree(parseWithMarked('> \\[ a\n> # b\n\nc')),
    );
  });

  it('gives the same result however a line of any length is split', () => {
    const longText = 'x'.repeat(4_500);
    const lines = [
      `[a]: https://example.com/${longText}\n\n[a]`,
      '-'.repeat(4_500),
      '- '.repeat(2_250),
      `a | b\n${'-'.repeat(4_400)} | -`,
      `\`\`\`${longText} \`\n`,
      `<b title="${longText}">`,
      `\\[ ${longText} ] a`,
      `words\n${'='.repeat(4_500)}`,
    ];
    for (const line of lines) {
      const expected = JSON.stringify(toVisibleTree(renderStreamed([`${line}\nwords`]).tree.root));
      for (const size of [1, 900, 4_001])
        expect(
          JSON.stringify(toVisibleTree(renderStreamed(splitText(`${line}\nwords`, size)).tree.root)),
          line.slice(0, 20),
        ).toBe(expected);
    }
  });

  it('treats CR LF and CR as line ends, also across chunks and with empty chunks between', () => {
    const text = '# a\r\nb\rc\r\n\r\n- d\r\n- e\r\n';
    for (let cut = 0; cut <= text.length; cut += 1) {
      for (const emptyChunks of [[], [''], ['', '']]) {
        const sink = renderStreamed([text.slice(0, cut), ...emptyChunks, text.slice(cut)]);
        expect(toVisibleTree(sink.tree.root)).toEqual(toVisibleTree(parseWithMarked(text)));
      }
    }
  });

  it('keeps the tabs of code in a list, which the reference parser loses', () => {
    const sink = renderStreamed(['- make:\n\n  ```\n  \tgo build\n  ```\n']);
    expect(JSON.stringify(sink.tree.root)).toContain('"\\tgo build"');
  });
});

/** Closed markup; nothing before its end can change. */
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
const MAX_MARKUP_CHARS = 120;
/**
 * Returns the number of characters after the last dollar of the open block, which may begin a formula until one closes
 * it.
 */
function countOpenFormulaChars(text: string): number {
  // The character after a dollar decides whether it closes the previous one.
  const dollarOffset = text.lastIndexOf('$', text.length - 2);
  return dollarOffset < 0 || text.includes('\n\n', dollarOffset) ? 0 : text.length - dollarOffset;
}
it('gives the same intermediate result however the text is split', () => {
  fc.assert(
    fc.property(wellFormedDocument, fc.integer({ min: 1, max: 9 }), (text, size) => {
      expect(renderPartial(`${text}\n\nEnd.\n\n`, size)).toEqual(
        renderPartial(`${text}\n\nEnd.\n\n`, 1_000_000),
      );
    }),
    { numRuns: getCaseCount(200) },
  );
});

describe('growing document', () => {
  it('never changes a closed block of a growing document', () => {
    const sink = new RecordingSink();
    const stream = new MarkdownStream(sink);
    const closedBlocks: { node: MarkdownChild; text: string }[] = [];
    for (const character of ANSWER) {
      stream.append(character);
      const blocks = sink.tree.root.children;
      for (const [index, { node, text }] of closedBlocks.entries()) {
        expect(blocks[index]).toBe(node);
        expect(JSON.stringify(blocks[index])).toBe(text);
      }
      // The last two blocks may still change: the open block, and the block that a lazy line could continue.
      while (closedBlocks.length < blocks.length - 1) {
        const node = blocks[closedBlocks.length] ?? '';
        closedBlocks.push({ node, text: JSON.stringify(node) });
      }
    }
    expect(closedBlocks.length).toBeGreaterThan(6);
  });

  it('closes open markup in the most likely way', () => {
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
    expect(rows.map(([text]) => [text, renderPartial(text)])).toEqual(rows);
  });

  it('redraws only text after the last safe point in documents of any kind', () => {
    fc.assert(
      fc.property(wellFormedDocument, (text) => {
        const sink = new RecordingSink();
        const stream = new MarkdownStream(sink);
        let drawnChars = 0;
        let openChars = 0;
        for (const character of text) {
          const charsBefore = sink.charCount;
          const openFormulaChars = countOpenFormulaChars(text.slice(0, stream.length));
          stream.append(character);
          const addedChars = sink.charCount - charsBefore;
          // Allows for one piece of markup in these documents and the word before it.
          expect(addedChars, `after ${JSON.stringify(text.slice(0, stream.length))}`).toBeLessThan(
            MAX_MARKUP_CHARS + openFormulaChars,
          );
          drawnChars += addedChars;
          openChars += openFormulaChars;
        }
        expect(drawnChars).toBeLessThan(text.length * 40 + 400 + openChars);
      }),
      { numRuns: getCaseCount(300) },
    );
  });

  it('keeps every finished piece of the open paragraph and its text', () => {
    fc.assert(
      fc.property(fc.array(finishedSpan, { minLength: 3, maxLength: 20 }), (spans) => {
        const sink = new RecordingSink();
        const stream = new MarkdownStream(sink);
        const finishedChildren: { child: MarkdownChild; text: string }[] = [];
        for (const text of spans) {
          for (const character of `${text} `) stream.append(character);
          const [paragraph] = sink.tree.root.children;
          const children = typeof paragraph === 'object' ? paragraph.children : [];
          for (const [index, { child, text: expectedText }] of finishedChildren.entries()) {
            expect(children[index]).toBe(child);
            expect(JSON.stringify(children[index])).toBe(expectedText);
          }
          // The last two children may depend on what follows.
          for (let index = finishedChildren.length; index < children.length - 2; index += 1) {
            const child = children[index] ?? '';
            finishedChildren.push({ child, text: JSON.stringify(child) });
          }
        }
        expect(finishedChildren.length).toBeGreaterThanOrEqual(spans.length - 4);
      }),
      { numRuns: getCaseCount(300) },
    );
  });

  it('keeps every finished cell of the open row and every finished row', () => {
    const row = '| **one** | two \\| three | `four` five |\n';
    const sink = new RecordingSink();
    const stream = new MarkdownStream(sink);
    stream.append('| a | b | c |\n|---|---|---|\n');
    const table = sink.tree.root.children[0];
    const finishedCells: { cell: MarkdownChild; text: string }[] = [];
    for (const character of row.repeat(3)) {
      stream.append(character);
      const rows = typeof table === 'object' ? table.children : [];
      const cells = rows
        .slice(1)
        .flatMap((tableRow) => (typeof tableRow === 'object' ? tableRow.children : []));
      for (const [index, { cell, text }] of finishedCells.entries()) {
        expect(cells[index]).toBe(cell);
        expect(JSON.stringify(cells[index])).toBe(text);
      }
      for (const cell of cells.slice(finishedCells.length, -1))
        finishedCells.push({ cell, text: JSON.stringify(cell) });
    }
    expect(finishedCells).toHaveLength(8);
    const firstTexts = finishedCells.slice(0, 3).map(({ cell }) => getInlineText([cell]));
    expect(firstTexts).toEqual(['one', 'two | three', 'four five']);
  });

  it('never links to part of a long URL, and shows text that is not a definition', () => {
    const address = `https://example.com/${'x'.repeat(5_000)}`;
    const sink = new RecordingSink();
    const stream = new MarkdownStream(sink);
    for (const chunk of splitText(`[a]: ${address}\n\n[a] and [a]`, 100)) stream.append(chunk);
    stream.finish();
    const text = JSON.stringify(sink.tree.root);
    for (const [href] of text.matchAll(/"href":"[^"]*"/g)) expect(href).toBe(`"href":"${address}"`);
    expect(getInlineText(sink.tree.root.children)).toContain(address);
  });

  it('turns a supposed table header back into a paragraph', () => {
    expect(renderPartial('| a | b\nnot a table')).toEqual([
      { kind: 'paragraph', children: ['| a | b\nnot a table'] },
    ]);
  });
});

describe('cost in operations', () => {
  function measureCost(text: string, chunkSize = 130): { operations: number; characters: number } {
    const sink = renderStreamed(splitText(text, chunkSize));
    return { operations: sink.operationCount, characters: sink.charCount };
  }

  it.each([
    ['list', (count: number) => '- item with some **text** here\n'.repeat(count)],
    ['nested list', (count: number) => `- top\n${'  - item with *text*\n'.repeat(count)}`],
    ['table', (count: number) => `| a | b |\n|---|---|\n${'| some | `text` |\n'.repeat(count)}`],
    ['code block', (count: number) => `\`\`\`\n${'const x = 1;\n'.repeat(count)}`],
    ['paragraph', (count: number) => 'some words in a *line* and more '.repeat(count)],
    ['quote', (count: number) => '> some words in a *line*\n'.repeat(count)],
    ['word without a space', (count: number) => 'abcdefghijklmnop'.repeat(count * 2)],
    ['answer with many blocks', (count: number) => `${ANSWER}\n`.repeat(count / 100)],
  ])('keeps the cost linear in the length of one giant %s', (_name, createText) => {
    const small = measureCost(createText(400));
    const large = measureCost(createText(3_200));
    expect(large.operations / small.operations).toBeLessThan(8.8);
    expect(large.characters / small.characters).toBeLessThan(9.6);
  });

  it.each([
    ['asterisks', '*a_ '.repeat(20_000)],
    ['unclosed links', '[a]('.repeat(20_000)],
    ['open brackets', '['.repeat(50_000)],
    ['one megabyte without a break', 'abcdefghij'.repeat(100_000)],
    ['fences', '```\n'.repeat(5_000)],
    ['dollars', '$'.repeat(20_000)],
    ['unclosed comments', 'x <!-- '.repeat(10_000)],
    ['backticks', Array.from({ length: 300 }, (_, index) => '`'.repeat(index + 1)).join(' ')],
    ['spaces', `a${' '.repeat(100_000)}b`],
    ['spaces in a heading', `# a${' '.repeat(100_000)}b`],
    ['images within images', '![a '.repeat(20_000)],
    ['at signs', 'a@'.repeat(30_000)],
  ])('limits the cost of malicious text: %s', (_name, text) => {
    const { operations, characters } = measureCost(text, 1_000);
    expect(operations).toBeLessThan(text.length + 1_000);
    expect(characters).toBeLessThan(text.length * 3);
  });

  it.each([
    [
      'a list of 1,000 levels',
      Array.from({ length: 1_000 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n'),
    ],
    ['quotes of 10,000 levels', `${'>'.repeat(10_000)} a`],
    ['emphasis of 5,000 levels', '**a '.repeat(5_000) + 'a** '.repeat(5_000)],
    ['a table of 5,000 columns', `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n`],
    [
      'a table whose 10,000 rows lack 249 of 250 cells',
      `${'|a'.repeat(250)}|\n${'|-'.repeat(250)}|\n${'x\n'.repeat(10_000)}`,
    ],
  ])('shows %s completely as plain text with a note', (_name, text) => {
    const sink = renderStreamed(splitText(text, 4_000));
    expect(sink.operationCount).toBeLessThan(100_000);
    const [note, ...plainChildren] = sink.tree.root.children;
    expect(note).toMatchObject({ kind: 'note' });
    const plainText = getInlineText(plainChildren);
    expect(plainText.replaceAll('\n', '')).toBe(text.replaceAll('\n', ''));
  });

  it.each([
    ['first', `[a]: https://example.com/${'x'.repeat(20_000)}\n\n${'[a] '.repeat(10_000)}`],
    ['last', `${'[a] '.repeat(10_000)}\n\n[a]: https://example.com/${'x'.repeat(20_000)}\n`],
  ])('does not multiply a URL that is defined %s and used 10,000 times', (_where, text) => {
    for (const size of [100, 4_000, text.length]) {
      const sink = renderStreamed(splitText(text, size));
      expect(JSON.stringify(sink.tree.root).length, `chunks of ${size} characters`).toBeLessThan(
        text.length * 20,
      );
      const plainText = getInlineText(sink.tree.root.children);
      expect(plainText.match(/a\b/g)?.length, `chunks of ${size} characters`).toBeGreaterThanOrEqual(10_000);
    }
  });

  it.each([
    ['many lines', 'A line of **text**.\n\n', 2_100_000],
    ['one line', 'words and ', 2_300_000],
  ])('draws %s up to a limit and shows the rest unchanged for every split', (_name, unit, length) => {
    const text = unit.repeat(Math.ceil(length / unit.length));
    const trees = [text.length, 65_537].map((size) => {
      const { children } = renderStreamed(splitText(text, size)).tree.root;
      const noteIndex = children.findIndex((child) => typeof child !== 'string' && child.kind === 'note');
      return { drawn: children.slice(0, noteIndex), rest: getInlineText(children.slice(noteIndex + 1)) };
    });
    const [firstTree] = trees;
    const restText = firstTree?.rest.replaceAll('\n', '') ?? '';
    expect(restText.length).toBeGreaterThan(10_000);
    expect(text.replaceAll('\n', '').endsWith(restText)).toBe(true);
    // No text is lost between the two parts: the drawn text lacks only its markup characters.
    const drawnText = getInlineText(firstTree?.drawn ?? []).replaceAll('\n', '');
    const textBefore = text.replaceAll('\n', '').slice(0, -restText.length).replaceAll('*', '');
    expect(drawnText).toBe(textBefore.trimEnd());
    for (const tree of trees) {
      expect(tree.drawn.length).toBe(firstTree?.drawn.length);
      expect(tree.rest.replaceAll('\n', '') === restText).toBe(true);
    }
  });
});
