/** One block of markdown for each element that a reader may meet. */

export interface Section {
  title: string;
  /** 2 to 6 */
  level: number;
  body: string;
}

/** In the order of the document; together they hold every element of markdown. */
export const elementSections: readonly Section[] = [
  {
    title: 'Words with weight',
    level: 2,
    body: [
      'Text can be **strong**, *emphasized*, ***both***, ~~struck out~~ or `code`. Signs can be escaped: \\*these stars stay\\*. Entities stand for signs: &copy; &amp; &rarr;.',
      'A line can end hard with two spaces,  \nor with a backslash,\\\nand go on below.',
    ].join('\n\n'),
  },
  {
    title: 'Links and pictures',
    level: 2,
    body: [
      'A [link](https://example.com/a_(b)?x=1&y=2 "with a title"), a [reference][spec], an address in brackets <https://example.com/>, a bare one https://example.com/path and a mail address <someone@example.com>.',
      '![A picture by its address](https://example.com/lighthouse.png "A lighthouse")',
      '[spec]: https://spec.commonmark.org/ "CommonMark"',
    ].join('\n\n'),
  },
  {
    title: 'Lists',
    level: 2,
    body: [
      '- rivers\n  - that reach the sea\n    - fast\n    - slow\n  - that do not\n- lakes',
      '3. A list that begins at three\n4. goes on with four\n   - and holds another one\n\n   with a second paragraph\n5. and ends',
      '- [x] a task that is done\n- [ ] a task that is open\n  - [ ] with a smaller one inside',
    ].join('\n\n<!-- apart -->\n\n'),
  },
  {
    title: 'A table',
    level: 3,
    body: '| Model | Tokens | Speed | Note |\n| :--- | ---: | :---: | --- |\n| `demo/guide` | 212 | **61.2** | a \\| in a cell |\n| demo/sampler | 1,024 | *60.8* | |\n| 数学 | 3 | ~~59~~ | [link](https://example.com/) |',
  },
  {
    title: 'Code',
    level: 3,
    body: [
      '```ts\nconst greet = (name: string): string => `Hello, ${name}`; // a comment\n```',
      '~~~diff\n- temperature: 1.0\n+ temperature: 0.2\n~~~',
      'And code by indentation:',
      '    four spaces\n        and eight',
    ].join('\n\n'),
  },
  {
    title: 'Quotes',
    level: 3,
    body: '> A quote\n> over two lines\n>\n> > with a quote inside\n> > > and one more\n>\n> - and a list\n>\n> ```\n> and code\n> ```',
  },
  {
    title: 'Mathematics',
    level: 3,
    body: 'Euler wrote $e^{i\\pi} + 1 = 0$ in one line; \\(a^2 + b^2 = c^2\\) is older. A price of $5 is not a formula, nor are $5 and $6.\n\n$$\n\\sigma = \\sqrt{\\frac{1}{n} \\sum_{i=1}^{n} (x_i - \\mu)^2}\n$$',
  },
  {
    title: 'Scripts and directions',
    level: 4,
    body: [
      '河水走的是地面允许的最短的路。 日本語の文章も、**太字**も読めます。 한국어 문장입니다.',
      'هذا سطر من اليمين إلى اليسار مع كلمة English في وسطه.',
      'שלום עולם, 123.',
      'Emoji of one and of several parts: 🌊 👩‍🚀 👨‍👩‍👧‍👦 🇫🇷 👍🏽. Combining marks: é, ñ, Å.',
    ].join('\n\n'),
  },
  {
    title: 'HTML as text',
    level: 5,
    body: 'Press <kbd>Enter</kbd>. H<sub>2</sub>O. <script>this is text</script>\n\n<details>\n<summary>A block of HTML</summary>\nwhich is not run\n</details>',
  },
  {
    title: 'Footnotes, and a line across',
    level: 6,
    body: 'A remark[^1] and another one.[^long]\n\n---\n\nAfter the line comes the rest.\n\n[^1]: The first footnote.\n[^long]: The second one, with `code` and a [link](https://example.com/).',
  },
];

export function sectionText({ title, level, body }: Section): string {
  return `${'#'.repeat(level)} ${title}\n\n${body}`;
}
