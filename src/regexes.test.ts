/** No regex of ours may take more than time in proportion to its text: texts come from models, files and links. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { checkSync } from 'recheck';
import { parseAst } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { isRecord, ownProperty } from './lib/json.ts';

interface WrittenRegex {
  /** Below src, with forward slashes, and the line. */
  place: string;
  source: string;
  flags: string;
}

/** What is judged to be slow and is not, by the beginning of its place and of its source. At most five. */
const exceptions: readonly { place: string; source: string; reason: string }[] = [
  {
    place: 'demo-gateway/models/',
    source: '',
    reason: 'A demo model reads 4,000 letters of a message (message-text.ts).',
  },
  {
    place: 'server/redactor.ts',
    source: 'f$|fk$|fk-',
    reason: 'It sees the last 515 characters of a chunk (LONGEST_TAIL).',
  },
  {
    place: 'markdown/inline-syntax.ts',
    source: '(?:(?:https?|ftp)',
    reason: 'Before an @ at most 64 letters are tried, which is a factor and no power.',
  },
];

const folder = import.meta.dirname;

/** The files that are shipped or run by a script. */
function sourceFiles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.d\.m?ts$|\.test\.tsx?$|^testing\//.test(file));
}

/** Every regex of the text that is written as a whole: as a literal, or as the text given to RegExp. */
export function regexesIn(file: string, text: string): WrittenRegex[] {
  const lang = file.endsWith('.tsx') ? 'tsx' : file.endsWith('.ts') ? 'ts' : 'jsx';
  const found: WrittenRegex[] = [];
  const add = (node: Record<string, unknown>, source: unknown, flags: unknown) => {
    if (typeof source !== 'string') return;
    const line = text.slice(0, Number(node['start'])).split('\n').length;
    found.push({ place: `${file}:${line}`, source, flags: typeof flags === 'string' ? flags : '' });
  };
  const visit = (node: unknown) => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (!isRecord(node)) return;
    const regex = node['regex'];
    if (isRecord(regex)) add(node, regex['pattern'], regex['flags']);
    if (ownProperty(node['callee'], 'name') === 'RegExp' && Array.isArray(node['arguments'])) {
      const [source, flags] = node['arguments'];
      add(node, constantText(source), constantText(flags));
    }
    for (const each of Object.values(node)) visit(each);
  };
  visit(parseAst(text, { lang }));
  return found;
}

function constantText(node: unknown): string | undefined {
  const value = ownProperty(node, 'value');
  if (typeof value === 'string') return value;
  const [quasi, ...others] = Array.isArray(ownProperty(node, 'quasis'))
    ? [ownProperty(node, 'quasis')].flat()
    : [];
  const cooked = ownProperty(ownProperty(quasi, 'value'), 'cooked');
  return others.length === 0 && typeof cooked === 'string' ? cooked : undefined;
}

/** Without one of these no regex takes long. */
const repeats = /[*+]|\{\d+,/;

/** How slow it can get, as a sentence; undefined where it can not, or where a second did not do to find out. */
function slownessOf({ place, source, flags }: WrittenRegex): string | undefined {
  const found = checkSync(source, flags, { timeout: 900, attackTimeout: null, randomSeed: 1 });
  if (found.status !== 'vulnerable') return undefined;
  return `${place} is ${found.complexity.summary}: /${source}/${flags}, for instance with ${found.attack.pattern}`;
}

// The judge that needs no other process.
beforeAll(() => void vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure'));
afterAll(() => void vi.unstubAllEnvs());

describe('the regexes of the source', () => {
  const all = sourceFiles().flatMap((file) => regexesIn(file, readFileSync(path.join(folder, file), 'utf8')));
  const isExcepted = ({ place, source }: WrittenRegex) =>
    exceptions.some((each) => place.startsWith(each.place) && source.startsWith(each.source));

  const judged = all.filter((each) => repeats.test(each.source) && !isExcepted(each));
  const folders = [...new Set(judged.map(({ place }) => place.split('/')[0] ?? ''))];

  it.each(folders)('take time in proportion to the text at most: %s', (top) => {
    const inFolder = judged.filter(({ place }) => place.startsWith(`${top}/`));
    expect(inFolder.flatMap((each) => slownessOf(each) ?? [])).toEqual([]);
  });

  it('have at most five exceptions, and each is still there', () => {
    expect(exceptions.length).toBeLessThanOrEqual(5);
    for (const { place, source } of exceptions)
      expect(all.some((each) => each.place.startsWith(place) && each.source.startsWith(source))).toBe(true);
  });
});

describe('what finds and judges a regex', () => {
  const one = (text: string, file = 'some.ts') => regexesIn(file, text);

  it('finds literals, also in what only TypeScript and JSX can read', () => {
    expect(one('const a: RegExp = /a+/g; function f(this: Window) {}')).toEqual([
      { place: 'some.ts:1', source: 'a+', flags: 'g' },
    ]);
    expect(one('const a = <p title="/x/">{/b*/.test(text)}</p>;', 'some.tsx')).toEqual([
      { place: 'some.tsx:1', source: 'b*', flags: '' },
    ]);
  });

  it('finds what is given to RegExp as one text, with its line', () => {
    expect(one('\nnew RegExp("a+", "i");\nRegExp(`b+`);')).toEqual([
      { place: 'some.ts:2', source: 'a+', flags: 'i' },
      { place: 'some.ts:3', source: 'b+', flags: '' },
    ]);
  });

  it('leaves out what is put together as it runs', () => {
    expect(one('new RegExp(`a${b}+`); new RegExp(words.join("|"))')).toEqual([]);
  });

  it.each([
    ['blanks on both sides of something optional', '^[ >\\t]*(?:-)?[ >\\t]*x', 'm'],
    ['signs at the end', '=+$', ''],
    ['a group that repeats what repeats', '^(?:a+)+$', ''],
    ['a search for what never closes', '<[^>]*>', ''],
  ])('calls slow: %s', (_, source, flags) => {
    expect(slownessOf({ place: 'some.ts:1', source, flags })).toContain('some.ts:1 is ');
  });

  it('calls a plain one quick', () => {
    expect(slownessOf({ place: 'some.ts:1', source: '^a+b', flags: '' })).toBeUndefined();
  });
});
