// npm run house: what src is made of, without tests, testing and scripts, as figures to think about.
//   -- --at REF   counts that commit, with the totals of the working tree under its own
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { parseAst } from 'vite';

const root = path.resolve(import.meta.dirname, '../..');
const notCounted = /\.test\.tsx?$|\.d\.m?ts$|^(?:testing|scripts)\/|\/testing-|__fixtures__\//;
/** Under this, a file with one importer in its own folder should be part of it. */
const fewLines = 80;
const languages = { '.ts': 'ts', '.tsx': 'tsx', '.mjs': 'js' };
const columns = {
  files: () => 1,
  lines: ({ lines }) => lines,
  'one importer': ({ importers }) => Number(importers.size === 1),
  'of these beside it, < 80 lines': (file) => Number(isPartOfOther(file)),
  'dynamic imports': ({ dynamic }) => dynamic.length,
  'doubled file names': ({ isNameDoubled }) => Number(isNameDoubled),
  'doubled exports': ({ doubledExports }) => doubledExports.length,
};

/** Every file that is counted, with what it imports and exports and who imports it. */
function readHouse(src) {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => path.extname(name) in languages && !notCounted.test(name));
  const files = new Map(
    names.toSorted().map((name) => [name, readFile(name, readFileSync(path.join(src, name), 'utf8'))]),
  );
  for (const file of files.values())
    for (const target of [...file.types, ...file.values, ...file.dynamic])
      files.get(target)?.importers.add(file.name);
  const all = [...files.values()];
  const byBase = groupedBy(all, ({ name }) => path.parse(name).name);
  const byExport = groupedBy(
    all.flatMap((file) => [...file.exported].map((name) => ({ file, name }))),
    ({ name }) => name,
  );
  for (const file of all) {
    file.isNameDoubled = byBase.get(path.parse(file.name).name).length > 1;
    file.doubledExports = [...file.exported].filter((name) => byExport.get(name).length > 1);
  }
  return files;
}

function readFile(name, text) {
  const file = { name, lines: text.split('\n').length - 1, importers: new Set() };
  Object.assign(file, { types: [], values: [], dynamic: [], exported: new Set() });
  const resolve = ({ value }) => path.posix.join(path.posix.dirname(name), String(value).split('?')[0]);
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== 'object') return undefined;
    const isType = node.importKind === 'type' || node.exportKind === 'type';
    if (node.type === 'ImportExpression') file.dynamic.push(resolve(node.source));
    else if (node.type === 'TSImportType') file.types.push(resolve(node.source));
    else if (/^(?:Import|Export)\w*Declaration$/.test(node.type) && node.source)
      (isType ? file.types : file.values).push(resolve(node.source));
    else if (node.type === 'ExportNamedDeclaration')
      for (const each of namesOf(node)) file.exported.add(each);
    return Object.values(node).forEach(visit);
  };
  visit(parseAst(text, { lang: languages[path.extname(name)] }));
  return file;
}

function namesOf({ declaration, specifiers }) {
  if (!declaration) return specifiers.map(({ exported }) => exported.name);
  if (!declaration.declarations) return [declaration.id.name];
  return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
}

function groupedBy(all, keyOf) {
  const groups = new Map();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}

function isPartOfOther({ name, lines, importers }) {
  const [only] = importers;
  return importers.size === 1 && lines < fewLines && path.dirname(only) === path.dirname(name);
}

/** The groups of files that import each other, however long the way round. */
function cyclesOf(files, targetsOf) {
  const reached = new Map();
  for (const name of files.keys()) {
    const seen = new Set();
    const open = [name];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const target of targetsOf(files.get(next)))
        if (files.has(target) && !seen.has(target)) {
          seen.add(target);
          open.push(target);
        }
    reached.set(name, seen);
  }
  const names = [...files.keys()];
  const groups = names
    .filter((name) => reached.get(name).has(name))
    .map((name) =>
      names.filter((other) => reached.get(name).has(other) && reached.get(other).has(name)).join(', '),
    );
  return [...new Set(groups)];
}

function printTable(head, rows) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]));
  for (const row of all) console.log(`| ${row.map(pad).join(' | ')} |`);
  console.log('');
}

const totals = (files) => Object.values(columns).map((of) => files.reduce((sum, file) => sum + of(file), 0));

function print(label, files, further) {
  const all = [...files.values()];
  const byTop = groupedBy(all, ({ name }) => (name.includes('/') ? name.split('/')[0] : '.'));
  printTable(
    ['folder', ...Object.keys(columns)],
    [...[...byTop].map(([top, some]) => [top, ...totals(some)]), [label, ...totals(all)], ...further],
  );
  const byFolder = [...groupedBy(all, ({ name }) => path.dirname(name))].map(([name, some]) => [
    name,
    some.length,
  ]);
  const most = (rows) => rows.toSorted((one, other) => other[1] - one[1]).slice(0, 10);
  printTable(['largest folders', 'files'], most(byFolder));
  printTable(['largest files', 'lines'], most(all.map(({ name, lines }) => [name, lines])));
  const shown = (found) => (found.length === 0 ? 'none' : found.map((group) => `\n  ${group}`).join(''));
  const doubled = (of) => [...new Set(all.flatMap(of))].join(', ');
  console.log(
    `Doubled file names: ${doubled((file) => (file.isNameDoubled ? path.parse(file.name).name : []))}`,
  );
  console.log(`Doubled exports: ${doubled((file) => file.doubledExports)}`);
  console.log(`Cycles: ${shown(cyclesOf(files, ({ values }) => values))}`);
  console.log(
    `Cycles with dynamic imports: ${shown(cyclesOf(files, ({ values, dynamic }) => [...values, ...dynamic]))}`,
  );
}

const { at } = parseArgs({ options: { at: { type: 'string' } } }).values;
const here = readHouse(path.join(root, 'src'));
if (at === undefined) print('in all', here, []);
else {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-house-'));
  try {
    const packed = execFileSync('git', ['archive', at, 'src'], { cwd: root, maxBuffer: 2 ** 28 });
    execFileSync('tar', ['-xf', '-', '-C', folder], { input: packed });
    print(`in all at ${at}`, readHouse(path.join(folder, 'src')), [
      ['in all now', ...totals([...here.values()])],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
