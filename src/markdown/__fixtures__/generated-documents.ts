import * as fc from 'fast-check';

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
/** References; some are defined somewhere in the document, others nowhere. */
const reference = fc.constantFrom(
  '[One]',
  '[text][one]',
  '[*text*][Two  Words]',
  '[two words][]',
  '![picture][one]',
  '[nothing]',
  '[text][nothing]',
  '[^1]',
  '[^long-note]',
  '[^nothing]',
);
const definition = fc.constantFrom(
  '[one]: https://example.com/1',
  '[one]: /second "never used"',
  '[two words]: <https://example.com/2> "Two"',
  "[two\n  Words]:\n  /two\n  'over\nlines'",
  '[^1]: A note.',
  '[^long-note]: A note\n    of more lines.\n\n    And blocks.',
);
const line = fc.array(span, { minLength: 1, maxLength: 6 }).map((spans) => spans.join(' '));
const paragraph = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'));
const fence = fc
  .array(fc.constantFrom('const a = 1;', '', '  indented', '# x', '- y', '`z`'), { maxLength: 4 })
  .map((lines) => ['```ts', ...lines, '```'].join('\n'));
const table = fc
  .array(fc.tuple(line, line), { maxLength: 3 })
  .map((rows) =>
    ['| a | b |', '|---|:-:|', ...rows.map(([first, second]) => `| ${first} | ${second} |`)].join('\n'),
  );

function indentContinuation(text: string, indent: string): string {
  return text.replace(/\n(?=[^\n])/g, `\n${indent}`);
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
    .map(([isOrdered, isLoose, items]) =>
      items
        .map(([text, nestedBlock], index) => {
          const marker = isOrdered ? `${index + 1}. ` : '- ';
          const body = nestedBlock === null ? text : `${text}\n\n${nestedBlock}`;
          return marker + indentContinuation(body, ' '.repeat(marker.length));
        })
        .join(isLoose ? '\n\n' : '\n'),
    ),
  quote: tie('block').map((text) =>
    text
      .split('\n')
      .map((textLine) => (textLine === '' ? '>' : `> ${textLine}`))
      .join('\n'),
  ),
}));

const joinBlocks = (blocks: readonly string[]): string => blocks.join('\n\n');

/** Documents as users and models write them, with arbitrary nesting. */
export const wellFormedDocument = fc.array(block, { minLength: 1, maxLength: 5 }).map(joinBlocks);

const rareBlock = fc.oneof(
  line.map((text) => `${text}\n===`),
  paragraph.map((text) => `${text}\n---`),
  fc.constantFrom(
    '    code\n\n    more',
    '<div>\n*text*\n</div>',
    '<!-- one\n\ntwo -->',
    '$$\nx = y\n$$',
    '\\[ z \\]',
    'a  \nhard\\\nbreak',
    '- [x] done\n- [ ] open',
    '&copy; &#35; &amp;',
    'Inline $a^2 + b^2$ and \\(c\\).',
    '1) one\n2) two',
    '+ one\n* two',
    '~~~\ncode\n~~~',
    '***\n___',
  ),
);
const referenceLine = fc
  .array(fc.oneof(span, reference), { minLength: 1, maxLength: 5 })
  .map((spans) => spans.join(' '));

/** Documents with rarer blocks, and with references and their definitions in any order. */
export const referringDocument = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: block },
      rareBlock,
      { weight: 2, arbitrary: referenceLine },
      referenceLine.map((text) => `- ${text}`),
      referenceLine.map((text) => `| ${text} |\n| --- |\n| ${text} |`),
      { weight: 2, arbitrary: definition },
    ),
    { minLength: 1, maxLength: 7 },
  )
  .map(joinBlocks);

/** Markdown characters in any order. */
export const anyCharacters = fc
  .array(fc.constantFrom('1.', '\ud83d', ...Array.from('*_`[]()<>#-|\n \ta&$\\~!:\r\u0000')), {
    maxLength: 60,
  })
  .map((pieces) => pieces.join(''));
