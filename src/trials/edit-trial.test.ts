import { describe, expect, it } from 'vitest';

import { createTestSetup, createTestEnvironment } from '../testing/builders.ts';
import { createTestTrial, testCheck, testSavedAnswers } from '../testing/trials.ts';
import { getCaseOrder } from './case-order.ts';
import { createCaseIdAllocator, findSentFields } from './cases.ts';
import { hashCheckRule } from './checks/score-answer.ts';
import {
  createConfirmation,
  editCase,
  createNextVersion,
  withCases,
  withGroups,
  withoutCase,
  withSetup,
  type TrialWithCases,
} from './edit-trial.ts';
import { startTrial } from './trial-state.ts';
import { sendsRequests, type Case } from './trial.ts';

const environment = createTestEnvironment();

/** Creates a started trial of five cases with real IDs. */
async function createStartedTrial(): Promise<TrialWithCases> {
  const trial = createTestTrial(0);
  const cases: Case[] = [];
  for (const ticket of ['one', 'two', 'three', 'four', 'five']) {
    const values = { ticket, team: 'legal' };
    cases.push({ id: await createCaseIdAllocator(findSentFields(trial))({ values }), values });
  }
  const batches = [{ caseIds: cases.map(({ id }) => id), addedAt: 0 }];
  return { trial: startTrial({ ...trial, batches }, new Map(), 5), cases };
}

const createEditOptions = (cases: readonly Case[]) => ({
  answeredCases: new Set(cases.map(({ id }) => id)),
  at: 9,
});
const changeCase = (testCase: Case | undefined, values: Record<string, string>): Case => {
  if (!testCase) throw new Error('The case is missing');
  return { ...testCase, values: { ...testCase.values, ...values } };
};

describe('start of a trial', () => {
  it('freezes the plan on the first run only', async () => {
    const { trial } = await createStartedTrial();
    expect(trial.plan).toMatchObject({
      at: 5,
      cases: 5,
      columns: ['a', 'b', 'c'],
      decides: 'check',
      baseline: 'a',
      margin: 5,
      rules: 2,
      checkHash: hashCheckRule(testCheck),
    });
    const restartedTrial = startTrial(
      { ...trial, margin: 10, state: { name: 'stopped', at: 6, why: 'person' } },
      new Map(),
      7,
    );
    expect([restartedTrial.plan, restartedTrial.state]).toEqual([trial.plan, { name: 'running', since: 7 }]);
  });
  it('fixes the groups of the first run, and those of later cases when they are added', () => {
    const cases = new Map(
      ['x', 'y', '', 'x', ''].map((customer, index): [string, Case] => [
        String(index + 1),
        { id: String(index + 1), values: { customer } },
      ]),
    );
    const draft = { ...createTestTrial(4), groupField: 'customer' };
    const trial = startTrial(draft, cases, 5);
    // Cases without a value form groups of their own.
    expect(trial.batches[0]?.groups).toEqual([0, 1, 6, 0]);
    expect(trial.plan?.groupField).toBe('customer');
    cases.set('1', { id: '1', values: { customer: 'y' } });
    const extendedTrial = withGroups(withCases(trial, ['5'], 8), cases);
    expect(extendedTrial.batches.map(({ groups }) => groups)).toEqual([[0, 1, 6, 0], [1]]);
    expect(withoutCase(extendedTrial, '2', false).batches[0]).toMatchObject({
      caseIds: ['1', '3', '4'],
      groups: [0, 6, 0],
    });
  });
  it('keeps the order of a trial that was started without rules', () => {
    const plan = { at: 1, cases: 4, repeats: 1, columns: ['a', 'b'], baseline: 'a', margin: 5 };
    const trial = { ...createTestTrial(4, { plan }), groupField: 'customer' };
    expect(startTrial(trial, new Map(), 5).batches).toEqual(trial.batches);
    expect(startTrial(trial, new Map(), 5).plan).toBe(plan);
  });
  it('adds new cases to the first batch of a draft, and after the first run as a batch at the end', async () => {
    expect(withCases(createTestTrial(3), ['x'], 1).batches).toEqual([
      { caseIds: ['1', '2', '3', 'x'], addedAt: 0 },
    ]);
    const { trial } = await createStartedTrial();
    const extendedTrial = withCases(trial, ['x', 'y'], 8);
    expect(getCaseOrder(extendedTrial).slice(0, 5)).toEqual(getCaseOrder(trial));
    expect(extendedTrial.batches.at(-1)).toEqual({ caseIds: ['x', 'y'], addedAt: 8 });
    expect(withCases(trial, [], 8)).toBe(trial);
  });
});

describe('edit of a case', () => {
  it('keeps answers if only unsent values change, and records the edit after the first answer', async () => {
    const original = await createStartedTrial();
    const editedCase = changeCase(original.cases[1], { team: 'billing' });
    const result = await editCase(original, editedCase, createEditOptions(original.cases));
    expect(result.cases.map(({ id }) => id)).toEqual(original.cases.map(({ id }) => id));
    expect([result.cases[1]?.values['team'], result.trial.valuesChanged]).toEqual([
      'billing',
      [editedCase.id],
    ]);
    expect((await editCase(original, editedCase, createEditOptions([]))).trial).not.toHaveProperty(
      'valuesChanged',
    );
  });
  it('retires an answered case if a sent value changes, and adds a new one at the end', async () => {
    const original = await createStartedTrial();
    const result = await editCase(
      original,
      changeCase(original.cases[1], { ticket: 'second' }),
      createEditOptions(original.cases),
    );
    const retiredId = original.cases[1]?.id ?? '';
    expect(result.trial.retired.caseIds).toEqual([retiredId]);
    expect(result.cases).toHaveLength(6);
    expect(getCaseOrder(result.trial)).toEqual([
      ...getCaseOrder(original.trial).filter((id) => id !== retiredId),
      result.cases.at(-1)?.id,
    ]);
  });
  it('restores a retired case at its old position when its edit is reverted', async () => {
    const original = await createStartedTrial();
    const changedOnce = await editCase(
      original,
      changeCase(original.cases[1], { ticket: 'second' }),
      createEditOptions(original.cases),
    );
    const changedBack = await editCase(
      changedOnce,
      changeCase(changedOnce.cases.at(-1), { ticket: 'two' }),
      createEditOptions(original.cases),
    );
    expect(getCaseOrder(changedBack.trial)).toEqual(getCaseOrder(original.trial));
    expect(changedBack.trial.retired.caseIds).toEqual([]);
    expect(changedBack.cases.map(({ id }) => id)).toEqual(original.cases.map(({ id }) => id));
  });
  it('removes an edited case without answers completely', async () => {
    const original = await createStartedTrial();
    const result = await editCase(
      original,
      changeCase(original.cases[1], { ticket: 'second' }),
      createEditOptions([]),
    );
    expect(result.trial.retired.caseIds).toEqual([]);
    expect(result.cases).toHaveLength(5);
    expect(withoutCase(createTestTrial(1), '1', false).batches).toEqual([]);
    expect(await editCase(original, { id: 'unknown', values: {} }, createEditOptions([]))).toEqual(original);
  });
});

describe('edit of a column', () => {
  const setup = createTestSetup({ model: 'new/model' });
  const newId = () => 'new';
  it('replaces a column with answers by a new one, including the baseline', () => {
    const editedTrial = withSetup(createTestTrial(2), 'a', setup, { newId, isAnswered: true });
    expect([editedTrial.columns.map(({ id }) => id), editedTrial.baseline]).toEqual([
      ['new', 'b', 'c'],
      'new',
    ]);
    expect(editedTrial.retired.columns.map(({ id }) => id)).toEqual(['a']);
    expect(editedTrial.columns[0]?.setup).toBe(setup);
  });
  it('changes a column without answers in place, so that a stopped column can run again', () => {
    const report = { source: 'gateway', kind: 'invalid-request', message: 'No' } as const;
    const trial = createTestTrial(2);
    const columns = trial.columns.map((column) =>
      column.id === 'b' ? { ...column, stopped: { at: 1, report } } : column,
    );
    const editedTrial = withSetup({ ...trial, columns }, 'b', setup, { newId, isAnswered: false });
    expect(editedTrial.columns[1]).toEqual({ id: 'b', setup });
    expect(editedTrial.retired.columns).toEqual([]);
    expect(withSetup(trial, 'x', setup, { newId, isAnswered: true })).toBe(trial);
  });
});

describe('a column with copied answers', () => {
  const copied = createTestTrial(2).columns.map((column) => ({ ...column, savedAnswers: testSavedAnswers }));
  it('sends requests like any other once its setup has changed, and in the next version', () => {
    const trial = createTestTrial(2, { columns: copied });
    const setup = createTestSetup({ model: 'new/model' });
    const editedTrial = withSetup(trial, 'a', setup, { newId: () => 'new', isAnswered: true });
    expect(editedTrial.columns.map(sendsRequests)).toEqual([true, false, false]);
    expect(createNextVersion(trial, environment).columns.map(sendsRequests)).toEqual([true, true, true]);
  });
});

describe('next version of a trial', () => {
  it('copies cases, columns and checks of a trial without its answers', async () => {
    const { trial } = await createStartedTrial();
    const [retiredId = ''] = getCaseOrder(trial);
    const nextTrial = createNextVersion(
      { ...withoutCase(trial, retiredId, true), valuesChanged: [retiredId] },
      environment,
    );
    expect(nextTrial).toMatchObject({
      state: { name: 'draft' },
      follows: { trialId: 'trial', why: 'new version' },
    });
    expect(nextTrial.batches[0]?.caseIds).toHaveLength(4);
    expect([nextTrial.plan, nextTrial.valuesChanged, nextTrial.retired.caseIds]).toEqual([
      undefined,
      undefined,
      [],
    ]);
    expect(nextTrial.columns).toEqual(trial.columns);
  });
  it('creates a confirmation trial with the winner and the baseline but without cases', () => {
    const nextTrial = createConfirmation(createTestTrial(9), 'c', environment);
    expect(nextTrial.columns.map(({ id }) => id)).toEqual(['a', 'c']);
    expect([nextTrial.batches, nextTrial.follows]).toEqual([
      [],
      { trialId: 'trial', why: 'confirm', winner: 'c' },
    ]);
  });
});
