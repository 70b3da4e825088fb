/** Reads a sequence of JSON values: the items of an array, JSON Lines, or multi-line objects. */
import { parseExactJson, writeExactJson } from '../exact-json.ts';
import { findValueEnd, findToken } from '../json-scan.ts';
import type { Json } from '../json.ts';

export interface LocatedJsonValue {
  /** Start offset of the value; `line` is its line number from 1. */
  start: number;
  line: number;
  /** Parsed value; `undefined` if the text is not JSON. */
  value: Json | undefined;
}

export interface JsonSequence {
  /** True if the whole text is one array, with its items as values. */
  isArray: boolean;
  values: LocatedJsonValue[];
}

/**
 * Reads the values of a text. Commas between them are allowed, and invalid text is skipped up to the next line or
 * record.
 */
export function readJsonSequence(text: string): JsonSequence {
  const first = findToken(text, 0);
  const firstEnd = first?.kind === '[' ? findValueEnd(text, first) : undefined;
  const isArray = first?.kind === '[' && (firstEnd === undefined || !findToken(text, firstEnd));
  const values: LocatedJsonValue[] = [];
  let offset = isArray ? first.end : 0;
  // All values may be on one line, so the end of the line is cached.
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

/** Formats a cell: strings unchanged, null as an empty string, anything else as JSON with the original digits. */
export function formatCell(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : writeExactJson(value);
}

/** Parses JSON; NaN and Infinity, which Python writes, become strings. */
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

/** Returns true if the value may continue on the next line. */
function isOpenLine(line: string): boolean {
  return /[{[,:]\s*$/.test(line.slice(-100));
}

/**
 * Returns the start of the next record: after a multi-line record the next line with the same indent, otherwise the
 * next line.
 */
function findNextRecord(text: string, start: number, isOpen: boolean, lineEnd: number): number {
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (indent.trim() !== '' || !isOpen) return lineEnd;
  const next = text.indexOf(`\n${indent}${text[start] ?? ''}`, lineEnd);
  return next < 0 ? text.length : next;
}
