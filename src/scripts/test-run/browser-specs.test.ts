import { readdirSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { browserSpecs, specsFor } from './browser-specs.mjs';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const named = new Set(Object.values(browserSpecs).flat());
named.delete('');
const beginnings = Object.keys(browserSpecs);

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name.split(path.sep).join('/')}`,
  );

describe('the table of browser specs', () => {
  it('names every spec of npm test, and no other', () => {
    const there = filesIn('e2e').flatMap((name) => /^e2e\/(?!soak\/)(.+\.spec\.ts)$/.exec(name)?.[1] ?? []);
    expect([...named].toSorted()).toEqual(there.toSorted());
  });

  it('has a row for every folder of the source', () => {
    const folders = filesIn('src').flatMap((name) => /^src\/[^/]+\//.exec(name)?.[0] ?? []);
    expect(folders.filter((folder) => !beginnings.some((one) => one.startsWith(folder)))).toEqual([]);
  });

  it('has no row for what is gone', () => {
    const files = filesIn('src');
    const rows = beginnings.filter((one) => one.startsWith('src/'));
    expect(rows.filter((one) => !files.some((name) => name.startsWith(one)))).toEqual([]);
  });
});

describe('the specs for a change', () => {
  const table = {
    '': [''],
    'e2e/soak/': [],
    'src/ui/': ['looks.spec.ts', 'road.spec.ts'],
    'src/ui/menu': ['menu.spec.ts'],
  };
  const specs = (...files: string[]) => specsFor(files, table);

  it('are those of the longest beginning that fits', () => {
    expect(specs('src/ui/menu.tsx')).toEqual(['e2e/menu.spec.ts']);
    expect(specs('src/ui/switch.tsx')).toEqual(['e2e/looks.spec.ts', 'e2e/road.spec.ts']);
  });
  it('are all of them where nothing closer fits', () => {
    expect(specs('package.json')).toEqual(['e2e/']);
  });
  it('are named once for several files', () => {
    expect(specs('src/ui/a.tsx', 'src/ui/b.css')).toHaveLength(2);
  });
  it('are a changed spec itself, unless it is one of the soak', () => {
    expect(specs('e2e/road.spec.ts', 'e2e/soak/kills.spec.ts')).toEqual(['e2e/road.spec.ts']);
  });
  it('are none for unit tests and pages of text', () => {
    expect(specs('src/ui/menu.test.ts', 'README.md')).toEqual([]);
  });
});
