/**
 * Cases from a file or from what was pasted (trials.md, section 13): CSV and TSV, JSON Lines, one per line. What cannot be
 * read is named by its line and left out; nothing is guessed.
 */
import * as v from 'valibot';

import { messageSchema } from '../../conversation/session/records.ts';
import { plural } from '../../lib/format.ts';
import { isJsonObject, parseJson, type Json } from '../../lib/json.ts';
import { outsideWords } from '../../lib/text/safe-text.ts';
import { limits, type Case } from '../trial.ts';

export type CaseFormat = 'table' | 'json lines' | 'lines';

/** A line that cannot be a case. `why` is a sentence: "Line 41 has 3 fields and not 2." */
export interface OddLine {
  line: number;
  why: string;
  /** Its beginning. */
  text: string;
}

export interface CaseReading {
  format: CaseFormat;
  fields: string[];
  cases: Omit<Case, 'id'>[];
  odd: OddLine[];
}

/** A reading as a page shows it: the beginning of its cases. */
export interface ShownReading extends CaseReading {
  /** How many there are. */
  counts: { cases: number; odd: number };
}

const shownCases = 5;

/** What goes from the reader to the page: a million lines would make it stand still. */
export function shownReading(reading: CaseReading): ShownReading {
  const { cases, odd } = reading;
  return {
    ...reading,
    cases: cases.slice(0, shownCases),
    odd: odd.slice(0, limits.cases),
    counts: { cases: cases.length, odd: odd.length },
  };
}

const partLetters = 500_000;

/** Cases in parts that a page can take one at a time and stay quick: at least one case each, and few letters. */
export function* caseParts(cases: CaseReading['cases']): Generator<CaseReading['cases']> {
  let from = 0;
  let letters = 0;
  for (const [index, { values, history }] of cases.entries()) {
    for (const value of Object.values(values)) letters += value.length;
    if (history) letters += JSON.stringify(history).length;
    if (letters < partLetters) continue;
    yield cases.slice(from, index + 1);
    from = index + 1;
    letters = 0;
  }
  if (from < cases.length) yield cases.slice(from);
}

/** The value of a case that is nothing but a line. */
const lineField = 'text';
const delimiters = [',', '\t', ';', '|'];

/** Reads cases; without `format` it is told from the text. */
export function readCases(text: string, format: CaseFormat = formatOf(text)): CaseReading {
  const plain = text.replace(/^\uFEFF/, '');
  const reading =
    format === 'table' ? readTable(plain) : format === 'lines' ? readLines(plain) : readJsonLines(plain);
  const cases = reading.cases.filter(({ values, history, line = 0 }) => {
    const why = tooMuch(values, history);
    if (why !== undefined) reading.odd.push({ line, why: `Line ${line} ${why}`, text: '' });
    return why === undefined;
  });
  return { ...reading, format, cases, odd: reading.odd.toSorted((one, other) => one.line - other.line) };
}

/** What the text looks like: objects, a table with a head, or lines. */
export function formatOf(text: string): CaseFormat {
  const lines = text.replace(/^\uFEFF/, '').split('\n', 12);
  const first = lines.find((line) => line.trim() !== '')?.trim() ?? '';
  if (first.startsWith('{') && parseJson(first).ok) return 'json lines';
  return delimiterOf(text) === undefined ? 'lines' : 'table';
}

/** The delimiter that cuts the head and the rows after it alike; a head has at least two names. */
function delimiterOf(text: string): string | undefined {
  const head = recordsOf(text.slice(0, 64_000), ',', 1)[0]?.text ?? '';
  const counted = delimiters.map((delimiter) => {
    const [first, ...others] = recordsOf(text.slice(0, 64_000), delimiter, 8);
    const fields = first?.fields.length ?? 0;
    // The last one may be cut off.
    const alike = others.filter((record) => record.fields.length === fields).length;
    const names = first?.fields.map((name) => name.trim()) ?? [];
    const isHead = fields > 1 && names.every((name) => name !== '' && name.length <= 60);
    return {
      delimiter,
      fields,
      isTable: isHead && (others.length === 0 ? false : 2 * alike > others.length),
    };
  });
  const [best] = counted.filter(({ isTable }) => isTable).toSorted((one, other) => other.fields - one.fields);
  return best && head !== '' ? best.delimiter : undefined;
}

type Read = Pick<CaseReading, 'fields' | 'cases' | 'odd'>;

function readTable(text: string): Read {
  const [head, ...records] = recordsOf(text, delimiterOf(text) ?? ',');
  const fields = head?.fields.map((name) => name.trim()) ?? [];
  const odd: OddLine[] = [];
  const twice = fields.find((name, index) => fields.indexOf(name) !== index);
  if (head && (fields.includes('') || twice !== undefined)) {
    const why =
      twice === undefined || twice === ''
        ? 'names no field in one of its columns.'
        : `names the field ${outsideWords(twice)} twice.`;
    return {
      fields: [],
      cases: [],
      odd: [{ line: head.line, why: `Line ${head.line} ${why}`, text: head.text }],
    };
  }
  const cases = records.flatMap(({ fields: values, line, text: own, problem }) => {
    const why = problem ?? lineProblem(values, fields.length);
    if (why !== undefined) {
      odd.push({ line, why: `Line ${line} ${why}`, text: own });
      return [];
    }
    return [{ values: Object.fromEntries(fields.map((name, index) => [name, values[index] ?? ''])), line }];
  });
  return { fields, cases, odd };
}

function lineProblem(values: readonly string[], fields: number): string | undefined {
  if (values.every((value) => value.trim() === '')) return 'is empty.';
  if (values.length === fields) return undefined;
  return `has ${plural(values.length, 'field')} and not ${fields}.`;
}

function readLines(text: string): Read {
  const odd: OddLine[] = [];
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const cases = lines.flatMap((line, index) => {
    if (line.trim() !== '') return [{ values: { [lineField]: line.trim() }, line: index + 1 }];
    odd.push({ line: index + 1, why: `Line ${index + 1} is empty.`, text: '' });
    return [];
  });
  return { fields: [lineField], cases, odd };
}

const historySchema = v.array(messageSchema);

function readJsonLines(text: string): Read {
  const odd: OddLine[] = [];
  const fields: string[] = [];
  const cases: Omit<Case, 'id'>[] = [];
  for (const [index, own] of text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = index + 1;
    const leaveOut = (why: string) => odd.push({ line, why: `Line ${line} ${why}`, text: outsideWords(own) });
    if (own.trim() === '') {
      leaveOut('is empty.');
      continue;
    }
    const reading = parseJson(own);
    if (!reading.ok || !isJsonObject(reading.value)) {
      leaveOut('is not a JSON object.');
      continue;
    }
    const { messages, ...rest } = reading.value;
    const earlier = messages === undefined ? undefined : v.safeParse(historySchema, messages);
    if (earlier?.success === false) {
      leaveOut('has messages that cannot be read.');
      continue;
    }
    for (const name of Object.keys(rest)) if (!fields.includes(name)) fields.push(name);
    cases.push({
      values: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, valueText(value)])),
      ...(earlier ? { history: earlier.output } : {}),
      line,
    });
  }
  return { fields, cases, odd };
}

function valueText(value: Json): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : JSON.stringify(value);
}

function tooMuch(values: Case['values'], history: Case['history']): string | undefined {
  const names = Object.keys(values).length;
  if (names > limits.values) return `has ${names} values; the limit is ${limits.values}.`;
  const letters = Object.values(values).reduce((sum, value) => sum + value.length, 0);
  const size = letters + (history ? JSON.stringify(history).length : 0);
  return size > limits.caseBytes ? 'is larger than 100 KB.' : undefined;
}

interface DelimitedRecord {
  fields: string[];
  /** Of its first line, from 1. */
  line: number;
  /** Its beginning. */
  text: string;
  problem?: string;
}

/** The records of a text with delimiters (RFC 4180), at most so many. */
function recordsOf(text: string, delimiter: string, most = Number.POSITIVE_INFINITY): DelimitedRecord[] {
  const records: DelimitedRecord[] = [];
  let [at, line] = [0, 1];
  while (at < text.length && records.length < most) {
    const record = recordAt(text, at, delimiter);
    let { end } = record;
    if (record.problem !== undefined) {
      // A stray quote takes no other lines with it: they are read as lines of their own.
      const next = text.indexOf('\n', at);
      end = next < 0 ? text.length : next + 1;
    }
    records.push({
      fields: record.fields,
      line,
      text: outsideWords(text.slice(at, Math.min(end, at + 200)).trimEnd()),
      ...(record.problem === undefined ? {} : { problem: record.problem }),
    });
    for (let next = text.indexOf('\n', at); next >= 0 && next < end; next = text.indexOf('\n', next + 1))
      line += 1;
    at = end;
  }
  return records;
}

/** The record that begins here, and where the next one does. */
function recordAt(
  text: string,
  start: number,
  delimiter: string,
): { fields: string[]; end: number; problem?: string } {
  const fields: string[] = [];
  let at = start;
  let problem: string | undefined;
  for (;;) {
    let value = '';
    if (text[at] === '"') {
      const closed = quotedEnd(text, at);
      if (closed === undefined)
        return { fields, end: text.length, problem: 'opens a quote that is never closed.' };
      value = text.slice(at + 1, closed).replaceAll('""', '"');
      at = closed + 1;
      const rest = fieldEnd(text, at, delimiter);
      if (text.slice(at, rest).trim() !== '') problem = 'has text after a closing quote.';
      at = rest;
    } else {
      const end = fieldEnd(text, at, delimiter);
      value = text.slice(at, end);
      if (text[end] !== delimiter) value = value.replace(/\r$/, '');
      at = end;
    }
    fields.push(value);
    if (text[at] === delimiter) {
      at += 1;
      continue;
    }
    const end = at < text.length ? at + 1 : at;
    return { fields, end, ...(problem === undefined ? {} : { problem }) };
  }
}

function quotedEnd(text: string, at: number): number | undefined {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end < 0 ? undefined : end;
}

function fieldEnd(text: string, at: number, delimiter: string): number {
  let end = at;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end += 1;
  return end;
}

/** What was read, in a sentence: "118 cases read, 2 lines left out". */
export function readingWords({ counts }: Pick<ShownReading, 'counts'>): string {
  const read = `${plural(counts.cases, 'case')} read`;
  return counts.odd === 0 ? read : `${read}, ${plural(counts.odd, 'line')} left out`;
}
