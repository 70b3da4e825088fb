// Texts that somebody or something could send, each of any length: what is long where, what repeats, what never closes.

const repeated = (piece) => (length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const numbered = (line) => (length) => {
  const lines = [];
  for (let at = 0, written = 0; written < length; at += 1) {
    lines.push(line(at));
    written += lines[at].length + 1;
  }
  return lines.join('\n').slice(0, length);
};
const half = (one, other) => (length) => one(length / 2) + other(length / 2);
const growing = (mark) => (length) => {
  let text = '';
  for (let count = 1; text.length < length; count += 1) text += `${mark.repeat(count % 1_000)}a `;
  return text.slice(0, length);
};
const deep = (mark) => (length) => numbered((at) => `${mark.repeat(at % 400)}- item ${at}`)(length);

export const TEXTS = {
  blanks: (length) => `${' '.repeat(length - 1)}a`,
  tabs: (length) => `${'\t'.repeat(length - 1)}a`,
  'line ends': (length) => `${'\n'.repeat(length - 1)}a`,
  'blanks then line ends': repeated(`${' '.repeat(500)}\n`),
  'one word': repeated('a'),
  'words in one line': repeated('word '),
  'lines of words': repeated(`${'some words of a line '.repeat(4)}\n`),
  'short lines': repeated('a\n'),
  paragraphs: repeated(`${'A paragraph of some words. '.repeat(8)}\n\n`),
  'letters without spaces in Chinese': repeated('漢字'),
  'letters without spaces in Arabic': repeated('مرحبا'),
  'directions that change': repeated('abc ابج \u202eabc\u202c '),
  'one letter with marks': (length) => `a${'\u0301'.repeat(length - 1)}`,
  'letters with many marks': repeated(`a${'\u0301'.repeat(50)} `),
  'joined emoji': repeated('👩\u200d'),
  flags: repeated('🇩🇪'),
  'halves of surrogates': repeated('\ud800'),
  'characters without width': repeated('\u200b'),
  'control characters': repeated('\u0000\u0007\u001b[31m'),
  quotes: repeated('>'),
  'quotes with blanks': repeated('> '),
  'quotes line by line, ever deeper': numbered((at) => `${'>'.repeat(at % 300)} a`),
  'open brackets': repeated('['),
  'links that nest': repeated('[a]('),
  'closing brackets': repeated(']('),
  images: repeated('![a](https://a.example/b.png) '),
  asterisks: repeated('*'),
  'asterisks and letters': repeated('*a **a '),
  'underscores and letters': repeated('_a'),
  'emphasis that nests': half(repeated('*a '), repeated(' a*')),
  tildes: repeated('~~a '),
  backticks: repeated('`'),
  'backticks in longer and longer runs': growing('`'),
  backslashes: repeated('\\'),
  ampersands: repeated('&amp;'),
  'footnote marks': repeated('[^a]'),
  'footnotes and their marks': half(
    numbered((at) => `[^n${at}] and more`),
    numbered((at) => `[^n${at}]: a note\n`),
  ),
  'definitions and their uses': half(
    numbered((at) => `[l${at}]: https://a.example/${at}`),
    numbered((at) => `[l${at}]`),
  ),
  'uses before their definitions': half(
    numbered((at) => `[l${at}]\n`),
    numbered((at) => `[l${at}]: https://a.example/${at}`),
  ),
  'less than': repeated('<'),
  'open tags': repeated('<a b="c" '),
  comments: repeated('<!-- a '),
  addresses: repeated('https://a.example/b?c=d '),
  'an address that never ends': (length) => `https://a.example/${repeated('a.b-c/')(length - 18)}`,
  mails: repeated('a@b.c@'),
  'a wide table': (length) => {
    const columns = Math.floor(length / 12);
    return `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|b'.repeat(columns)}|\n`;
  },
  'a long table': (length) => `| a | b | c |\n|---|---|---|\n${repeated('| 1 | 2 | 3 |\n')(length - 28)}`,
  pipes: repeated('|'),
  'rules of dashes': repeated('-\t'),
  'a long list': numbered((at) => `- item ${at}`),
  'lines that all differ': numbered((at) => at.toString(36)),
  'a numbered list': numbered((at) => `${at + 1}. item`),
  'a deep list': deep('  '),
  'lists in one line': repeated('- '),
  headings: numbered((at) => `${'#'.repeat((at % 6) + 1)} heading ${at}`),
  'headings by underlines': repeated('a\n=\n'),
  formulas: repeated('$x^2$ '),
  'a formula that nests': (length) =>
    `$$${repeated('\\frac{1}{')(length / 2)}${repeated('}')(length / 2 - 4)}$$`,
  'a formula of scripts': (length) => `$$x${repeated('^{a')(length - 5)}$$`,
  'open formulas': repeated('$$ a '),
  code: (length) => `\`\`\`ts\n${repeated('const a = [1, "two", /three/]; // four\n')(length - 10)}`,
  'code in one line': (length) => `\`\`\`js\n${repeated('a=[1,"two"];')(length - 10)}\n\`\`\``,
  'code that is all one string': (length) => `\`\`\`js\n"${repeated('\\"a')(length - 10)}`,
  'a fence with a long name': (length) => `\`\`\`${repeated('a')(length - 20)}\ncode\n\`\`\``,
  'fences that open and close': repeated('```\na\n```\n'),
  'a JSON list of lists': repeated('['),
  'a JSON object': (length) =>
    `{${numbered((at) => `"key${at}": [1, "two", null],`)(length - 20)}\n"z":0}`.replace(
      /,[^,]*\n"z"/,
      ',\n"z"',
    ),
  'a JSON string': (length) => JSON.stringify({ text: repeated('a "b" ')(length / 2) }),
  'a JSON object in one line': (length) =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: length / 24 }, (_, at) => [`key${at}`, [at, 'two']])),
    ),
};
