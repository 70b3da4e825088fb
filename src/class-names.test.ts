/** Every class in the views belongs to Tailwind or to one of our sheets, and says what it is in more than four letters. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { __unstable__loadDesignSystem as loadDesignSystem } from 'tailwindcss';
import { describe, expect, it } from 'vitest';

const root = import.meta.dirname;
const folders = ['ui', 'markdown', 'features', 'app'];

const filesOf = (...endings: string[]): string[] =>
  folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.join(folder, file),
      ),
    )
    .filter((file) => endings.some((ending) => file.endsWith(ending)) && !file.includes('.test.'))
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Code with its texts taken out: each stands as its number between two marks. */
interface Code {
  code: string;
  texts: string[];
}

/** Takes the texts out; what is computed within a template stays as code. */
function withoutTexts(source: string): Code {
  const texts: string[] = [];
  const plain = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
  const mark = (text: string) => `§${texts.push(text) - 1}§`;
  let at = 0;
  const takeCode = (end: string): string => {
    let code = '';
    let depth = 0;
    for (; at < plain.length; at += 1) {
      const letter = plain[at] ?? '';
      if (letter === end && depth === 0) return code;
      if (letter === '{') depth += 1;
      if (letter === '}') depth -= 1;
      code += /['"`]/.test(letter) ? takeText(letter) : letter;
    }
    return code;
  };
  const takeText = (quote: string): string => {
    let text = '';
    let code = '';
    for (at += 1; at < plain.length && plain[at] !== quote; at += 1) {
      // An apostrophe between tags opens nothing.
      if (quote !== '`' && plain[at] === '\n') return code;
      if (plain[at] === '\\') at += 1;
      else if (quote === '`' && plain.startsWith('${', at)) {
        code += mark(text);
        text = '';
        at += 2;
        code += ` (${takeCode('}')}) `;
      } else text += plain[at];
    }
    return code + mark(text);
  };
  const code = takeCode('');
  return { code, texts };
}

/** From the opening bracket to the one that closes it, both left out. */
function within(code: string, open: number): string {
  const opening = code[open] ?? '';
  const closing = opening === '(' ? ')' : '}';
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === opening) depth += 1;
    if (code[at] === closing) depth -= 1;
    if (depth === 0) return code.slice(open + 1, at);
  }
  return code.slice(open + 1);
}

/** What is asked and not said, and what goes to other functions, holds no classes of this element. */
function withoutQuestions(code: string): string {
  const aText = '§\\d+§';
  let rest = code
    .replaceAll(new RegExp(`[!=]==\\s*${aText}|${aText}\\s*(?:[!=]==|in\\b)|\\[${aText}\\]`, 'g'), '')
    .replaceAll(/\bclasses\(/g, '(');
  const call = /[\w.]+\([^()]*\)/;
  while (call.test(rest)) rest = rest.replace(call, '');
  return rest;
}

/** Classes that a file names: in attributes, in `classes(…)` and where it makes elements by hand. */
function classesIn(source: string): string[] {
  const { code, texts } = withoutTexts(source);
  const spots = [
    ...[...code.matchAll(/\bclassName=\{|\bclasses\(/g)].map(({ index, 0: found }) =>
      withoutQuestions(within(code, index + found.length - 1)),
    ),
    ...[...code.matchAll(/\bclassName=§\d+§|\.className = §.*|classList\.\w+\(.*/g)].map(([found]) => found),
  ];
  return spots
    .flatMap((spot) => [...spot.matchAll(/§(\d+)§/g)].map(([, index]) => texts[Number(index)] ?? ''))
    .flatMap((text) => text.split(/\s+/))
    .filter((name) => name !== '' && !/^-|-$/.test(name));
}

/** Class names in the selectors of a sheet. */
const classesOf = (css: string): string[] =>
  [...css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]+)\{/g)].flatMap(([, selector = '']) =>
    [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name),
  );

async function tailwind() {
  const here = createRequire(import.meta.url);
  return loadDesignSystem(read('ui/styles.css').replaceAll(/@import '(?!tailwindcss).*|@source .*/g, ''), {
    base: root,
    loadStylesheet: async (id) => ({
      path: id,
      base: root,
      content: readFileSync(here.resolve(`${id}/index.css`), 'utf8'),
    }),
  });
}

/** Classes that nothing styles any more. The list gets shorter, never longer. */
const unstyled = [
  'features/embeddings/map/map-view.tsx: map-readout',
  'features/embeddings/views/view-frame.tsx: lab-blank',
  'features/playground/comparison/compare-texts.tsx: a',
];

const uniqueOf = (names: readonly string[]): string[] => [...new Set(names)].toSorted();

describe('class names', () => {
  it('are known to Tailwind or to a sheet', async () => {
    const inSheets = new Set(filesOf('.css').flatMap((file) => classesOf(read(file))));
    const system = await tailwind();
    const leftOut = new Set(
      [...read('ui/styles.css').matchAll(/@source not inline\('([^']*)'\)/g)].flatMap(([, names = '']) =>
        names.split(' '),
      ),
    );
    const isKnown = (name: string) =>
      inSheets.has(name) ||
      /^(?:group|peer)(?:\/|$)/.test(name) ||
      (!leftOut.has(name) && system.candidatesToCss([name])[0] !== null);
    const unknown = filesOf('.tsx', '.ts').flatMap((file) =>
      classesIn(read(file))
        .filter((name) => !isKnown(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(uniqueOf(unknown)).toEqual(unstyled);
  });

  // A rule of the variant `*` has its class within `:is()`: the browser tries it on every element.
  it('style children without rules that every element is matched against', () => {
    const found = filesOf('.tsx', '.ts').flatMap((file) =>
      classesIn(read(file))
        .filter((name) => /(?:^|:)\*{1,2}:/.test(name))
        .map((name) => `${file}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  it.each(filesOf('.css'))('say more than four letters in %s', (file) => {
    expect(classesOf(read(file)).filter((name) => name.length <= 4)).toEqual([]);
  });
});
