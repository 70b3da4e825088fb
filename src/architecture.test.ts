/** architecture.md section 2 as a test: who may import whom, and who alone may use what of the browser. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { ownProperty } from './lib/json.ts';
import { lineAt, nodesIn, nodesOf } from './testing/source/source-files.ts';

interface SourceFile {
  /** Below src, with forward slashes. */
  path: string;
  source: string;
}

interface Import {
  /** A path below src, or the name of a package. */
  target: string;
  isTypeOnly: boolean;
  line: number;
}

/** What stands to the left of each folder. A folder that is not here has no place in the house. */
const mayImport: Record<string, readonly string[]> = {
  lib: [],
  gateway: ['lib'],
  conversation: ['lib', 'gateway'],
  embedding: ['lib'],
  trials: ['lib', 'gateway', 'conversation'],
  storage: ['lib', 'gateway', 'conversation', 'trials'],
  state: ['lib', 'gateway', 'conversation', 'embedding', 'trials', 'storage'],
  ui: ['lib'],
  markdown: ['lib', 'ui'],
  features: [
    'lib',
    'gateway',
    'conversation',
    'embedding',
    'trials',
    'storage',
    'state',
    'ui',
    'markdown',
    'documentation',
  ],
  app: [
    'lib',
    'gateway',
    'conversation',
    'embedding',
    'trials',
    'storage',
    'state',
    'ui',
    'markdown',
    'features',
  ],
  'main.tsx': [
    'lib',
    'gateway',
    'conversation',
    'embedding',
    'trials',
    'storage',
    'state',
    'ui',
    'markdown',
    'features',
    'app',
  ],
  // Its quiz answers the questions of the starters.
  'demo-gateway': ['lib', 'documentation', 'trials'],
  server: ['lib', 'demo-gateway'],
};

/** The server side and the arithmetic know the wire as types only. */
const mayImportTypes: Record<string, readonly string[]> = {
  'demo-gateway': ['gateway'],
  server: ['gateway'],
  embedding: ['gateway'],
};

const browserFolders = new Set([
  'lib',
  'gateway',
  'conversation',
  'embedding',
  'trials',
  'storage',
  'state',
  'ui',
  'markdown',
  'features',
  'app',
  'main.tsx',
]);
const pureFolders = new Set([
  'lib',
  'gateway',
  'conversation',
  'embedding',
  'trials',
  'demo-gateway',
  'markdown',
]);
/** The half of markdown/ that draws. */
const markdownViews = /^markdown\/draw\//;
const viewPackages =
  /^(?:react|react-dom|zustand|idb|downshift|wouter|tinykeys|lucide-react|@tanstack\/|node:)/;

const folderOf = (file: string): string => file.split('/')[0] ?? '';
/** Tests, and what only tests use. */
const isTest = (file: string): boolean =>
  /\.(?:test|bench|spec)\.tsx?$|\/__fixtures__\/|\/testing-[^/]*$|(?:^|\/)testing\/|^e2e\//.test(file);
const isPure = (file: string): boolean => pureFolders.has(folderOf(file)) && !markdownViews.test(file);
const isBrowser = (file: string): boolean => browserFolders.has(folderOf(file));

/** Where the clock and chance come in: ids, and the demo gateway's options, whose defaults they are. */
const clockOwners = new Set(['lib/ids.ts', 'demo-gateway/gateway.ts']);

/** Compares an address with the page's own, and changes nothing. */
const originReader = 'ui/app-script-url.ts';

/** The sessions, and the cache of vectors that the lab opens when it is first used. */
const databaseOwners = ['storage/db.ts', 'storage/vector-db.ts'];

/** Where a real clock runs in tests, and why. */
const testClocks: Record<string, string> = {
  'state/embedding/embedding-job.test.ts': 'its clock is virtual, and its server takes time of it',
  'testing/open-trials.ts': 'its clock is virtual, and its gateway takes time of it',
  'testing/scripted-gateway.ts': 'the pace of the answer is what a test may ask for',
  'testing/faults/fault-gateway.ts': 'a pause in the answer is the fault',
  'e2e/faults/soak.ts': 'tells every second how far the load is',
};
/** What runs for as long as one likes asks about time. */
const isSoak = (file: string): boolean => file.startsWith('e2e/soak/');

/** A word of code that only some files may use. */
interface WordRule {
  name: string;
  word: RegExp;
  isForbiddenIn: (file: string) => boolean;
}

const onlyIn =
  (...owners: string[]) =>
  (file: string) =>
    isBrowser(file) && !isTest(file) && !owners.includes(file);

/** What holds for tests alone, those in the browser among them. */
const testRules: readonly WordRule[] = [
  {
    name: 'tests draw the same cases every time',
    word: /\bMath\.random\b|\bnumRuns: (?!cases\()|\bfc\.configureGlobal\b/,
    isForbiddenIn: isTest,
  },
  {
    name: 'tests wait for a signal, not for a time',
    // With nothing but a function it is the next turn of the loop.
    word: /(?<!\btest\.)\b(?:sleep|setTimeout|setInterval|waitForTimeout)\((?!resolve\))|\bAbortSignal\.timeout\(/,
    isForbiddenIn: (file) => isTest(file) && !isSoak(file) && !(file in testClocks),
  },
  {
    name: 'the time that a test takes is nothing it asks about',
    // A clock that is handed to what is tested is none of it.
    word: /(?<!=> )\bperformance\.now\(\)/,
    isForbiddenIn: isTest,
  },
  {
    name: 'the limits of tests are in one place',
    // A look of less than a second, inside of what looks again, is none.
    word: /\bvi\.wait(?:For|Until)\(|\btest\.setTimeout\(|\b(?:testTimeout|hookTimeout)\b|\btimeout: (?!\d{1,3}\b)|^\s*\}, \d+_?\d{3}\);/,
    isForbiddenIn: (file) =>
      isTest(file) && !isSoak(file) && !['testing/until.ts', 'e2e/playwright.config.ts'].includes(file),
  },
  {
    name: 'timers are counted by timersLeft',
    // Other files of the thread leave theirs.
    word: /\bgetTimerCount\b/,
    isForbiddenIn: isTest,
  },
  { name: 'no test is tried again', word: /\b(?:retry|retries): [1-9]/, isForbiddenIn: isTest },
];

const wordRules: readonly WordRule[] = [
  ...testRules,
  {
    name: 'fetch lives in gateway/http/http.ts',
    word: /(?<![\w$]|\.(?<!globalThis\.|window\.))fetch\s*\(|\bnew (?:XMLHttpRequest|EventSource|WebSocket)\b|\.sendBeacon\(/,
    // The page's own fetch is handed to it.
    isForbiddenIn: onlyIn('gateway/http/http.ts', 'app/browser-page.ts'),
  },
  {
    name: 'IndexedDB lives in storage/db.ts and storage/vector-db.ts',
    word: /\bindexedDB\b|\bopenDB\s*\(/,
    isForbiddenIn: onlyIn(...databaseOwners),
  },
  {
    name: 'the URL lives in app/browser-page.ts',
    word: /(?<![.\w$])(?:window\.)?(?:history|location)\.(?!reload\b)\w/,
    isForbiddenIn: onlyIn('app/browser-page.ts', originReader),
  },
  {
    name: 'localStorage lives in app/browser-page.ts',
    word: /\b(?:localStorage|sessionStorage)\b/,
    isForbiddenIn: onlyIn('app/browser-page.ts'),
  },
  {
    name: 'console belongs to the two server entries',
    word: /(?<![.\w$])console\s*\./,
    isForbiddenIn: (file) => !['server/main.ts', 'server/demo-main.ts'].includes(file),
  },
  {
    name: 'effects live in files named use-*',
    word: /\buse(?:Layout|Insertion)?Effect\s*\(/,
    isForbiddenIn: (file) => !/(?:^|\/)use-[^/]+$/.test(file),
  },
  {
    name: 'elements have no ids to be found by, but for what React draws into',
    word: /\bgetElements?By\w+\(/,
    isForbiddenIn: onlyIn('main.tsx'),
  },
  {
    name: 'places that the focus goes to are named by ui/focus/places.ts',
    word: /\bdata-focus-/,
    isForbiddenIn: (file) => isBrowser(file) && !isTest(file) && !file.startsWith('ui/'),
  },
  {
    name: 'fields of several lines come from ui/controls/text-area.tsx',
    word: /<textarea\b/,
    // The link cannot be typed into, and is not drawn where it is too long.
    isForbiddenIn: onlyIn('ui/controls/text-area.tsx', 'features/playground/session-bar/share-dialog.tsx'),
  },
  {
    // React attaches it again at each drawing: what one writes elsewhere would end up in the first field.
    name: 'what takes the focus when it comes is a callback that stays the same',
    word: /\bref=\{\(\w+\) => \w+\??\.(?:focus|select|showModal)\(/,
    isForbiddenIn: (file) => isBrowser(file),
  },
  { name: 'no default exports', word: /^\s*export\s+default\b|\bas\s+default\b/, isForbiddenIn: () => true },
  { name: 'no module mocks', word: /\bvi\s*\.\s*(?:mock|doMock|hoisted)\s*\(/, isForbiddenIn: () => true },
  {
    name: 'pure folders use no DOM and no storage',
    word: /(?<![.\w$])(?:document|window|navigator|localStorage|sessionStorage|indexedDB)\s*[.[]/,
    isForbiddenIn: (file) => isPure(file) && !isTest(file),
  },
  {
    name: 'pure folders use no clock and no randomness',
    word: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.now\b|\bMath\.random\b|\bcrypto\.(?:randomUUID|getRandomValues)\b/,
    isForbiddenIn: (file) => isPure(file) && !isTest(file) && !clockOwners.has(file),
  },
];

/** The source with comments, and the contents of strings where asked, blanked out; every line keeps its place. */
function blanked(source: string, withStrings: boolean): string {
  const token =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<=[=(,:;!&|?{}[\n]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  return source.replace(token, (found) => {
    const isComment = found.startsWith('//') || found.startsWith('/*');
    if (!isComment && !withStrings) return found;
    // What a template inserts is code.
    const kept = found.startsWith('`')
      ? [...found.matchAll(/\$\{[^}]*\}/g)].map((match) => match[0]).join(' ')
      : '';
    return kept + found.replace(/[^\n]/g, ' ').slice(kept.replace(/\n/g, '').length);
  });
}

function importsOf({ path: from, source }: SourceFile): Import[] {
  const code = blanked(source, false);
  const forms: [RegExp, (match: RegExpMatchArray) => boolean][] = [
    [
      /^[ \t]*(?:import|export)\b([^'"`;()]*?)\bfrom\s*['"]([^'"]+)['"]/gm,
      (match) => /^\s*type\b/.test(match[1] ?? ''),
    ],
    [/^[ \t]*import()\s*['"]([^'"]+)['"]/gm, () => false],
    [/\b(typeof\s+)?import\s*\(\s*['"]([^'"]+)['"]/g, (match) => match[1] !== undefined],
  ];
  return forms.flatMap(([form, isTypeOnly]) =>
    [...code.matchAll(form)].map((match): Import => {
      const specifier = (match[2] ?? '').replace(/\?.*$/, '');
      const target = specifier.startsWith('.')
        ? path.posix.join(path.posix.dirname(from), specifier)
        : specifier;
      return { target, isTypeOnly: isTypeOnly(match), line: lineAt(code, match.index) };
    }),
  );
}

const isOwn = (target: string, files: ReadonlySet<string>): boolean =>
  files.has(target) || folderOf(target) in mayImport || target.startsWith('documentation/');

function importProblem(
  file: string,
  { target, isTypeOnly }: Import,
  files: ReadonlySet<string>,
): string | undefined {
  const folder = folderOf(file);
  const allowed = mayImport[folder];
  if (isTest(target)) return `${target} is for tests`;
  if (file.startsWith('trials/statistics/') && !target.startsWith('trials/statistics/'))
    return `trials/statistics imports nothing, not ${target}`;
  if (allowed === undefined) return `${folder} has no place in the direction of imports`;
  if (!isOwn(target, files)) {
    if (isPure(file) && viewPackages.test(target)) return `${folder} is pure and must not import ${target}`;
    if (target === 'idb' && !databaseOwners.includes(file)) return 'only storage/db.ts imports idb';
    const isReact =
      /^(?:react|react-dom|zustand\/react|@tanstack\/react-query)(?:$|\/)/.test(target) ||
      (target === 'zustand' && !isTypeOnly);
    if (folder === 'state' && file !== 'state/react.tsx' && isReact)
      return 'only state/react.tsx imports react';
    return undefined;
  }
  const to = folderOf(target);
  if (to === folder) {
    const [, one] = file.split('/');
    const [, other] = target.split('/');
    const isOther = folder === 'features' && one !== other && other !== 'models' && other !== 'health';
    return isOther ? `features/${one} imports features/${other}` : undefined;
  }
  if (allowed.includes(to) || (isTypeOnly && mayImportTypes[folder]?.includes(to))) return undefined;
  return `${folder} must not import ${to}${mayImportTypes[folder]?.includes(to) ? ' other than as types' : ''}`;
}

/** Chains of imports that end where they began; type imports are erased and close no chain. */
function cyclesOf(files: readonly SourceFile[]): string[] {
  const edges = new Map(
    files.map((file) => [file.path, importsOf(file).filter((found) => !found.isTypeOnly)]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, above: readonly string[]): void => {
    if (above.includes(file)) {
      found.push([...above.slice(above.indexOf(file)), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const { target } of edges.get(file) ?? []) if (edges.has(target)) walk(target, [...above, file]);
    done.add(file);
  };
  for (const file of files) walk(file.path, []);
  return found;
}

function wordBreachesOf({ path: file, source }: SourceFile, all: readonly WordRule[]): string[] {
  const rules = all.filter((rule) => rule.isForbiddenIn(file));
  const code = blanked(source, true);
  // A file may call its own variable `window`.
  const isOwnName = (name: string) => new RegExp(`\\b(?:const|let) ${name}\\b`).test(code);
  const owned = ['window', 'document'].filter(isOwnName).map((name) => new RegExp(`\\b${name}\\b`, 'g'));
  return owned
    .reduce((rest, name) => rest.replace(name, 'own'), code)
    .split('\n')
    .flatMap((line, index) =>
      rules.filter(({ word }) => word.test(line)).map(({ name }) => `${file}:${index + 1} ${name}`),
    );
}

/** Draws elements of its own, and finds them again. */
const isDrawing = (file: string): boolean => /^(?:ui|markdown\/draw)\//.test(file);

const lookups = new Set(['querySelector', 'querySelectorAll', 'closest', 'matches']);
/** A class, an id, or what is said: names, titles, placeholders. */
const byLooksOrWords = /(?:^|[\s>+~,(\w*])[.#][a-z]|\[(?:aria-label|class|id|title|alt|placeholder)\b/i;

/** The texts in a part of the code, those of the constants that it names included. */
function textsIn(part: unknown, constants: ReadonlyMap<string, unknown>): string[] {
  return nodesIn(part).flatMap((node): string[] => {
    const { type, value, name } = node;
    if (type === 'Literal' && typeof value === 'string') return [value];
    if (type === 'TemplateElement') return [String(ownProperty(value, 'raw'))];
    const constant = type === 'Identifier' && typeof name === 'string' ? constants.get(name) : undefined;
    return constant === undefined ? [] : textsIn(constant, new Map());
  });
}

/** What a file looks for elements by, call by call. */
function selectorsOf({ path: file, source }: SourceFile): { selectors: string[]; line: number }[] {
  if (![...lookups].some((name) => source.includes(name))) return [];
  const nodes = nodesOf({ file, text: source });
  const constants = new Map(
    nodes
      .filter(({ type }) => type === 'VariableDeclarator')
      .map(({ id, init }) => [String(ownProperty(id, 'name')), init]),
  );
  return nodes
    .filter(({ type, callee }) => {
      const name = ownProperty(ownProperty(callee, 'property'), 'name');
      return type === 'CallExpression' && typeof name === 'string' && lookups.has(name);
    })
    .map((call) => ({
      selectors: textsIn(call['arguments'], constants),
      line: lineAt(source, Number(call['start'])),
    }));
}

/** A part that is found by its looks or its words is lost when they change: ui/focus/places.ts names it instead. */
function selectorBreachesOf(source: SourceFile): string[] {
  if (!isBrowser(source.path) || isTest(source.path) || isDrawing(source.path)) return [];
  return selectorsOf(source).flatMap(({ selectors, line }) => {
    if (selectors.length === 0) return [`${source.path}:${line} looks for what is written elsewhere`];
    return selectors
      .filter((selector) => byLooksOrWords.test(selector))
      .map((selector) => `${source.path}:${line} finds what it needs by ${selector}`);
  });
}

/** Every breach as `path:line what`. */
function breachesOf(files: readonly SourceFile[]): {
  imports: string[];
  words: string[];
  selectors: string[];
  names: string[];
  cycles: string[];
} {
  const known = new Set(files.map((file) => file.path));
  const imports = files
    .filter((file) => !isTest(file.path))
    .flatMap((file) =>
      importsOf(file).flatMap((found) => {
        const problem = importProblem(file.path, found, known);
        return problem === undefined ? [] : [`${file.path}:${found.line} ${problem}`];
      }),
    );
  const words = files.flatMap((file) => wordBreachesOf(file, wordRules));
  const selectors = files.flatMap(selectorBreachesOf);
  const names = files
    .filter(({ path: file }) => /(?:^|\/)index\.tsx?$/.test(file))
    .map(({ path: file }) => `${file}:1 no barrels`);
  return { imports, words, selectors, names, cycles: cyclesOf(files) };
}

function filesBelow(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && name !== 'architecture.test.ts')
    .map((name) => ({ path: name, source: readFileSync(path.join(root, name), 'utf8') }));
}

it('has each file that the map names', () => {
  const map = readFileSync(path.join(import.meta.dirname, 'README.md'), 'utf8');
  const named = [...map.matchAll(/`([\w.-]+(?:\/[\w.-]+)+(?:\/|\.\w+))`/g)].map(([, file = '']) => file);
  const isThere = (file: string) => existsSync(path.join(import.meta.dirname, file));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((file) => !isThere(file))).toEqual([]);
});

describe('the source', () => {
  const files = filesBelow(import.meta.dirname);
  const breaches = breachesOf(files);
  it('is read as a whole', () =>
    expect(files.map((file) => file.path)).toEqual(
      expect.arrayContaining(['main.tsx', 'server/main.ts', 'gateway/http/http.ts']),
    ));
  it('imports only from left to right', () => expect(breaches.imports).toEqual([]));
  it('uses each word of code only where it may be', () => expect(breaches.words).toEqual([]));
  it('finds nothing by a class or a label outside ui', () => expect(breaches.selectors).toEqual([]));
  it('has no barrels', () => expect(breaches.names).toEqual([]));
  it('has no cycles', () => expect(breaches.cycles).toEqual([]));
  it('has at most 15 files in a folder, the tests of its files not counted', () => {
    const counts = new Map<string, number>();
    for (const top of ['src', 'e2e']) {
      const root = path.join(import.meta.dirname, '..', top);
      for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
        const folder = path.join(top, path.dirname(name));
        const isCounted = /\.(?:tsx?|mjs)$/.test(name) && !/\.(?:test|spec)\.|\.d\.m?ts$/.test(name);
        if (isCounted) counts.set(folder, (counts.get(folder) ?? 0) + 1);
      }
    }
    expect([...counts].filter(([, count]) => count > 15)).toEqual([]);
  });
});

describe('the browser tests', () => {
  const files = filesBelow(path.join(import.meta.dirname, '../e2e'));
  it('wait, draw and end as all tests do', () => {
    const breaches = files.flatMap((file) =>
      wordBreachesOf({ ...file, path: `e2e/${file.path}` }, testRules),
    );
    expect(breaches).toEqual([]);
  });
  it('are where the list of real clocks says', () => {
    const known = new Set([
      ...filesBelow(import.meta.dirname).map((file) => file.path),
      ...files.map((file) => `e2e/${file.path}`),
    ]);
    expect(Object.keys(testClocks).filter((file) => !known.has(file))).toEqual([]);
  });
});

describe('the checker', () => {
  const check = (...planted: [string, string][]) =>
    breachesOf(planted.map(([file, source]) => ({ path: file, source })));
  const rulesBroken = (file: string, source: string) => [
    ...check([file, source]).imports,
    ...check([file, source]).words,
    ...check([file, source]).selectors,
  ];

  it('finds every breach that is planted', () => {
    const planted = [
      ['lib/a.ts', `import { b } from '../gateway/b.ts';`, 'lib must not import gateway'],
      [
        'gateway/a.ts',
        `import {\n  b,\n} from '../conversation/b.ts';`,
        'gateway must not import conversation',
      ],
      ['ui/a.tsx', `export { b } from '../state/b.ts';`, 'ui must not import state'],
      ['trials/a.ts', `import { b } from '../storage/b.ts';`, 'trials must not import storage'],
      [
        'trials/statistics/a.ts',
        `import { b } from '../../lib/b.ts';`,
        'trials/statistics imports nothing, not lib/b.ts',
      ],
      ['state/a.ts', `import type { B } from '../features/x/b.ts';`, 'state must not import features'],
      ['features/x/a.tsx', `const b = await import('../y/b.ts');`, 'features/x imports features/y'],
      ['app/a.ts', `import '../server/b.ts';`, 'app must not import server'],
      [
        'features/x/a.ts',
        `import { m } from '../../demo-gateway/m.ts';`,
        'features must not import demo-gateway',
      ],
      [
        'server/a.ts',
        `import { b } from '../gateway/b.ts';`,
        'server must not import gateway other than as types',
      ],
      ['state/a.ts', `import { aLane } from '../testing/builders.ts';`, 'testing/builders.ts is for tests'],
      ['attic/a.ts', `import { b } from '../lib/b.ts';`, 'attic has no place in the direction of imports'],
      [
        'conversation/a.ts',
        `import { create } from 'zustand';`,
        'conversation is pure and must not import zustand',
      ],
      ['state/a.ts', `import { use } from 'react';`, 'only state/react.tsx imports react'],
      ['state/a.ts', `import { openDB } from 'idb';`, 'only storage/db.ts imports idb'],
      ['app/a.ts', `const answer = await fetch('/x');`, 'fetch lives in gateway/http/http.ts'],
      ['app/a.ts', `const answer = await globalThis.fetch('/x');`, 'fetch lives in gateway/http/http.ts'],
      ['app/a.ts', `history.pushState(null, '', '/x');`, 'the URL lives in app/browser-page.ts'],
      ['ui/a.ts', 'const said = `${localStorage.length} keys`;', 'localStorage lives in app/browser-page.ts'],
      ['server/proxy/proxy.ts', `console.log('here');`, 'console belongs to the two server entries'],
      ['features/x/a.tsx', `useEffect(() => {});`, 'effects live in files named use-*'],
      [
        'ui/a.tsx',
        `const field = <textarea value={text} />;`,
        'fields of several lines come from ui/controls/text-area.tsx',
      ],
      [
        'app/a.ts',
        `document.querySelector<HTMLElement>('aside.side')?.focus();`,
        'finds what it needs by aside.side',
      ],
      ['features/x/a.ts', `from.closest('.bar, .top');`, 'finds what it needs by .bar, .top'],
      [
        'features/x/a.ts',
        `const edit = 'button[aria-label="Edit"]'; if (from.matches(edit)) go();`,
        'finds what it needs by button[aria-label="Edit"]',
      ],
      [
        'features/x/a.ts',
        'part.querySelectorAll<HTMLElement>(isOpen ? `.row-${id}` : "li");',
        'finds what it needs by .row-',
      ],
      ['features/x/a.ts', `part.matches(names.row);`, 'looks for what is written elsewhere'],
      ['state/a.ts', `root.querySelector('main > #list');`, 'finds what it needs by main > #list'],
      [
        'app/a.ts',
        `document.getElementById('composer');`,
        'elements have no ids to be found by, but for what React draws into',
      ],
      [
        'features/x/a.tsx',
        `const button = <i data-focus-next="textarea" />;`,
        'places that the focus goes to are named by ui/focus/places.ts',
      ],
      [
        'features/x/a.tsx',
        `<input ref={(field) => field?.focus()} />`,
        'what takes the focus when it comes is a callback that stays the same',
      ],
      ['features/x/a.tsx', `export default function A() {}`, 'no default exports'],
      ['state/a.test.ts', `vi.mock('./b.ts');`, 'no module mocks'],
      ['markdown/blocks.ts', `document.createElement('p');`, 'pure folders use no DOM and no storage'],
      ['gateway/a.ts', `const at = Date.now();`, 'pure folders use no clock and no randomness'],
      ['state/a.test.ts', `const at = Math.random();`, 'tests draw the same cases every time'],
      ['state/a.test.ts', `fc.assert(all, { numRuns: 500 });`, 'tests draw the same cases every time'],
      [
        'state/a.test.ts',
        `await new Promise((done) => setTimeout(done, 20));`,
        'tests wait for a signal, not for a time',
      ],
      ['testing/a.ts', `await sleep(20);`, 'tests wait for a signal, not for a time'],
      [
        'state/a.test.ts',
        `expect(performance.now() - began).toBeLessThan(9);`,
        'the time that a test takes is nothing it asks about',
      ],
      ['state/a.test.ts', `}, 60_000);`, 'the limits of tests are in one place'],
      ['state/a.test.ts', `await vi.waitFor(isSaved);`, 'the limits of tests are in one place'],
      ['state/a.test.ts', `expect(vi.getTimerCount()).toBe(1);`, 'timers are counted by timersLeft'],
      ['state/a.test.ts', `it('works', { retry: 2 }, () => {});`, 'no test is tried again'],
    ] as const;
    expect(planted.map(([file, source]) => rulesBroken(file, source))).toEqual(
      planted.map(([file, , rule]) => [`${file}:1 ${rule}`]),
    );
  });

  it('lets pass what only looks like a breach', () => {
    const harmless = [
      ['features/x/a.tsx', `import { ModelPicker } from '../models/model-picker.tsx';`],
      ['server/a.ts', `import type { B } from '../gateway/b.ts';`],
      ['features/x/use-a.ts', `useEffect(() => {});`],
      ['markdown/draw/dom-writer.ts', `document.createElement('p');`],
      ['gateway/a.ts', `// document.title and Date.now() stay out of here\nconst words = 'window.open';`],
      ['conversation/a.ts', `const isDocument = part.document.title === "console.log";`],
      ['markdown/a.ts', `const window = text.slice(0, 9);\nconst end = window.indexOf('$');`],
      ['app/a.ts', `location.reload();`],
      ['features/x/a.ts', `list.querySelectorAll('button')[1]?.closest('[role=menu], form');`],
      ['ui/a.ts', `document.querySelector('.list:popover-open');`],
      ['state/a.test.ts', `import { server } from '../server/b.ts';`],
      ['state/a.test.ts', `fc.assert(all, { numRuns: cases(500) });`],
      ['state/a.test.ts', `const recorder = createRecorder(records, () => performance.now());`],
      ['state/a.ts', `setTimeout(look, 20);`],
    ] as const;
    expect(harmless.flatMap(([file, source]) => rulesBroken(file, source))).toEqual([]);
  });

  it('names the line', () => {
    expect(check(['app/a.ts', `/* one\n two */\n\nfetch('/x');`]).words).toEqual([
      'app/a.ts:4 fetch lives in gateway/http/http.ts',
    ]);
  });

  it('finds a cycle through three files, also where one is fetched late, and none through a type', () => {
    const [one, two] = [`import { two } from './two.ts';`, `import { three } from './three.ts';`];
    const cycle = check(
      ['lib/one.ts', one],
      ['lib/two.ts', two],
      ['lib/three.ts', `import { one } from './one.ts';`],
    );
    expect(cycle.cycles).toEqual(['lib/one.ts → lib/two.ts → lib/three.ts → lib/one.ts']);
    const late = check(
      ['lib/one.ts', one],
      ['lib/two.ts', `const load = async () => (await import('./one.ts')).one;`],
    );
    expect(late.cycles).toEqual(['lib/one.ts → lib/two.ts → lib/one.ts']);
    const erased = check(
      ['lib/one.ts', one],
      ['lib/two.ts', two],
      ['lib/three.ts', `import type { One } from './one.ts';`],
    );
    expect(erased.cycles).toEqual([]);
  });

  it('finds a barrel', () => {
    expect(check(['ui/index.ts', '']).names).toEqual(['ui/index.ts:1 no barrels']);
  });
});
