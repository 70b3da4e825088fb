/** Cases of a trial: the values sent for them, their IDs, and problems to report before Run. */
import { withoutImportMarks } from '../conversation/files/imported-fields.ts';
import { getContentText } from '../conversation/request/request.ts';
import { findVariables } from '../conversation/session/variables.ts';
import { computeSha256 } from '../lib/sha256.ts';
import { isExcluded } from './checks/score-answer.ts';
import { trialLimits, type Case, type CaseId, type Trial } from './trial.ts';

/**
 * Returns the names of the values used in any message or system prompt. Only these values and the history of a case are
 * sent.
 */
export function findSentFields({ messages, columns }: Pick<Trial, 'messages' | 'columns'>): string[] {
  const allMessages = [...messages, ...columns.flatMap((column) => column.messages ?? [])];
  return findVariables([
    ...allMessages.map(({ content }) => getContentText(content)),
    ...columns.map(({ setup }) => setup.system),
  ]);
}

const utf8 = new TextEncoder();
const idLength = 16;

/**
 * Returns a function that assigns IDs to new cases by hashing what is sent: the same case always gets the same ID, with
 * `-2` and so on appended if it is taken. `existingIds` are the IDs already in the trial, including retired ones.
 */
export function createCaseIdAllocator(
  names: readonly string[],
  existingIds: Iterable<CaseId> = [],
): (testCase: Omit<Case, 'id'>) => Promise<CaseId> {
  const usedIds = new Set(existingIds);
  // Thousands of cases may send the same values; before the prompt is written, all of them do.
  const counts = new Map<string, number>();
  return async (testCase) => {
    const hash = await hashSentValues(testCase, names);
    let count = counts.get(hash) ?? 0;
    let id: CaseId;
    do {
      count += 1;
      id = count === 1 ? hash : `${hash}-${count}`;
    } while (usedIds.has(id));
    usedIds.add(id);
    counts.set(hash, count);
    return id;
  };
}

/** Returns a hash of what is sent for a case, 16 hexadecimal digits. Values that are not sent do not affect it. */
export async function hashSentValues(testCase: Omit<Case, 'id'>, names: readonly string[]): Promise<string> {
  return (await computeSha256(utf8.encode(serializeSentValues(testCase, names)))).slice(0, idLength);
}

/** Returns a text that is equal for two cases exactly if the same is sent for both. */
export function serializeSentValues(
  { values, history = [] }: Omit<Case, 'id'>,
  names: readonly string[],
): string {
  const sentEntries = names
    .toSorted()
    .flatMap((name) => (Object.hasOwn(values, name) ? [[name, values[name]]] : []));
  return JSON.stringify([withoutImportMarks(history), sentEntries]);
}

/** An exceeded limit of the trial, or a case that is larger than 100 KB, by its line or its ID. */
export type CaseError =
  | {
      kind: 'limit';
      counted: 'case' | 'column' | 'repeat' | 'check' | 'value' | 'answer';
      count: number;
      max: number;
    }
  | { kind: 'large case'; name: number | string };

/** A field of the prompt that no case has, or cases that the deciding check does not count. */
export type CaseWarning =
  | { kind: 'unknown field'; field: string }
  | { kind: 'not counted'; cases: number; field: string };

/** Problems to report before Run. Errors block the run, warnings do not. */
export interface CaseProblems {
  errors: CaseError[];
  warnings: CaseWarning[];
}

/** Returns the problems with the cases of a trial, including cases that the deciding check will not count. */
export function findCaseProblems(trial: Trial, cases: readonly Case[]): CaseProblems {
  const cells = cases.length * trial.columns.length * trial.repeats;
  const errors = [
    ...listLimitErrors(cases.length, trialLimits.cases, 'case'),
    ...listLimitErrors(trial.columns.length, trialLimits.columns, 'column'),
    ...listLimitErrors(trial.repeats, trialLimits.repeats, 'repeat'),
    ...listLimitErrors(trial.checks.length, trialLimits.checks, 'check'),
    ...listLimitErrors(trial.fields.length, trialLimits.values, 'value'),
    ...listLimitErrors(cells, trialLimits.cells, 'answer'),
    ...cases.filter(isTooLarge).map(({ line, id }): CaseError => ({ kind: 'large case', name: line ?? id })),
  ];
  const unknownFields = findSentFields(trial).filter(
    (name) => !cases.some(({ values }) => Object.hasOwn(values, name)),
  );
  const decidingCheck = trial.checks.find(({ id }) => id === trial.decides);
  const excludedCount = decidingCheck
    ? cases.filter(({ values }) => isExcluded(decidingCheck, values)).length
    : 0;
  const field =
    decidingCheck?.expected && 'value' in decidingCheck.expected ? decidingCheck.expected.value : '';
  return {
    errors,
    warnings: [
      ...unknownFields.map((name): CaseWarning => ({ kind: 'unknown field', field: name })),
      ...(excludedCount === 0 ? [] : [{ kind: 'not counted' as const, cases: excludedCount, field }]),
    ],
  };
}

function listLimitErrors(
  count: number,
  max: number,
  counted: Extract<CaseError, { kind: 'limit' }>['counted'],
): CaseError[] {
  return count > max ? [{ kind: 'limit', counted, count, max }] : [];
}

/** Returns true if the case exceeds `trialLimits.caseBytes`. */
export function isTooLarge({ values, history = [] }: Omit<Case, 'id'>): boolean {
  const charCount = Object.values(values).reduce((sum, value) => sum + value.length, 0);
  // Bytes are counted only if the number of characters could exceed the limit.
  if (3 * charCount + JSON.stringify(history).length < trialLimits.caseBytes) return false;
  return utf8.encode(JSON.stringify([values, history])).length > trialLimits.caseBytes;
}
