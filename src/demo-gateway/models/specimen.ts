/** Building blocks of demo/markdown's documents: one section per Markdown element, then prose. */

export interface SpecimenSection {
  title: string;
  /** Heading level, 2 to 6. */
  level: number;
  body: string;
}

/** Sections in document order; together they contain every Markdown element. */
export const elementSections: readonly SpecimenSection[] = [
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
    ].join('\n\n'),
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

export function formatSection({ title, level, body }: SpecimenSection): string {
  return `${'#'.repeat(level)} ${title}\n\n${body}`;
}

/** True statements that fill the prose. */
export const sentences: readonly string[] = [
  'A river takes the shortest way that the ground allows, which is seldom a straight one.',
  'Paper was made from rags for centuries before it was made from wood.',
  'A pendulum of one meter takes about two seconds for a swing there and back.',
  'Sound travels about four times as fast in water as in air.',
  'The sea is blue because water takes up **red light** more strongly than blue.',
  'A sheet of A4 paper has sides in the ratio of one to the square root of two.',
  'Maps of a round world must stretch *something*, and each map chooses what.',
  'The oldest known dice are thousands of years old and look much like ours.',
  'Bees see ultraviolet light, and many flowers carry marks that only they can read.',
  'Iron rusts faster near the sea, since salt helps the current that rust needs.',
  'A lighthouse is known by the rhythm of its light, not by its colour alone.',
  'Ice floats because water is densest at about four degrees Celsius.',
  'Cast type was set in mirror image, so that the print could be read.',
  'The moon turns once for each time it goes round, so one side faces us.',
  'A knot weakens the rope it is tied in, some knots by half.',
  'Glass is not a slow liquid; old panes are uneven because of how they were made.',
  'An abacus needs no battery and makes no rounding errors.',
  'The longest day of the year is not the warmest one, since the ground warms slowly.',
  'Musical notes an octave apart differ by a factor of *two* in frequency.',
  'A spider can let its thread be carried by the wind and travel with it.',
  'Concrete hardens by taking up water, and it can do so under water as well.',
  'Every recipe for bread is a small essay on waiting.',
  'The kilogram was a piece of metal until 2019; now it is a definition.',
  'A good index is a map of a book drawn by someone who has read it.',
  'Stars twinkle and planets hardly do, because a point is disturbed more than a disc.',
  'The word `robot` came into the world in a play of 1920.',
  'Oak, ash and elm have different voices in the wind.',
  'Ink on parchment can outlast the stone of the house it was written in.',
  'A tuning fork loses its sound slowly and its pitch hardly at all.',
  'Waves in deep water travel faster when they are longer.',
];

export const chapterTitles: readonly string[] = [
  'On water and ways',
  'Paper, ink and type',
  'Of light and distance',
  'The measure of things',
  'Winds and threads',
  'Small machines',
  'What rust knows',
  'A few words on stars',
  'Bread and waiting',
  'Maps that lie a little',
];

export const codeSamples: readonly string[] = [
  '```ts\nexport function mean(values: readonly number[]): number | undefined {\n  if (values.length === 0) return undefined;\n  return values.reduce((sum, value) => sum + value, 0) / values.length;\n}\n```',
  '```python\ndef primes(limit):\n    """All primes below limit."""\n    found = []\n    for n in range(2, limit):\n        if all(n % p for p in found):\n            found.append(n)\n    return found\n```',
  '```json\n{ "model": "demo/markdown", "stream": true, "stop": ["END"] }\n```',
  '```sh\n# lines, words and bytes\nwc README.md | awk \'{ print $1, "lines" }\'\n```',
  "```sql\nSELECT model, count(*) AS runs\nFROM answers\nWHERE finish_reason = 'length'\nGROUP BY model;\n```",
  '```css\n.lane { display: grid; grid-template-columns: 1fr auto; }\n```',
  '```rust\nfn main() {\n    let total: u32 = (1..=100).sum();\n    println!("{total}");\n}\n```',
];

export const mathSamples: readonly string[] = [
  '$$\n\\int_0^1 x^2 \\, dx = \\frac{1}{3}\n$$',
  '$$\n\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}\n$$',
  '$$\n\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix} \\begin{pmatrix} x \\\\ y \\end{pmatrix} = \\begin{pmatrix} 5 \\\\ 6 \\end{pmatrix}\n$$',
];
