/** No phrase that a reader of English stumbles over: on screen, in the pages, or in a comment. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { ownProperty } from './lib/json.ts';
import { lineAt, nodesOf, sourceFiles, testFiles, type SourceFile } from './testing/source/source-files.ts';

/** What is always wrong, with what to write instead. */
const phrases: readonly (readonly [wrong: RegExp, better: string])[] = [
  [/\bcan not\b/i, 'cannot'],
  [/\banew\b/i, 'again'],
  [/\b(?:is|are) the most(?=[.;,:)]| at a time|$)/i, 'the limit is N'],
  [
    /\b(?:requests|attempts|tokens|chunks|events|texts|sequences|numbers|vectors|bytes|bits|[KkMG]?B) an? (?:second|minute|line|frame|token|vector|number|channel|pixel|request)\b/,
    'X per Y',
  ],
  [
    /\bone (?:(?:text|sequence|item|id|vector|event|chunk|file|input) )?an? (?:line|text|token|event|row|model|file|frame)\b/i,
    'one X per Y',
  ],
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!(?:longer|larger|later|higher|lower|smaller|shorter|better|worse|faster|slower|more|less|such|one|good|use)\b)\w+/i,
    'is not a',
  ],
  [/\bas (?:it|they) (?:came|comes?)\b/i, 'raw, unchanged, or as it arrives'],
  [/(?<!\bas )\bof now\b/i, 'current'],
  [/\bdraw it again\b/i, 'try again'],
  [/\b(?:no|some)thing was said\b/i, 'no messages yet'],
  [/\b(?:did|do|does) not come\b(?! (?:from|back))/i, 'did not arrive, could not be loaded'],
  [/\bstands? in (?:the|an?)\b/i, 'is in'],
  [/\bstop what runs\b/i, 'stop generating'],
  [/\bnothing runs\b/i, 'nothing is running'],
];

/** Where such words are right. */
const exceptions: readonly { file: string; words: string; reason: string }[] = [];

interface Passage {
  line: number;
  words: string;
}

/** Texts, texts of templates and of elements, and comments, each on one line. */
function passagesIn(source: SourceFile): Passage[] {
  const passages: Passage[] = [];
  let rest = source.text;
  for (const node of nodesOf(source)) {
    const [start, end] = [Number(node['start']), Number(node['end'])];
    const value = node['type'] === 'TemplateElement' ? ownProperty(node['value'], 'cooked') : node['value'];
    if (!/^(?:Literal|TemplateElement|JSXText)$/.test(String(node['type']))) continue;
    rest = rest.slice(0, start) + rest.slice(start, end).replaceAll(/\S/g, '_') + rest.slice(end);
    if (typeof value === 'string') passages.push({ line: lineAt(source.text, start), words: value });
  }
  // What is left are names, signs and comments.
  for (const { 0: words, index } of rest.matchAll(/\/\*[^]*?\*\/|\/\/.*(?:\n\s*\/\/.*)*/g))
    passages.push({ line: lineAt(source.text, index), words: words.replaceAll(/\n\s*(?:\*|\/\/)/g, '\n') });
  return passages.map(({ line, words }) => ({ line, words: words.replaceAll(/\s+/g, ' ') }));
}

/** A page of Markdown: a paragraph is one line. */
function linesOf(text: string): Passage[] {
  return text.split('\n').map((words, index) => ({ line: index + 1, words }));
}

function wrongIn(file: string, passages: readonly Passage[]): string[] {
  return passages.flatMap(({ line, words }) =>
    phrases.flatMap(([wrong, better]) => {
      const found = wrong.exec(words)?.[0];
      const isExcepted = exceptions.some((each) => each.file === file && words.includes(each.words));
      return found === undefined || isExcepted ? [] : [`${file}:${line} “${found}”: ${better}`];
    }),
  );
}

const folder = import.meta.dirname;

/** The folder that one knows a file by: `state`, `features/history`. */
function folderOf(file: string): string {
  return /^(?:features\/|\.\.\/)?[^/]+/.exec(file)?.[0] ?? file;
}

const written = new Map([
  ...[...sourceFiles(), ...testFiles()]
    // Its phrases are the wrong ones.
    .filter(({ file }) => file !== 'words.test.ts')
    .map((source): [string, Passage[]] => [source.file, passagesIn(source)]),
  ...[
    '../README.md',
    'README.md',
    'testing/bench/README.md',
    ...readdirSync(path.join(folder, 'documentation'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `documentation/${name}`),
  ].map((file): [string, Passage[]] => [file, linesOf(readFileSync(path.join(folder, file), 'utf8'))]),
]);

describe('what people read', () => {
  it.each([...new Set([...written.keys()].map(folderOf))])(
    'has no phrase that is not English: %s',
    (place) => {
      const files = [...written].filter(([file]) => folderOf(file) === place);
      expect(files.flatMap(([file, passages]) => wrongIn(file, passages))).toEqual([]);
    },
  );

  it('has at most five exceptions, and each is still there', () => {
    expect(exceptions.length).toBeLessThanOrEqual(5);
    for (const { file, words } of exceptions)
      expect(written.get(file)?.some((passage) => passage.words.includes(words))).toBe(true);
  });
});

describe('what looks for a phrase', () => {
  const found = (text: string, file = 'some.tsx') => wrongIn(file, passagesIn({ file, text }));

  it('finds it in texts, templates, elements and comments, also over lines, with its line', () => {
    expect(found("const a = 1;\nconst b = 'It can not run';")).toEqual(['some.tsx:2 “can not”: cannot']);
    expect(found('`${n} lanes are the most`')).toEqual(['some.tsx:1 “are the most”: the limit is N']);
    expect(found('<p title="One text a line">{a}\n  Draw it\n  again</p>')).toHaveLength(2);
    expect(found('// Starts\n// anew\n/**\n * Sent as it\n * came\n */')).toHaveLength(2);
  });

  it('lets right words pass, and what only code says', () => {
    expect(
      found("'There is no list, the key is no longer sent, and it is the most portable request'"),
    ).toEqual([]);
    expect(found("const pattern = /can not/; const url = 'https://a.example';")).toEqual([]);
    expect(found("'50 requests per minute, as of now'")).toEqual([]);
  });
});
