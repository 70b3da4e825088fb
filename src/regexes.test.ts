/** No regex of ours may take more than time in proportion to its text: texts come from models, files and links. */
import { checkSync } from 'recheck';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { isRecord, ownProperty } from './lib/json.ts';
import { lineAt, nodesOf, sourceFiles, type SourceFile } from './testing/source-files.ts';

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

/** Every regex of the text that is written as a whole: as a literal, or as the text given to RegExp. */
function regexesIn(source: SourceFile): WrittenRegex[] {
  return nodesOf(source).flatMap((node) => {
    const place = `${source.file}:${lineAt(source.text, Number(node['start']))}`;
    const written = (pattern: unknown, flags: unknown): WrittenRegex[] =>
      typeof pattern === 'string'
        ? [{ place, source: pattern, flags: typeof flags === 'string' ? flags : '' }]
        : [];
    const regex = node['regex'];
    if (isRecord(regex)) return written(regex['pattern'], regex['flags']);
    if (ownProperty(node['callee'], 'name') !== 'RegExp' || !Array.isArray(node['arguments'])) return [];
    const [pattern, flags] = node['arguments'];
    return written(constantText(pattern), constantText(flags));
  });
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

/** How slow it can get, as a sentence; undefined where it cannot, or where a second did not do to find out. */
function slownessOf({ place, source, flags }: WrittenRegex): string | undefined {
  const found = checkSync(source, flags, { timeout: 900, attackTimeout: null, randomSeed: 1 });
  if (found.status !== 'vulnerable') return undefined;
  return `${place} is ${found.complexity.summary}: /${source}/${flags}, for instance with ${found.attack.pattern}`;
}

// The judge that needs no other process.
beforeAll(() => void vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure'));
afterAll(() => void vi.unstubAllEnvs());

describe('the regexes of the source', () => {
  const all = sourceFiles().flatMap(regexesIn);
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
  const one = (text: string, file = 'some.ts') => regexesIn({ file, text });

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
