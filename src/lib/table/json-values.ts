/** JSON values one after another in a text: the items of one array, JSON Lines, or objects over several lines each. */
import { parseExactJson, writeExactJson } from '../exact-json.ts';
import { findValueEnd, findToken } from '../json-scan.ts';
import type { Json } from '../json.ts';

export interface LocatedJsonValue {
  /** The offset at which it begins, and the number of that line, from 1. */
  start: number;
  line: number;
  /** Undefined where the text is not JSON. */
  value: Json | undefined;
}

export interface JsonSequence {
  /** True if the whole text is one array, whose items these are. */
  isArray: boolean;
  values: LocatedJsonValue[];
}

/** Reads the values of a text. Commas between them are allowed; text that is not JSON is skipped to the next line or record. */
export function readJsonSequence(text: string): JsonSequence {
  const first = findToken(text, 0);
  const firstEnd = first?.kind === '[' ? findValueEnd(text, first) : undefined;
  const isArray = first?.kind === '[' && (firstEnd === undefined || !findToken(text, firstEnd));
  const values: LocatedJsonValue[] = [];
  let offset = isArray ? first.end : 0;
  // A line may hold all values: its end is looked for once.
  let [line, lineEnd] = [1, findLineEnd(text, 0)];
  for (let token = findToken(text, offset); token; token = findToken(text, offset)) {
    offset = token.end;
    if (token.kind === ',' || (isArray && token.kind === ']')) continue;
    const { start } = token;
    for (; lineEnd < start; line += 1) lineEnd = findLineEnd(text, lineEnd + 1);
    const isOpen = isOpenLine(text.slice(start, lineEnd));
    const end = findValueEnd(isArray || isOpen ? text : text.slice(0, lineEnd), token);
    const value = end === undefined ? undefined : parseValue(text.slice(start, end));
    values.push({ start, line, value });
    offset = value === undefined || end === undefined ? findNextRecord(text, start, isOpen, lineEnd) : end;
  }
  return { isArray, values };
}

/** Returns the text of a cell: strings as they are, null as nothing, all else as JSON with the digits that arrived. */
export function formatCell(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : writeExactJson(value);
}

/** Parses JSON; NaN and Infinity, which Python writes, become texts. */
function parseValue(source: string): Json | undefined {
  const parsed = parseExactJson(source);
  if (parsed.ok) return parsed.value;
  if (!/\b(?:NaN|Infinity)\b/.test(source)) return undefined;
  let quotedText = '';
  let offset = 0;
  for (let token = findToken(source, 0); token; token = findToken(source, token.end)) {
    const word = source.slice(token.start, token.end);
    if (token.kind !== 'word' || !/^(?:NaN|-?Infinity)$/.test(word)) continue;
    quotedText += `${source.slice(offset, token.start)}"${word}"`;
    offset = token.end;
  }
  const reparsed = parseExactJson(quotedText + source.slice(offset));
  return reparsed.ok ? reparsed.value : undefined;
}

function findLineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

/** True if the value may continue in the next line. */
function isOpenLine(line: string): boolean {
  return /[{[,:]\s*$/.test(line.slice(-100));
}

/** Finds the next record: after one over several lines the next with the same indent, else the next line. */
function findNextRecord(text: string, start: number, isOpen: boolean, lineEnd: number): number {
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (indent.trim() !== '' || !isOpen) return lineEnd;
  const next = text.indexOf(`\n${indent}${text[start] ?? ''}`, lineEnd);
  return next < 0 ? text.length : next;
}
