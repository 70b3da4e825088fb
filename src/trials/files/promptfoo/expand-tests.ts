/** Expands tests to cases: a value with a list stands for one case per item, and values may contain others. */
import { splitVariables } from '../../../conversation/session/variables.ts';
import { writeExactJson } from '../../../lib/exact-json.ts';
import { isRecord } from '../../../lib/json.ts';
import { isTooLarge } from '../../cases.ts';
import { getValueAtPath } from '../../checks/check-settings.ts';
import { trialLimits, type Case } from '../../trial.ts';
import { toJson } from './config-document.ts';
import type { NoteCollector } from './config-notes.ts';
import type { ReadTest } from './read-tests.ts';

export interface ExpandedCase {
  values: Case['values'];
  test: ReadTest;
}

/** Name of the value that holds the description of a test. */
const descriptionField = 'description';
/** Number of times that values are filled into values, as in promptfoo. */
const maxFillPasses = 5;

/** Returns the cases of the tests. `sentNames` are the names that the prompts use, such as `user.name`. */
export function expandTests(
  tests: readonly ReadTest[],
  sentNames: readonly string[],
  notes: NoteCollector,
): ExpandedCase[] {
  const cases: ExpandedCase[] = [];
  for (const test of tests) {
    const combinations = countCombinations(test);
    if (cases.length + combinations > trialLimits.cases) {
      notes.add({ subject: 'test', reason: `more than ${trialLimits.cases} cases are too many for a trial` });
      continue;
    }
    for (const vars of listCombinations(test)) {
      const values = toValues(vars, test, sentNames);
      if (isTooLarge({ values })) notes.add({ subject: 'case', reason: 'it is larger than 100 KB' });
      else cases.push({ values, test });
    }
  }
  fillMissingValues(cases, sentNames);
  return cases;
}

function countCombinations({ vars, expandsLists }: ReadTest): number {
  if (!expandsLists) return 1;
  return Object.values(vars).reduce<number>(
    (count, value) => count * (Array.isArray(value) ? value.length : 1),
    1,
  );
}

function listCombinations({ vars, expandsLists }: ReadTest): Record<string, unknown>[] {
  let combinations: Record<string, unknown>[] = [{}];
  for (const [name, value] of Object.entries(vars)) {
    const options: unknown[] = expandsLists && Array.isArray(value) ? value : [value];
    combinations = combinations.flatMap((combination) =>
      options.map((option) => ({ ...combination, [name]: option })),
    );
  }
  return combinations;
}

/** A final line break of a value is removed, as in promptfoo. */
function toValues(
  vars: Record<string, unknown>,
  { description, metadata }: ReadTest,
  sentNames: readonly string[],
): Case['values'] {
  const values: Case['values'] = {};
  for (const [name, value] of Object.entries(vars)) values[name] = formatValue(value).replace(/\n$/, '');
  for (const name of sentNames) {
    const [first = '', ...path] = name.split('.');
    const parent = Object.hasOwn(vars, first) ? vars[first] : undefined;
    if (path.length > 0 && isRecord(parent) && !Object.hasOwn(values, name)) {
      const value = getValueAtPath(toJson(parent), path.join('.'));
      if (value !== undefined) values[name] = formatValue(value);
    }
  }
  const filled = fillValues(values);
  const extraValues = [
    ...(description === undefined ? [] : [[descriptionField, description] as const]),
    ...Object.entries(metadata).map(([name, value]) => [name, formatValue(value)] as const),
  ];
  for (const [name, value] of extraValues)
    filled[Object.hasOwn(filled, name) ? `metadata.${name}` : name] = value;
  return filled;
}

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : writeExactJson(value);
}

/** Fills values into values. Values that would become larger than a case stay as they are. */
function fillValues(values: Case['values']): Case['values'] {
  let current = values;
  for (let pass = 0; pass < maxFillPasses; pass += 1) {
    const next = Object.fromEntries(
      Object.entries(current).map(([name, text]) => [name, fillText(text, current) ?? text]),
    );
    if (Object.entries(next).every(([name, text]) => current[name] === text)) break;
    current = next;
  }
  return current;
}

/** Fills the values into a text; `undefined` if the result would be larger than a case. Unknown names stay. */
export function fillText(text: string, values: Case['values']): string | undefined {
  if (!text.includes('{{')) return text;
  let charCount = 0;
  const pieces: string[] = [];
  for (const { text: source, name } of splitVariables(text)) {
    const piece = name !== undefined && Object.hasOwn(values, name) ? (values[name] ?? source) : source;
    charCount += piece.length;
    if (charCount > trialLimits.caseBytes) return undefined;
    pieces.push(piece);
  }
  return pieces.join('');
}

/** A value that some cases lack is empty in promptfoo; Bench would send its name. */
function fillMissingValues(cases: readonly ExpandedCase[], sentNames: readonly string[]): void {
  for (const name of sentNames) {
    if (!cases.some(({ values }) => Object.hasOwn(values, name))) continue;
    for (const { values } of cases) if (!Object.hasOwn(values, name)) values[name] = '';
  }
}
