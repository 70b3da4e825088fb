/**
 * Edits of a trial as pure functions. Cases and columns with answers are never changed; they are retired and replaced
 * by new ones.
 */
import { isEqual } from 'es-toolkit';

import type { Setup } from '../conversation/session/types.ts';
import type { Message } from '../gateway/wire.ts';
import { getDisplayTitle } from '../lib/text/trim.ts';
import { createCaseIdAllocator, hashSentValues, findSentFields } from './cases.ts';
import {
  getCaseValue,
  getTrialRules,
  type Case,
  type CaseId,
  type Column,
  type ColumnId,
  type Trial,
} from './trial.ts';

export interface EditEnvironment {
  now: () => number;
  newId: () => string;
}

/** Title of a trial until it is named by the user or after its cases. */
export const defaultTrialTitle = 'New trial';

/** Creates a draft with these columns, without cases and checks. The first column is the baseline. */
export function createTrial(
  columns: readonly Column[],
  messages: Trial['messages'],
  { now, newId, seed }: EditEnvironment & { seed: number },
): Trial {
  const timestamp = now();
  return {
    id: newId(),
    title: defaultTrialTitle,
    createdAt: timestamp,
    updatedAt: timestamp,
    messages,
    columns: [...columns],
    retired: { columns: [], caseIds: [] },
    fields: [],
    repeats: 1,
    checks: [],
    baseline: columns[0]?.id ?? '',
    margin: 5,
    seed,
    giveUpAfterMs: 600_000,
    stopWhenDecided: false,
    batches: [{ caseIds: [], addedAt: timestamp }],
    state: { name: 'draft' },
  };
}

/**
 * Returns the trial with the groups of the cases of each batch, by the values of the group field. Groups are fixed when
 * the trial starts; only batches added later get theirs then. Trials under version 1 of the rules have none.
 */
export function withGroups(trial: Trial, cases: ReadonlyMap<CaseId, Case>): Trial {
  const { groupField, plan } = trial;
  const hasGroups = groupField !== undefined || trial.batches.some(({ groups }) => groups);
  if (!hasGroups || getTrialRules(trial) === 1) return trial;
  return {
    ...trial,
    batches: trial.batches.map(({ groups, ...batch }, index) => {
      if (plan && (groups || index === 0)) return { ...batch, ...(groups ? { groups } : {}) };
      return groupField === undefined
        ? batch
        : { ...batch, groups: numberGroups(batch.caseIds, cases, groupField) };
    }),
  };
}

/** Numbers the distinct values of the field; a case without a value forms a group of its own. */
function numberGroups(
  caseIds: readonly CaseId[],
  cases: ReadonlyMap<CaseId, Case>,
  groupField: string,
): number[] {
  const numbers = new Map<string, number>();
  return caseIds.map((id, index) => {
    const value = getCaseValue(cases.get(id), groupField);
    // Numbers of cases without a value follow those of all possible groups.
    if (value === '') return caseIds.length + index;
    const number = numbers.get(value) ?? numbers.size;
    numbers.set(value, number);
    return number;
  });
}

/** Returns how many comparisons will have been made on these cases once one more column is counted. */
export function countComparisons({ columns, retired }: Pick<Trial, 'columns' | 'retired'>): number {
  return columns.length + retired.columns.length;
}

/** Adds new cases as a batch at the end of the order; before the first run they join the first batch. */
export function withCases(trial: Trial, caseIds: readonly CaseId[], timestamp: number): Trial {
  const [first, ...laterBatches] = trial.batches;
  if (caseIds.length === 0) return trial;
  const isDraft = trial.plan === undefined && first !== undefined && laterBatches.length === 0;
  const batches = isDraft
    ? [{ ...first, caseIds: [...first.caseIds, ...caseIds] }]
    : [...trial.batches, { caseIds: [...caseIds], addedAt: timestamp }];
  return { ...trial, batches, updatedAt: timestamp };
}

/** Adds new cases like `withCases`, with their groups and with fields that the trial does not have yet. */
export function withNewCases(
  trial: Trial,
  newCases: readonly Case[],
  { cases, fields, at }: { cases: ReadonlyMap<CaseId, Case>; fields: readonly string[]; at: number },
): Trial {
  const newIds = newCases.map(({ id }) => id);
  const allFields = [
    ...new Set([...trial.fields, ...fields, ...newCases.flatMap(({ values }) => Object.keys(values))]),
  ];
  const withIds = withGroups(withCases(trial, newIds, at), cases);
  return allFields.length === trial.fields.length ? withIds : { ...withIds, fields: allFields };
}

/** Removes a case, or retires it if it has answers. */
export function withoutCase(trial: Trial, caseId: CaseId, isAnswered: boolean): Trial {
  if (isAnswered)
    return { ...trial, retired: { ...trial.retired, caseIds: [...trial.retired.caseIds, caseId] } };
  const batches = trial.batches
    .map((batch) => ({
      ...batch,
      caseIds: batch.caseIds.filter((id) => id !== caseId),
      ...(batch.groups ? { groups: batch.groups.filter((_, index) => batch.caseIds[index] !== caseId) } : {}),
    }))
    .filter(({ caseIds }) => caseIds.length > 0);
  return { ...trial, batches };
}

export interface TrialWithCases {
  trial: Trial;
  /** All cases ever added, including retired ones. */
  cases: Case[];
}

/** Returns the cases that are not retired, in the order in which they were added. */
export function listActiveCases({ trial: { batches, retired }, cases }: TrialWithCases): Case[] {
  const retiredIds = new Set(retired.caseIds);
  const casesById = new Map(cases.map((testCase) => [testCase.id, testCase]));
  return batches
    .flatMap(({ caseIds }) => caseIds)
    .flatMap((id) => (retiredIds.has(id) ? [] : (casesById.get(id) ?? [])));
}

/**
 * Applies edited values to a case. If only unsent values changed, the case keeps its answers. Otherwise it is replaced,
 * and retired if it has answers; a retired case equal to the edited one returns to its old position.
 */
export async function editCase(
  { trial, cases }: TrialWithCases,
  editedCase: Case,
  { answeredCases, at: timestamp }: { answeredCases: ReadonlySet<CaseId>; at: number },
): Promise<TrialWithCases> {
  const sentFields = findSentFields(trial);
  const currentCase = cases.find(({ id }) => id === editedCase.id);
  if (!currentCase) return { trial, cases };
  const hash = await hashSentValues(editedCase, sentFields);
  if (hash === (await hashSentValues(currentCase, sentFields))) {
    const changedIds = new Set([...(trial.valuesChanged ?? []), editedCase.id]);
    return {
      trial: {
        ...trial,
        updatedAt: timestamp,
        ...(answeredCases.size > 0 ? { valuesChanged: [...changedIds] } : {}),
      },
      cases: cases.map((testCase) => (testCase === currentCase ? editedCase : testCase)),
    };
  }
  const isAnswered = answeredCases.has(editedCase.id);
  const remainingTrial = withoutCase(trial, editedCase.id, isAnswered);
  const otherCases = isAnswered ? cases : cases.filter((testCase) => testCase !== currentCase);
  const retiredIds = new Set(trial.retired.caseIds);
  for (const retiredCase of otherCases.filter(({ id }) => retiredIds.has(id))) {
    if ((await hashSentValues(retiredCase, sentFields)) !== hash) continue;
    const caseIds = remainingTrial.retired.caseIds.filter((id) => id !== retiredCase.id);
    return {
      trial: { ...remainingTrial, retired: { ...remainingTrial.retired, caseIds }, updatedAt: timestamp },
      cases: otherCases.map((testCase) =>
        testCase === retiredCase ? { ...editedCase, id: retiredCase.id } : testCase,
      ),
    };
  }
  const id = await createCaseIdAllocator(
    sentFields,
    cases.map((testCase) => testCase.id),
  )(editedCase);
  return { trial: withCases(remainingTrial, [id], timestamp), cases: [...otherCases, { ...editedCase, id }] };
}

/** Changes the prompt. Columns with copied answers keep the one of their answers. */
export function withMessages(trial: Trial, messages: Trial['messages']): Trial {
  const columns = trial.columns.map((column) => {
    if (!column.savedAnswers) return column;
    const { messages: ownMessages = trial.messages, ...rest } = column;
    return isEqual(ownMessages, messages) ? rest : { ...rest, messages: ownMessages };
  });
  return { ...trial, messages, columns };
}

/** Changes the setup of a column. A column with answers is retired, and a new one takes its place. */
export function withSetup(
  trial: Trial,
  columnId: ColumnId,
  setup: Setup,
  { newId, isAnswered }: Pick<EditEnvironment, 'newId'> & { isAnswered: boolean },
): Trial {
  const oldColumn = trial.columns.find(({ id }) => id === columnId);
  if (!oldColumn) return trial;
  const { stopped: _, savedAnswers: __, ...rest } = oldColumn;
  const isNewTry = isAnswered && trial.plan?.rules === 2;
  const column: Column = {
    ...rest,
    setup,
    id: isAnswered ? newId() : oldColumn.id,
    ...(isNewTry ? { comparisons: countComparisons(trial) } : {}),
  };
  return {
    ...trial,
    columns: trial.columns.map((existing) => (existing === oldColumn ? column : existing)),
    baseline: trial.baseline === oldColumn.id ? column.id : trial.baseline,
    ...(isAnswered ? { retired: { ...trial.retired, columns: [...trial.retired.columns, oldColumn] } } : {}),
  };
}

/** Creates a draft from another trial: the same cases, columns and checks, without answers. */
export function createNextVersion(trial: Trial, { now, newId }: EditEnvironment): Trial {
  const { plan: _, valuesChanged: __, discardedUsage: ___, ...rest } = trial;
  const timestamp = now();
  const retiredIds = new Set(trial.retired.caseIds);
  const caseIds = trial.batches.flatMap((batch) => batch.caseIds).filter((id) => !retiredIds.has(id));
  return {
    ...rest,
    id: newId(),
    createdAt: timestamp,
    updatedAt: timestamp,
    columns: trial.columns.map(
      ({ stopped: ____, comparisons: _____, savedAnswers: ______, ...column }) => column,
    ),
    retired: { columns: [], caseIds: [] },
    batches: [{ caseIds, addedAt: timestamp }],
    state: { name: 'draft' },
    follows: { trialId: trial.id, why: 'new version' },
  };
}

/**
 * Creates a draft with only the baseline and the winner and without cases, because the finding must be confirmed on new
 * cases.
 */
export function createConfirmation(trial: Trial, winner: ColumnId, environment: EditEnvironment): Trial {
  const draft = createNextVersion(trial, environment);
  return {
    ...draft,
    columns: draft.columns.filter(({ id }) => id === trial.baseline || id === winner),
    batches: [],
    follows: { trialId: trial.id, why: 'confirm', winner },
  };
}

/** Creates a draft that compares the baseline with a copy of itself on the same cases. */
export function createSameSetupTrial(trial: Trial, environment: EditEnvironment): Trial {
  const { follows: _, ...draft } = createNextVersion(trial, environment);
  const baseline = draft.columns.filter(({ id }) => id === trial.baseline);
  return {
    ...draft,
    title: `${getDisplayTitle(trial.title)}: same setup twice`,
    titled: true,
    columns: [...baseline, ...baseline.map((column) => ({ ...column, id: environment.newId() }))],
  };
}

/** Applies a change to all messages of the prompt and of the columns, including retired columns. */
export function changeMessages(trial: Trial, change: (messages: readonly Message[]) => Message[]): Trial {
  const changePart = <T extends { messages?: Message[] }>(part: T): T =>
    part.messages ? { ...part, messages: change(part.messages) } : part;
  const { columns, retired } = trial;
  return {
    ...changePart(trial),
    columns: columns.map(changePart),
    retired: { ...retired, columns: retired.columns.map(changePart) },
  };
}
