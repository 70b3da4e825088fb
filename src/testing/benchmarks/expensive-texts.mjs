// Texts that are expensive to parse or to lay out, generated from a seed at any length.
import { createAnswer, createSeededRandom, createWriter } from './corpus.mjs';

const repeat = (piece) => (length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Joins lines until they reach the length. `writeLine` gets the index of the line and a seeded writer. */
const repeatLines = (writeLine, end = '\n') => {
  return (length) => {
    const writer = createWriter(17);
    const lines = [];
    for (let writtenChars = 0; writtenChars < length; writtenChars += lines.at(-1).length + end.length)
      lines.push(writeLine(lines.length, writer));
    return lines.join(end).slice(0, length);
  };
};

const joinHalves = (first, second) => (length) => first(length / 2) + second(length / 2);

/** Writes lines that repeat `piece` a random number of times, fewer than `max`. */
const repeatAtRandomDepth = (piece, max, suffix) => {
  const random = createSeededRandom(23);
  return repeatLines(
    (_, { plain }) => piece.repeat(Math.floor(random() * max)) + suffix.replace('…', plain(3)),
  );
};

export const expensiveTexts = {
  'mixed answer': (length) => createAnswer(length / 4).slice(0, length),
  'huge paragraph': repeatLines((_, { sentence }) => sentence(), ' '),
  'one word': repeat('a'),
  'letters with 50 accents': repeat(`a${'\u0301'.repeat(50)} `),
  'nested brackets': repeat('['),
  'nested links': repeat('[a]('),
  'nested quotes': repeatAtRandomDepth('>', 300, ' …'),
  'unclosed emphasis': repeatLines((_, { plain }) => `*${plain(1)} **${plain(1)} _${plain(1)}`, ' '),
  'nested emphasis': joinHalves(repeat('*a '), repeat(' a*')),
  'growing backtick runs': repeatLines((index) => `${'`'.repeat(index % 1_000)}a`, ' '),
  'links before their definitions': joinHalves(
    repeatLines((index) => `[l${index}]\n`),
    repeatLines((index) => `[l${index}]: https://example.com/${index}`),
  ),
  'open tags': repeat('<a b="c" '),
  'long table': (length) =>
    `| a | b | c |\n|---|---|---|\n${repeatLines((index, { plain }) => `| ${plain(2)} | ${index} | x |`)(length - 30)}`,
  'wide table': (length) => {
    const columns = Math.floor(length / 6);
    return ['|a', '|-', '|b'].map((cell) => `${cell.repeat(columns)}|`).join('\n');
  },
  'long list': repeatLines((_, { plain }) => `- ${plain(3)}`),
  'deep list': repeatAtRandomDepth('  ', 400, '- …'),
  'nested formula': (length) => `$$${repeat('\\frac{1}{')(length / 2)}${repeat('}')(length / 2 - 4)}$$`,
  'open formulas': repeat('$$ a '),
  'code in one line': (length) => `\`\`\`js\n${repeat('a=[1,"two"];')(length - 10)}\n\`\`\``,
  'JSON in one line': (length) =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: length / 24 }, (_, index) => [`key${index}`, [index, 'two']])),
    ),
};
