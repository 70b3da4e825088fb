/** Merges the assertions of all cases into checks: equal types become one check, with its expected texts as a field. */
import { getOwnProperty, getStringProperty, isRecord } from '../../../lib/json.ts';
import { trialLimits, type Case, type Check, type CheckKind } from '../../trial.ts';
import {
  findUnreadReason,
  getAssertionType,
  readAssertion,
  type AssertionResult,
  type CaseCheck,
} from './assertion-types.ts';
import type { NoteCollector } from './config-notes.ts';
import { fillText, type ExpandedCase } from './expand-tests.ts';
import { fillTemplate, readTemplate } from './templates.ts';

export interface BuiltChecks {
  checks: Omit<Check, 'id'>[];
  /** Index of the deciding check. */
  decides?: number;
}

/** Checks that become one: they differ only in the expected text of each case. */
interface CheckGroup extends Pick<Check, 'kind' | 'settings' | 'field'> {
  name: string;
  /** Expected text by case number; empty for kinds that expect none. */
  expectedTexts: Map<number, string>;
  hasExpected: boolean;
  /** Value that the configuration names as the expected text. */
  variable?: string;
}

const pathPattern =
  /^(?:JSON\.parse\(\s*output\s*\)|output)((?:\??\.[A-Za-z_$][\w$]*|\[\d+\]|\["[^"\\\].[]+"\])*);?$/;
/** Kinds of checks that can check a field of the answer; others ignore it. */
export const fieldKinds: ReadonlySet<CheckKind> = new Set([
  'equals',
  'one of',
  'contains',
  'contains none',
  'matches',
  'matches none',
  'fits schema',
  'number within',
  'length',
]);
const templateReason = '{{name}} is the only template';
/** Text of a field that only says that a check applies to the case. */
const appliesText = 'yes';
const largeReason = 'its value is larger than 100 KB';

/** Builds the checks of the cases, and adds their expected texts to the values of the cases. */
export function buildChecks(cases: readonly ExpandedCase[], notes: NoteCollector): BuiltChecks {
  const allGroups = groupAssertions(cases, notes);
  const groups = pickLargestGroups(allGroups);
  const checks: Omit<Check, 'id'>[] = [];
  const caseCounts: number[] = [];
  for (const group of groups) {
    const expected = buildExpected(group, cases, groups.length);
    if (expected === 'too many values') continue;
    const { name, kind, settings, field } = group;
    caseCounts.push(group.expectedTexts.size);
    checks.push({
      name,
      kind,
      settings,
      ...(field === undefined ? {} : { field }),
      ...(expected ? { expected } : {}),
    });
  }
  for (const _ of allGroups.slice(checks.length))
    notes.add({
      subject: 'check',
      reason: `a trial has at most ${trialLimits.checks} checks and ${trialLimits.values} values per case`,
    });
  const decides = pickDecidingCheck(caseCounts);
  return { checks, ...(decides === undefined ? {} : { decides }) };
}

/** Returns the groups with most cases, at most as many as a trial has checks, in their order and with unique names. */
function pickLargestGroups(groups: readonly CheckGroup[]): CheckGroup[] {
  const largest = groups.toSorted((a, b) => b.expectedTexts.size - a.expectedTexts.size);
  const kept = new Set(largest.slice(0, trialLimits.checks));
  return withUniqueNames(groups.filter((group) => kept.has(group)));
}

/** Returns the index of the check that counts in most cases, the first of several. */
export function pickDecidingCheck(caseCounts: readonly number[]): number | undefined {
  return caseCounts.length === 0 ? undefined : caseCounts.indexOf(Math.max(...caseCounts));
}

function groupAssertions(cases: readonly ExpandedCase[], notes: NoteCollector): CheckGroup[] {
  const groups = new Map<string, CheckGroup>();
  const unread = new Map<unknown, Map<string, number[]>>();
  for (const [number, { values, test }] of cases.entries()) {
    const slots = new Map<string, number>();
    for (const assertion of test.assertions) {
      const result = readCaseAssertion(assertion, test.transform, values);
      if ('reason' in result) {
        const reasons = unread.get(assertion) ?? new Map<string, number[]>();
        const numbers = reasons.get(result.reason) ?? [];
        numbers.push(number);
        reasons.set(result.reason, numbers);
        unread.set(assertion, reasons);
        continue;
      }
      addToGroup(groups, slots, assertion, result.check, number);
    }
  }
  for (const [assertion, reasons] of unread)
    for (const [reason, numbers] of reasons)
      notes.add({ subject: `${getAssertionType(assertion)} assertion`, reason, cases: numbers });
  noteWeights(cases, notes);
  return [...groups.values()];
}

function noteWeights(cases: readonly ExpandedCase[], notes: NoteCollector): void {
  const assertions = new Set(cases.flatMap(({ test }) => test.assertions));
  for (const assertion of assertions) {
    const weight = getOwnProperty(assertion, 'weight');
    if (weight !== undefined && weight !== 1)
      notes.add({ subject: 'assertion weight', reason: 'one check decides in Bench' });
  }
}

function addToGroup(
  groups: Map<string, CheckGroup>,
  slots: Map<string, number>,
  assertion: unknown,
  { kind, settings, field, expected }: CaseCheck,
  number: number,
): void {
  const metric = getStringProperty(assertion, 'metric');
  const name = metric ?? getAssertionType(assertion);
  const key = JSON.stringify([name, kind, settings, field ?? null]);
  const slot = (slots.get(key) ?? 0) + 1;
  slots.set(key, slot);
  const groupKey = `${key} ${slot}`;
  const group = groups.get(groupKey) ?? {
    name,
    kind,
    settings,
    ...(field === undefined ? {} : { field }),
    expectedTexts: new Map<number, string>(),
    hasExpected: expected !== undefined,
  };
  groups.set(groupKey, group);
  group.expectedTexts.set(number, expected ?? appliesText);
  const variable = /^\{\{\s*([^{}\s|]+)\s*\}\}$/.exec(getStringProperty(assertion, 'value') ?? '')?.[1];
  if (variable !== undefined) group.variable = variable;
}

/** Reads an assertion with the values of a case in its templates. */
function readCaseAssertion(
  assertion: unknown,
  testTransform: unknown,
  values: Case['values'],
): AssertionResult {
  const path = readPaths([testTransform, getOwnProperty(assertion, 'transform')]);
  if (!isRecord(assertion)) return { reason: 'it has no type' };
  const unreadReason = findUnreadReason(assertion);
  if (unreadReason !== undefined) return { reason: unreadReason };
  if (path === undefined) return { reason: 'its transform is code, and Bench runs no code' };
  if (/^(?:file|package):\/\//.test(getStringProperty(assertion, 'value') ?? ''))
    return { reason: 'Bench runs no code' };
  const filled = fillTemplates(assertion['value'], values);
  if ('reason' in filled) return filled;
  const result = readAssertion(assertion, filled.value);
  if ('reason' in result) return result;
  if (path.length === 0) return result;
  const { kind } = result.check;
  const isParsed = path.every((part) => part === '');
  if (isParsed && (kind === 'is JSON' || kind === 'fits schema')) return result;
  if (isParsed || !fieldKinds.has(kind)) return { reason: 'Bench checks a field or the whole text only' };
  return { check: { ...result.check, field: path.filter((part) => part !== '').join('.') } };
}

/** Returns the paths that transforms read one after another; empty for JSON as a whole, `undefined` for other code. */
function readPaths(transforms: readonly unknown[]): string[] | undefined {
  const paths = transforms.filter((code) => code !== undefined && code !== null).map(readPath);
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

/** Returns the path that a transform such as `JSON.parse(output).team` reads; `undefined` for any other code. */
function readPath(transform: unknown): string | undefined {
  const path = typeof transform === 'string' ? pathPattern.exec(transform.trim())?.[1] : undefined;
  return path
    ?.replaceAll('?.', '.')
    .replaceAll(/\["([^"]+)"\]/g, '.$1')
    .replace(/^\./, '');
}

function fillTemplates(value: unknown, values: Case['values']): { value: unknown } | { reason: string } {
  if (typeof value === 'string') {
    if (readTemplate(value).foreign.length > 0) return { reason: templateReason };
    const filled = fillTemplate(value, (text) => fillText(text, values));
    return filled === undefined ? { reason: largeReason } : { value: filled };
  }
  if (typeof value !== 'object' || value === null) return { value };
  const source = JSON.stringify(value);
  if (!source.includes('{{') && !source.includes('{%')) return { value };
  if (!Array.isArray(value)) return { reason: 'templates in lists and maps are not read' };
  const items = value.map((item: unknown) => fillTemplates(item, values));
  const failure = items.find((item) => 'reason' in item);
  return failure ?? { value: items.map((item) => ('value' in item ? item.value : undefined)) };
}

function withUniqueNames(groups: CheckGroup[]): CheckGroup[] {
  const names = new Set<string>();
  return groups.map((group) => {
    const name = findFreeName(group.name, names);
    names.add(name);
    return { ...group, name };
  });
}

function findFreeName(base: string, names: { has: (name: string) => boolean }): string {
  let [name, count] = [base, 2];
  while (names.has(name)) {
    name = `${base} ${count}`;
    count += 1;
  }
  return name;
}

/** Returns what a check expects: one text, or a value that only the cases of the check have. */
function buildExpected(
  { name, expectedTexts, hasExpected, variable }: CheckGroup,
  cases: readonly ExpandedCase[],
  checkCount: number,
): Check['expected'] | 'too many values' {
  const isForAll = expectedTexts.size === cases.length;
  const [firstText = ''] = expectedTexts.values();
  const isSame = [...expectedTexts.values()].every((text) => text === firstText);
  if (isForAll && !hasExpected) return undefined;
  const isValue = (field: string) =>
    cases.every(({ values }, number) => {
      const value = Object.hasOwn(values, field) ? (values[field] ?? '') : '';
      const text = expectedTexts.get(number);
      return text === undefined ? value.trim() === '' : value === text && value.trim() !== '';
    });
  if (hasExpected && variable !== undefined && isValue(variable)) return { value: variable };
  if (isForAll && isSame) return { text: firstText };
  const existingNames = new Set(cases.flatMap(({ values }) => Object.keys(values)));
  const existingField = [...existingNames].find(isValue);
  if (existingField !== undefined) return { value: existingField };
  if (existingNames.size >= trialLimits.values) return 'too many values';
  const field = findFreeName(checkCount === 1 ? 'expected' : `expected ${name}`, existingNames);
  for (const [number, { values }] of cases.entries()) values[field] = expectedTexts.get(number) ?? '';
  return { value: field };
}
