/** JSON values one after another in a text: the items of one array, JSON Lines, or objects over several lines each. */
import { parseExactJson, writeExactJson } from '../exact-json.ts';
import { findValueEnd, tokenFrom } from '../json-scan.ts';
import type { Json } from '../json.ts';

export interface JsonValue {
  /** The offset at which it begins, and the number of that line, from 1. */
  start: number;
  line: number;
  /** Undefined where the text is not JSON. */
  value: Json | undefined;
}

export interface JsonSequence {
  /** True if the whole text is one array, whose items these are. */
  isArray: boolean;
  values: JsonValue[];
}

/** Reads the values of a text. Commas between them are allowed; text that is not JSON is skipped to the next line or record. */
export function readJsonSequence(text: string): JsonSequence {
  const first = tokenFrom(text, 0);
  const firstEnd = first?.kind === '[' ? findValueEnd(text, first) : undefined;
  const isArray = first?.kind === '[' && (firstEnd === undefined || !tokenFrom(text, firstEnd));
  const values: JsonValue[] = [];
  let at = isArray ? first.end : 0;
  // A line may hold all values: its end is looked for once.
  let [line, lineEnd] = [1, findLineEnd(text, 0)];
  for (let token = tokenFrom(text, at); token; token = tokenFrom(text, at)) {
    at = token.end;
    if (token.kind === ',' || (isArray && token.kind === ']')) continue;
    const { start } = token;
    for (; lineEnd < start; line += 1) lineEnd = findLineEnd(text, lineEnd + 1);
    const isOpen = isOpenLine(text.slice(start, lineEnd));
    const end = findValueEnd(isArray || isOpen ? text : text.slice(0, lineEnd), token);
    const value = end === undefined ? undefined : parseValue(text.slice(start, end));
    values.push({ start, line, value });
    at = value === undefined || end === undefined ? nextRecordStart(text, start, isOpen, lineEnd) : end;
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
  const reading = parseExactJson(source);
  if (reading.ok) return reading.value;
  if (!/\b(?:NaN|Infinity)\b/.test(source)) return undefined;
  let quoted = '';
  let at = 0;
  for (let token = tokenFrom(source, 0); token; token = tokenFrom(source, token.end)) {
    const word = source.slice(token.start, token.end);
    if (token.kind !== 'word' || !/^(?:NaN|-?Infinity)$/.test(word)) continue;
    quoted += `${source.slice(at, token.start)}"${word}"`;
    at = token.end;
  }
  const next = parseExactJson(quoted + source.slice(at));
  return next.ok ? next.value : undefined;
}

function findLineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** True if the value may continue in the next line. */
function isOpenLine(line: string): boolean {
  return /[{[,:]\s*$/.test(line.slice(-100));
}

/** Finds the next record: after one over several lines the next with the same indent, else the next line. */
function nextRecordStart(text: string, at: number, isOpen: boolean, lineEnd: number): number {
  const indent = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  if (indent.trim() !== '' || !isOpen) return lineEnd;
  const next = text.indexOf(`\n${indent}${text[at] ?? ''}`, lineEnd);
  return next < 0 ? text.length : next;
}
