/**
 * The edits of a trial, pure. What has answers is never changed: it is retired, and something new
 * takes its place.
 */
import type { Setup } from '../conversation/session/types.ts';
import type { Message } from '../gateway/wire.ts';
import { newCaseIds, sentHash, sentNames } from './cases.ts';
import { caseCount, type Case, type CaseId, type Column, type ColumnId, type Trial } from './trial.ts';

export interface EditEnvironment {
  now: () => number;
  newId: () => string;
}

/** A draft of these columns without cases and checks; the first column is the baseline. */
export function emptyTrial(
  columns: readonly Column[],
  messages: Trial['messages'],
  { now, newId, seed }: EditEnvironment & { seed: number },
): Trial {
  const at = now();
  return {
    id: newId(),
    title: 'New trial',
    createdAt: at,
    updatedAt: at,
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
    batches: [{ caseIds: [], addedAt: at }],
    state: { name: 'draft' },
  };
}

/** Run was pressed: the plan is fixed the first time, and written before any request leaves. */
export function startedTrial(trial: Trial, at: number): Trial {
  const { repeats, columns, decides, baseline, margin } = trial;
  const plan = trial.plan ?? {
    at,
    cases: caseCount(trial),
    repeats,
    columns: columns.map(({ id }) => id),
    ...(decides === undefined ? {} : { decides }),
    baseline,
    margin,
  };
  return { ...trial, plan, state: { name: 'running', since: at }, updatedAt: at };
}

/** New cases form a batch at the end of the order; before the first Run they join the first. */
export function withCases(trial: Trial, caseIds: readonly CaseId[], at: number): Trial {
  const [first, ...others] = trial.batches;
  if (caseIds.length === 0) return trial;
  const isDraft = trial.plan === undefined && first !== undefined && others.length === 0;
  const batches = isDraft
    ? [{ ...first, caseIds: [...first.caseIds, ...caseIds] }]
    : [...trial.batches, { caseIds: [...caseIds], addedAt: at }];
  return { ...trial, batches, updatedAt: at };
}

/** Taken out: retired where it has answers, else gone. */
export function withoutCase(trial: Trial, caseId: CaseId, isAnswered: boolean): Trial {
  if (isAnswered)
    return { ...trial, retired: { ...trial.retired, caseIds: [...trial.retired.caseIds, caseId] } };
  const batches = trial.batches
    .map((batch) => ({ ...batch, caseIds: batch.caseIds.filter((id) => id !== caseId) }))
    .filter(({ caseIds }) => caseIds.length > 0);
  return { ...trial, batches };
}

export interface EditedCase {
  trial: Trial;
  /** All cases that there ever were, retired ones too. */
  cases: Case[];
}

/**
 * A case after its values were edited. What no message names keeps the case and its answers; what was sent retires it
 * where it has answers, and a retired one that it is now equal to returns in its old place.
 */
export async function editCase(
  { trial, cases }: EditedCase,
  edited: Case,
  { answeredCases, at }: { answeredCases: ReadonlySet<CaseId>; at: number },
): Promise<EditedCase> {
  const names = sentNames(trial);
  const known = cases.find(({ id }) => id === edited.id);
  if (!known) return { trial, cases };
  const hash = await sentHash(edited, names);
  if (hash === (await sentHash(known, names))) {
    const changed = new Set([...(trial.valuesChanged ?? []), edited.id]);
    return {
      trial: { ...trial, updatedAt: at, ...(answeredCases.size > 0 ? { valuesChanged: [...changed] } : {}) },
      cases: cases.map((each) => (each === known ? edited : each)),
    };
  }
  const isAnswered = answeredCases.has(edited.id);
  const left = withoutCase(trial, edited.id, isAnswered);
  const others = isAnswered ? cases : cases.filter((each) => each !== known);
  const retired = new Set(trial.retired.caseIds);
  for (const back of others.filter(({ id }) => retired.has(id))) {
    if ((await sentHash(back, names)) !== hash) continue;
    const caseIds = left.retired.caseIds.filter((id) => id !== back.id);
    return {
      trial: { ...left, retired: { ...left.retired, caseIds }, updatedAt: at },
      cases: others.map((each) => (each === back ? { ...edited, id: back.id } : each)),
    };
  }
  const id = await newCaseIds(
    names,
    cases.map((each) => each.id),
  )(edited);
  return { trial: withCases(left, [id], at), cases: [...others, { ...edited, id }] };
}

/** A column with another setup: where it has answers a new one in its place, and the old one retires. */
export function withSetup(
  trial: Trial,
  columnId: ColumnId,
  setup: Setup,
  { newId, isAnswered }: Pick<EditEnvironment, 'newId'> & { isAnswered: boolean },
): Trial {
  const old = trial.columns.find(({ id }) => id === columnId);
  if (!old) return trial;
  const { stopped: _, ...rest } = old;
  const column: Column = { ...rest, setup, id: isAnswered ? newId() : old.id };
  return {
    ...trial,
    columns: trial.columns.map((each) => (each === old ? column : each)),
    baseline: trial.baseline === old.id ? column.id : trial.baseline,
    ...(isAnswered ? { retired: { ...trial.retired, columns: [...trial.retired.columns, old] } } : {}),
  };
}

/** A draft that goes on from another trial, without its answers: the same cases, columns and checks. */
export function newVersion(trial: Trial, { now, newId }: EditEnvironment): Trial {
  const { plan: _, valuesChanged: __, ...rest } = trial;
  const at = now();
  const gone = new Set(trial.retired.caseIds);
  const caseIds = trial.batches.flatMap((batch) => batch.caseIds).filter((id) => !gone.has(id));
  return {
    ...rest,
    id: newId(),
    createdAt: at,
    updatedAt: at,
    columns: trial.columns.map(({ stopped: ___, ...column }) => column),
    retired: { columns: [], caseIds: [] },
    batches: [{ caseIds, addedAt: at }],
    state: { name: 'draft' },
    follows: { trialId: trial.id, why: 'new version' },
  };
}

/** A draft with the baseline and the winner only, empty of cases: what was found has to hold on new ones. */
export function confirmTrial(trial: Trial, winner: ColumnId, environment: EditEnvironment): Trial {
  const draft = newVersion(trial, environment);
  return {
    ...draft,
    columns: draft.columns.filter(({ id }) => id === trial.baseline || id === winner),
    batches: [],
    follows: { trialId: trial.id, why: 'confirm', winner },
  };
}

/** Changes all messages of the prompt and of the columns. */
export function changeMessages(trial: Trial, change: (messages: readonly Message[]) => Message[]): Trial {
  const changeIn = <T extends { messages?: Message[] }>(part: T): T =>
    part.messages ? { ...part, messages: change(part.messages) } : part;
  const { columns, retired } = trial;
  return {
    ...changeIn(trial),
    columns: columns.map(changeIn),
    retired: { ...retired, columns: retired.columns.map(changeIn) },
  };
}
