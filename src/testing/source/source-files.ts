/** The source, for tests that read it. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { parseAst } from 'vite';

import { isRecord } from '../../lib/json.ts';

export interface SourceFile {
  /** Below src, with forward slashes. */
  file: string;
  text: string;
}

const folder = path.resolve(import.meta.dirname, '../..');
const onlyForTests = /\.test\.tsx?$|(?:^|\/)testing\/|\/testing-|__fixtures__\//;

/** All source files that are shipped or run by a script. */
export function sourceFiles(): SourceFile[] {
  return filesBelow('').filter(({ file }) => !onlyForTests.test(file));
}

/** All tests, those in the browser included, and what only they use. */
export function testFiles(): SourceFile[] {
  return [...filesBelow('').filter(({ file }) => onlyForTests.test(file)), ...filesBelow('../e2e')];
}

function filesBelow(below: string): SourceFile[] {
  return readdirSync(path.join(folder, below), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(below, name.split(path.sep).join('/')))
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !/\.d\.m?ts$/.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));
}

/** The syntax tree as its nodes, the outer ones first. */
export function nodesOf({ file, text }: SourceFile): Record<string, unknown>[] {
  return nodesIn(
    parseAst(text, { lang: file.endsWith('.tsx') ? 'tsx' : file.endsWith('.ts') ? 'ts' : 'jsx' }),
  );
}

/** A part of a syntax tree as its nodes, the outer ones first. */
export function nodesIn(part: unknown): Record<string, unknown>[] {
  const nodes: Record<string, unknown>[] = [];
  const visit = (node: unknown) => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (!isRecord(node)) return;
    nodes.push(node);
    for (const each of Object.values(node)) visit(each);
  };
  visit(part);
  return nodes;
}

/** The line of a place in the text, counted from 1. */
export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
