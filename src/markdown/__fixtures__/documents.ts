/** Small documents for each section of CommonMark and GFM, for which our stream and marked give the same result. */
export const DOCUMENTS: readonly string[] = [
  // Paragraphs, line ends, white space
  '',
  '\n\n',
  'aaa\n\nbbb',
  'aaa\nbbb\n\nccc\nddd\n',
  'aaa\n\n\nbbb',
  '  aaa\n bbb',
  'aaa  \nbbb',
  'aaa\\\nbbb',
  'aaa  ',
  'aaa\n   bbb',
  'Tabs\tinside\ttext',
  // Headings
  '# one\n## two\n### three\n#### four\n##### five\n###### six',
  '####### seven',
  '#hashtag\n\n#5 bolt',
  '# foo *bar* \\*baz\\*',
  '## foo ##\n### bar    ###',
  '# foo#\n## ',
  'Foo *bar*\n=========\n\nFoo *bar*\n---------',
  'Foo\n---\nBar\n===\nBaz',
  'Foo\nbar\n===',
  'a\n# b\nc',
  // Thematic breaks
  '***\n---\n___',
  '--\n**\n__',
  'Foo\n***\nbar',
  '- Foo\n- * * *',
  '* Foo\n* * *\n* Bar',
  '_____________________________________\n\n *-*',
  // Code
  '    a simple\n      indented code block',
  '    chunk1\n\n    chunk2\n\n\n\n    chunk3\n\ntext',
  '```\n<\n >\n```',
  '~~~\n<\n >\n~~~',
  '````\naaa\n```\n``````',
  '```\naaa',
  '```ts\nconst a = 1;\n\nconst b = `${a}`;\n```\nafter',
  '~~~    python startline=3 $%@#$\ndef foo(x):\n  return 3\n~~~~~~~',
  '  ```\n  aaa\n    aaa\naaa\n  ```',
  'foo\n```\nbar\n```\nbaz',
  '``` `` ```',
  '```\n\n  \n```',
  '> ```\n> aaa\n\nbbb',
  // HTML, shown as text
  '<div>\n*hello*\n</div>\n\nafter',
  '<!-- comment\n\nstill -->\nokay',
  '<script>\nalert(1)\n</script>\n*x*',
  'before <b onclick="x">bold</b> <br/> after',
  '<a href="x">\n*y*\n</a>',
  // Quotes
  '> # Foo\n> bar\n> baz',
  '># Foo\n>bar\n> baz',
  '> bar\nbaz\n> foo',
  '> foo\n---',
  '> - foo\n- bar',
  '> foo\n\n> bar',
  '> > > foo\n> bar',
  '>\n> foo\n>  ',
  '> a\n>\n> b',
  // Lists
  '- a\n- b\n- c',
  '- foo\n- bar\n+ baz',
  '1. foo\n2. bar\n3) baz',
  'The number of windows in my house is\n14.  The number of doors is 6.',
  'The number is\n1.  six.',
  '- foo\n\n- bar\n\n\n- baz',
  '- a\n - b\n  - c\n   - d',
  '- foo\n  - bar\n    - baz\n\n\n      bim',
  '- a\n\n  b\n- c',
  '- a\n  ```\n  code\n\n  more\n  ```\n- c',
  '1. a\n\n   - b\n   - c\n2. d',
  '10. ten\n11. eleven',
  '- a\n  > b\n- c',
  '* a\n  text\n\ntext outside',
  '- [ ] open\n- [x] done\n- [X] also\n- [y] no',
  '1. [x] one\n2. two',
  '- foo\n\n      bar',
  '- one\n\n two',
  'Text\n* item\n* item',
  // Tables
  '| foo | bar |\n| --- | --- |\n| baz | bim |',
  '| abc | defghi |\n:-: | -----------:\nbar | baz',
  '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |',
  '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar',
  '| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |',
  '| abc | def |\n| --- |\n| bar |',
  '| abc | def |\n| --- | --- |',
  'a | b\n--|--\n1 | 2\n\nafter',
  'text before\n| a | b |\n|---|---|\n| 1 | 2 |',
  '| not a table |\nbut text',
  '| alone',
  // Inline: emphasis
  '*foo bar* and _foo bar_ and **foo bar** and __foo bar__',
  'a * foo bar*',
  'foo*bar*baz and foo_bar_baz and snake_case_name',
  '*foo **bar** baz* ***both*** **foo *bar* baz**',
  '*foo\nbar*',
  '**foo*',
  '2 * 3 * 4 and a ** b',
  '~~gone~~ and ~one~ and ~~~none~~~',
  '*(*foo*)* **"quoted"**',
  // Inline: code, escapes, entities
  '`foo` and `` foo ` bar `` and ` a `',
  '`foo   bar \nbaz`',
  '`foo\\`bar`',
  '\\*not emphasised\\* \\# \\[x\\] \\\\',
  '&nbsp; &amp; &copy; &#35; &#X22; &unknown; AT&T &amp',
  '`&amp;`',
  // Inline: links and images
  '[link](/uri "title") [empty]() [angle](<b c>)',
  '[link](foo(and(bar))) [*em* `code`](x)',
  '[a](b) [c](d "e")\n[f](g)',
  '[not a link] [nor] (this)',
  '![foo](/url "title") ![*foo*](train.jpg)',
  '[![moon](moon.jpg)](/uri)',
  '[foo]: /url "title"\n\n[foo] and [text][foo] and [Foo][]',
  '<https://foo.bar.baz/test?q=hello> <me@example.com> <not a tag',
  'https://example.com/a_b_c?x=1&y=2. www.commonmark.org/help, (https://x.y/z) a@b.example',
  'Visit http://a.b/c*d*e now',
  // Characters
  'Ünïcödé 日本語のテキスト。**太字**です 👩‍👩‍👧 done',
  'Dear \u202edrawkcab\u202c reader',
];

/** A longer answer in the style of a model. */
export const ANSWER = `## How to read a stream

A stream is a *sequence of bytes*; **do not** wait for its end. There are three steps:

1. Open the connection with \`fetch\`.
2. Read chunks:
   - decode them with a \`TextDecoder\`
   - split at line ends

   A chunk may end **anywhere**.
3. Stop when \`[DONE]\` comes.

\`\`\`ts
const reader = response.body.getReader();
for (;;) {
  const { done, value } = await reader.read();
  if (done) break; // *not* emphasis

  handle(value);
}
\`\`\`

| Step | Cost | Note |
| :--- | ---: | :---: |
| read | 1 ms | \`a \\| b\` |
| parse | 2 ms | **linear** |

> A price of $5 is not math, and neither are $10 and $15.
> See [the docs](https://example.com/docs "Docs").

- [x] first
- [ ] second, with ~~mistakes~~ care

---

Last line with a hard break\\
and https://example.com/end.
`;

/**
 * Documents with features that marked cannot resolve before the end of the text, or that only the extensions support.
 */
export const LATE_DOCUMENTS: readonly string[] = [
  'See [the docs][1] and [other].\n\n[1]: https://example.com/1\n[other]: <https://example.com/o> "Other"',
  'A claim[^1] and another[^note].\n\n[^1]: The first.\n[^note]: The second,\n    with more.\n\nAfter.',
  'No such[^2] note, no [such][ref].',
  'Inline $a^2 + b^2$, \\(c\\) and\n\n$$\nx = y\n$$\n\n\\[ z \\]\n\nend',
  'It costs $5 or $10, not $x.',
  '$$\nnever closed',
];
