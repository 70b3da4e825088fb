import { describe, expect, it } from 'vitest';

import { aSetup, anEnvironment } from '../testing/builders.ts';
import { aTrial } from '../testing/trials.ts';
import { drawnOrder } from './case-order.ts';
import { newCaseIds, sentNames } from './cases.ts';
import {
  confirmTrial,
  editCase,
  newVersion,
  startedTrial,
  withCases,
  withoutCase,
  withSetup,
  type EditedCase,
} from './edit-trial.ts';
import type { Case } from './trial.ts';

const environment = anEnvironment();

/** A trial that was started, of five cases under their real ids. */
async function started(): Promise<EditedCase> {
  const trial = aTrial(0);
  const cases: Case[] = [];
  for (const ticket of ['one', 'two', 'three', 'four', 'five']) {
    const values = { ticket, team: 'legal' };
    cases.push({ id: await newCaseIds(sentNames(trial))({ values }), values });
  }
  const batches = [{ caseIds: cases.map(({ id }) => id), addedAt: 0 }];
  return { trial: startedTrial({ ...trial, batches }, 5), cases };
}

const all = (cases: readonly Case[]) => ({ answeredCases: new Set(cases.map(({ id }) => id)), at: 9 });
const changed = (own: Case | undefined, values: Record<string, string>): Case => {
  if (!own) throw new Error('There is no such case');
  return { ...own, values: { ...own.values, ...values } };
};

describe('starting a trial', () => {
  it('fixes the plan the first time, and never again', async () => {
    const { trial } = await started();
    expect(trial.plan).toMatchObject({
      at: 5,
      cases: 5,
      columns: ['a', 'b', 'c'],
      decides: 'check',
      baseline: 'a',
      margin: 5,
    });
    const again = startedTrial({ ...trial, margin: 10, state: { name: 'stopped', at: 6, why: 'person' } }, 7);
    expect([again.plan, again.state]).toEqual([trial.plan, { name: 'running', since: 7 }]);
  });
  it('new cases join the draft, and later form a batch at the end of the order', async () => {
    expect(withCases(aTrial(3), ['x'], 1).batches).toEqual([{ caseIds: ['1', '2', '3', 'x'], addedAt: 0 }]);
    const { trial } = await started();
    const grown = withCases(trial, ['x', 'y'], 8);
    expect(drawnOrder(grown).slice(0, 5)).toEqual(drawnOrder(trial));
    expect(grown.batches.at(-1)).toEqual({ caseIds: ['x', 'y'], addedAt: 8 });
    expect(withCases(trial, [], 8)).toBe(trial);
  });
});

describe('editing a case', () => {
  it('keeps it with its answers where nothing that is sent changes, and says so after the first answer', async () => {
    const before = await started();
    const edited = changed(before.cases[1], { team: 'billing' });
    const after = await editCase(before, edited, all(before.cases));
    expect(after.cases.map(({ id }) => id)).toEqual(before.cases.map(({ id }) => id));
    expect([after.cases[1]?.values['team'], after.trial.valuesChanged]).toEqual(['billing', [edited.id]]);
    expect((await editCase(before, edited, all([]))).trial).not.toHaveProperty('valuesChanged');
  });
  it('retires it where what was sent changes, and adds a new one at the end', async () => {
    const before = await started();
    const after = await editCase(before, changed(before.cases[1], { ticket: 'second' }), all(before.cases));
    const old = before.cases[1]?.id ?? '';
    expect(after.trial.retired.caseIds).toEqual([old]);
    expect(after.cases).toHaveLength(6);
    expect(drawnOrder(after.trial)).toEqual([
      ...drawnOrder(before.trial).filter((id) => id !== old),
      after.cases.at(-1)?.id,
    ]);
  });
  it('brings a retired one back in its old place when it is edited back', async () => {
    const before = await started();
    const away = await editCase(before, changed(before.cases[1], { ticket: 'second' }), all(before.cases));
    const back = await editCase(away, changed(away.cases.at(-1), { ticket: 'two' }), all(before.cases));
    expect(drawnOrder(back.trial)).toEqual(drawnOrder(before.trial));
    expect(back.trial.retired.caseIds).toEqual([]);
    expect(back.cases.map(({ id }) => id)).toEqual(before.cases.map(({ id }) => id));
  });
  it('leaves nothing of one that has no answers', async () => {
    const before = await started();
    const after = await editCase(before, changed(before.cases[1], { ticket: 'second' }), all([]));
    expect(after.trial.retired.caseIds).toEqual([]);
    expect(after.cases).toHaveLength(5);
    expect(withoutCase(aTrial(1), '1', false).batches).toEqual([]);
    expect(await editCase(before, { id: 'unknown', values: {} }, all([]))).toEqual(before);
  });
});

describe('editing a column', () => {
  const setup = aSetup({ model: 'new/model' });
  const newId = () => 'new';
  it('with answers puts a new one in its place, the baseline too', () => {
    const edited = withSetup(aTrial(2), 'a', setup, { newId, isAnswered: true });
    expect([edited.columns.map(({ id }) => id), edited.baseline]).toEqual([['new', 'b', 'c'], 'new']);
    expect(edited.retired.columns.map(({ id }) => id)).toEqual(['a']);
    expect(edited.columns[0]?.setup).toBe(setup);
  });
  it('without answers changes it, and what has stopped may go on', () => {
    const report = { source: 'gateway', kind: 'invalid-request', message: 'No' } as const;
    const trial = aTrial(2);
    const stopped = trial.columns.map((each) =>
      each.id === 'b' ? { ...each, stopped: { at: 1, report } } : each,
    );
    const edited = withSetup({ ...trial, columns: stopped }, 'b', setup, { newId, isAnswered: false });
    expect(edited.columns[1]).toEqual({ id: 'b', setup });
    expect(edited.retired.columns).toEqual([]);
    expect(withSetup(trial, 'x', setup, { newId, isAnswered: true })).toBe(trial);
  });
});

describe('a trial that goes on from another', () => {
  it('has its cases, columns and checks, and no answers', async () => {
    const { trial } = await started();
    const [gone = ''] = drawnOrder(trial);
    const next = newVersion({ ...withoutCase(trial, gone, true), valuesChanged: [gone] }, environment);
    expect(next).toMatchObject({
      state: { name: 'draft' },
      follows: { trialId: 'trial', why: 'new version' },
    });
    expect(next.batches[0]?.caseIds).toHaveLength(4);
    expect([next.plan, next.valuesChanged, next.retired.caseIds]).toEqual([undefined, undefined, []]);
    expect(next.columns).toEqual(trial.columns);
  });
  it('confirms a winner on new cases', () => {
    const next = confirmTrial(aTrial(9), 'c', environment);
    expect(next.columns.map(({ id }) => id)).toEqual(['a', 'c']);
    expect([next.batches, next.follows]).toEqual([[], { trialId: 'trial', why: 'confirm', winner: 'c' }]);
  });
});
