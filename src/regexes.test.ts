/** No regex of ours may take more than time in proportion to its text: texts come from models, files and links. */
import { checkSync } from 'recheck';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { isRecord, ownProperty } from './lib/json.ts';
import { lineAt, nodesOf, sourceFiles, type SourceFile } from './testing/source/source-files.ts';

interface WrittenRegex {
  /** Below src, with forward slashes, and the line. */
  place: string;
  source: string;
  flags: string;
}

/** What is judged to be slow and is not, and what is too much for the judge, by the beginnings of its place and source. At most five. */
const exceptions: readonly { place: string; source: string; reason: string }[] = [
  {
    place: 'demo-gateway/',
    source: '',
    reason: 'A demo model reads 4,000 letters of a message (message-text.ts).',
  },
  {
    place: 'server/proxy/redactor.ts',
    source: 'f$|fk$|fk-',
    reason: 'It sees the last 515 characters of a chunk (LONGEST_TAIL).',
  },
  {
    place: 'markdown/parse/inline-syntax.ts',
    source: '(?:(?:https?|ftp)',
    reason: 'Before an @ at most 64 letters are tried, which is a factor and no power.',
  },
  {
    place: 'conversation/code/code-images.ts',
    source: '^data:([\\w.+-]+',
    reason: 'Too large for the judge. It is anchored, and steps by four letters at a time.',
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

const repeats = /[*+]|\{\d+,\}/g;
const atoms = /\\(?:[pPu]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]/g;

/**
 * True where nobody need judge: at most one repeat without end, of a single character, in what is tried at one place of
 * the text only. There are only so many ways to read the rest, however long the text.
 */
function cannotBeSlow({ source, flags }: WrittenRegex): boolean {
  const plain = source.replace(atoms, 'x');
  const count = plain.match(repeats)?.length ?? 0;
  if (count === 0 && !/\{\d+,\d/.test(plain)) return true;
  if (count > 1 || flags.includes('m') || !plain.startsWith('^') || /\)(?:[*+]|\{)/.test(plain)) return false;
  let depth = 0;
  for (const character of plain) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (character === '|' && depth === 0) return false;
  }
  return true;
}

/** The same for texts in small letters, where it takes no longer than for others: the judge takes far longer for both. */
function inSmallLetters({ source, flags }: WrittenRegex): [source: string, flags: string] {
  if (!flags.includes('i')) return [source, flags];
  const small = source.replace(/\\(?:[pP]\{[^}]*\}|.)|[A-Z]/g, (part) =>
    part.length === 1 ? part.toLowerCase() : part,
  );
  return [small, flags.replace('i', '')];
}

/** The judge's own limit is ten seconds: a slow machine would be told less. */
const timeout = null;
/** So many tries and no more, on any machine. */
const steps = {
  timeout,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
  recallTimeout: -1,
  attackLimit: 20_000_000,
  maxInitialGenerationSize: 40,
  maxGenerationSize: 20,
  maxIteration: 2,
  randomSeed: 1,
};

/** How slow it can get, as a sentence; undefined where it cannot. What the judge cannot tell counts as slow. */
function slownessOf(regex: WrittenRegex): string | undefined {
  if (cannotBeSlow(regex)) return undefined;
  const { place, source, flags } = regex;
  const found = checkSync(...inSmallLetters(regex), steps);
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return `${place} is too much for the judge: /${source}/${flags}`;
  return `${place} is ${found.complexity.summary}: /${source}/${flags}, for instance with ${found.attack.pattern}`;
}

// The judge that needs no other process.
beforeAll(() => void vi.stubEnv('RECHECK_SYNC_BACKEND', 'pure'));
afterAll(() => void vi.unstubAllEnvs());

describe('the regexes of the source', () => {
  const all = sourceFiles().flatMap(regexesIn);
  const isExcepted = ({ place, source }: WrittenRegex) =>
    exceptions.some((each) => place.startsWith(each.place) && source.startsWith(each.source));

  const judged = all.filter((each) => !isExcepted(each));
  const folders = [...new Set(judged.map(({ place }) => place.split('/')[0] ?? ''))];

  it.each(folders)('take time in proportion to the text at most: %s', (top) => {
    const inFolder = judged.filter(({ place }) => place.startsWith(`${top}/`));
    expect(inFolder.flatMap((each) => slownessOf(each) ?? [])).toEqual([]);
  });

  it('have at most five exceptions, and each is still there', () => {
    expect(exceptions.length).toBeLessThanOrEqual(5);
    const isThere = ({ place, source }: (typeof exceptions)[number]) =>
      all.some((each) => each.place.startsWith(place) && each.source.startsWith(source));
    expect(exceptions.filter((each) => !isThere(each))).toEqual([]);
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

  it('knows what nobody need judge', () => {
    const isQuick = (source: string, flags = '') => cannotBeSlow({ place: 'some.ts:1', source, flags });
    expect(['^a*$', '^(?:a[b*+]?)?\\*c+', '^abc|d'].filter((source) => !isQuick(source))).toEqual([]);
    const others = ['a*b', '^a*|b*c', '^a*a*b', '^(?:a|a)*b', '^(?:a*){1,3}b'];
    expect(others.filter((source) => isQuick(source))).toEqual([]);
    expect(isQuick('^a*$', 'm')).toBe(false);
  });

  it('counts as slow what the judge cannot tell', () => {
    const source = '(?<a>a)\\k<b>+';
    expect(slownessOf({ place: 'some.ts:1', source, flags: 'u' })).toContain('too much for the judge');
  });

  it('calls a plain one quick', () => {
    expect(slownessOf({ place: 'some.ts:1', source: '^a+b', flags: '' })).toBeUndefined();
  });
});
