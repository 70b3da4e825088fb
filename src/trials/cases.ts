/** Cases: what they are sent with, their ids, and what is wrong with them before anything is sent. */
import { withoutImportMarks } from '../conversation/files/imported-fields.ts';
import { getContentText } from '../conversation/request/request.ts';
import { findVariables } from '../conversation/session/variables.ts';
import { pluralize } from '../lib/format.ts';
import { computeSha256 } from '../lib/sha256.ts';
import { isLeftOut } from './checks/score-answer.ts';
import { limits, type Case, type CaseId, type Trial } from './trial.ts';

/** The values that any message or system prompt names: what a case is sent with, beside its history. */
export function sentNames({ messages, columns }: Pick<Trial, 'messages' | 'columns'>): string[] {
  const all = [...messages, ...columns.flatMap((column) => column.messages ?? [])];
  return findVariables([
    ...all.map(({ content }) => getContentText(content)),
    ...columns.map(({ setup }) => setup.system),
  ]);
}

const utf8 = new TextEncoder();
const idDigits = 16;

/**
 * Gives new cases their ids by what they are sent with: the same whenever a case is added again, and `-2` and so on
 * after it where the id is taken. `taken` are the ids that the trial has, retired ones too.
 */
export function newCaseIds(
  names: readonly string[],
  taken: Iterable<CaseId> = [],
): (each: Omit<Case, 'id'>) => Promise<CaseId> {
  const known = new Set(taken);
  // Thousands may be sent alike: where the prompt is still to be written, all are.
  const counts = new Map<string, number>();
  return async (each) => {
    const hash = await sentHash(each, names);
    let count = counts.get(hash) ?? 0;
    let id: CaseId;
    do {
      count += 1;
      id = count === 1 ? hash : `${hash}-${count}`;
    } while (known.has(id));
    known.add(id);
    counts.set(hash, count);
    return id;
  };
}

/** What two cases share that are sent alike, whatever else they hold. */
export async function sentHash(
  { values, history = [] }: Omit<Case, 'id'>,
  names: readonly string[],
): Promise<string> {
  const sent = names
    .toSorted()
    .flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]]] : []));
  return (await computeSha256(utf8.encode(JSON.stringify([withoutImportMarks(history), sent])))).slice(
    0,
    idDigits,
  );
}

/** What is said before Run: each is a sentence. Only the first kind refuses. */
export interface CaseProblems {
  /** Longer than a case may be. */
  refused: string[];
  said: string[];
}

/** What is wrong with the cases of a trial, and what will not be counted. */
export function caseProblems(trial: Trial, cases: readonly Case[]): CaseProblems {
  const cells = cases.length * trial.columns.length * trial.repeats;
  const refused = [
    ...overLimit(cases.length, limits.cases, 'case'),
    ...overLimit(trial.columns.length, limits.columns, 'column'),
    ...overLimit(trial.repeats, limits.repeats, 'repeat'),
    ...overLimit(trial.checks.length, limits.checks, 'check'),
    ...overLimit(trial.fields.length, limits.values, 'value'),
    ...overLimit(cells, limits.cells, 'answer'),
    ...cases.filter(isTooLarge).map(({ line, id }) => `Case ${line ?? id} is larger than 100 KB.`),
  ];
  const unknown = sentNames(trial).filter((name) => !cases.some(({ values }) => Object.hasOwn(values, name)));
  const decides = trial.checks.find(({ id }) => id === trial.decides);
  const leftOut = decides ? cases.filter(({ values }) => isLeftOut(decides, values)).length : 0;
  const field = decides?.expected && 'value' in decides.expected ? decides.expected.value : '';
  return {
    refused,
    said: [
      ...unknown.map((name) => `{{${name}}} is in the prompt, but no case has it.`),
      ...(leftOut === 0
        ? []
        : [
            `${pluralize(leftOut, 'case')} ${leftOut === 1 ? 'has' : 'have'} no value for ${field} and ${leftOut === 1 ? 'is' : 'are'} not counted for this check.`,
          ]),
    ],
  };
}

function overLimit(count: number, most: number, what: string): string[] {
  return count > most ? [`${pluralize(count, what)}: the limit is ${pluralize(most, what)}.`] : [];
}

/** Larger than a case may be. */
export function isTooLarge({ values, history = [] }: Omit<Case, 'id'>): boolean {
  const letters = Object.values(values).reduce((sum, value) => sum + value.length, 0);
  // Bytes are counted only where they could be too many.
  if (3 * letters + JSON.stringify(history).length < limits.caseBytes) return false;
  return utf8.encode(JSON.stringify([values, history])).length > limits.caseBytes;
}
