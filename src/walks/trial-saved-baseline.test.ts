/** Tests trials whose baseline has the answers of another trial, over the real proxy with a scripted gateway. */
import { expect, it } from 'vitest';

import { getOwnProperty } from '../lib/json.ts';
import { buildTrialDraftWrites } from '../state/trials/repository/trial-records.ts';
import type { OpenTrial } from '../state/trials/store/open-trial.ts';
import type { Bench } from '../testing/bench.ts';
import {
  createCases,
  createOpenTrial,
  createTrialTab,
  openTrialInTab,
  waitForTrialState,
} from '../testing/open-trials.ts';
import { createColumns, createTestTrial } from '../testing/trials.ts';
import { getCheckedText } from '../trials/cell.ts';
import { sendsRequests } from '../trials/trial.ts';

const tickets = ['one', 'two', 'three', 'four'];

/** Stores and runs a trial of four tickets in two columns. */
async function runTrialOfJune(bench: Bench): Promise<OpenTrial> {
  const trial = createTestTrial(4, { id: 'june', title: 'June', columns: createColumns('m/one', 'm/two') });
  await bench.records.write(buildTrialDraftWrites(trial, createCases(4, tickets)));
  const openTrial = await openTrialInTab(bench, 'june');
  await openTrial.run();
  await waitForTrialState(openTrial, 'finished');
  return openTrial;
}

/** The second model routes every ticket to the wrong team. */
const createTab = () =>
  createTrialTab((answer, { body }) =>
    answer.sendAnswer(body['model'] === 'm/two' ? '{"team":"legal"}' : '{"team":"billing"}'),
  );

it('compares a new column with the answers of another trial without asking for these again', async () => {
  const { bench, gateway } = await createTab();
  await runTrialOfJune(bench);
  const previousCount = gateway.posts.length;
  expect(previousCount).toBe(8);
  const trial = await createOpenTrial(bench, createCases(4, ['five', 'four', 'two', 'three']), {
    columns: createColumns('m/three'),
  });
  expect(await trial.listBaselineOffers(['trial', 'gone', 'june'])).toMatchObject([
    {
      trialId: 'june',
      title: 'June',
      cases: 4,
      columns: [
        { letter: 'A', sharedCases: 3 },
        { letter: 'B', sharedCases: 3 },
      ],
    },
  ]);
  await trial.copyBaseline('june', 'b');
  const draft = trial.state.getState();
  expect([draft.plan.requests, draft.plan.comparedCases, draft.hasAnswers]).toEqual([4, 3, false]);
  expect(trial.setMessages([{ role: 'user', content: 'Now: {{ticket}}' }])).toBe(true);
  trial.setSystem('Be quick.');
  await trial.run();
  await waitForTrialState(trial, 'finished');
  await trial.retry([{ caseId: '1', columnId: draft.trial.baseline, repeat: 1 }]);
  await waitForTrialState(trial, 'finished');
  const newPosts = gateway.posts.slice(previousCount);
  expect(newPosts.map(({ body }) => body['model'])).toEqual(Array(4).fill('m/three'));

  const { verdict, trial: data, progress } = trial.state.getState();
  expect(data.columns[0]).toMatchObject({
    setup: { model: 'm/two', system: '' },
    messages: [{ role: 'user', content: '{{ticket}}' }],
  });
  expect(verdict?.comparisons[0]).toMatchObject({
    cases: 3,
    counts: { both: 0, onlyColumn: 3, onlyBaseline: 0, neither: 0 },
    missingCount: 0,
  });
  expect(progress).toMatchObject({ cells: 4, ended: 4, cases: 3, counted: 3 });

  // Everything is stored, with the answers and their recordings.
  await trial.whenSaved();
  const reopenedTrial = await openTrialInTab(await bench.reopen());
  const { trial: stored, verdict: storedVerdict } = reopenedTrial.state.getState();
  expect(storedVerdict?.comparisons).toEqual(verdict?.comparisons);
  const answer = await reopenedTrial.readCell({ caseId: '2', columnId: stored.baseline, repeat: 1 });
  expect(answer && getCheckedText(answer.run)).toBe('{"team":"legal"}');
  expect(answer?.tape.length).toBeGreaterThan(2);
  expect(gateway.posts).toHaveLength(previousCount + 4);
});

it('adds the answers to a trial that has answers of its own, and compares at once', async () => {
  const { bench, gateway } = await createTab();
  await runTrialOfJune(bench);
  const trial = await createOpenTrial(bench, createCases(4, tickets), { columns: createColumns('m/three') });
  await trial.run();
  await waitForTrialState(trial, 'finished');
  const previousCount = gateway.posts.length;
  await trial.copyBaseline('june', 'b');
  const { verdict, trial: data } = trial.state.getState();
  expect(data.state.name).toBe('finished');
  expect(data.columns.map(({ id }) => id)).toEqual(['a', data.baseline]);
  expect(verdict).toMatchObject({
    family: 1,
    comparisons: [{ column: 0, family: 1, counts: { onlyColumn: 4, onlyBaseline: 0 } }],
  });
  await trial.run();
  await waitForTrialState(trial, 'finished');
  expect(gateway.posts).toHaveLength(previousCount);
});

it('compares two columns of an earlier trial without any request', async () => {
  const { bench, gateway } = await createTab();
  await runTrialOfJune(bench);
  const trial = await createOpenTrial(bench, createCases(4, tickets), { columns: createColumns('m/three') });
  await trial.copyBaseline('june', 'a');
  await trial.copyBaseline('june', 'b');
  trial.removeColumn('a');
  expect(await trial.run()).toBeUndefined();
  await waitForTrialState(trial, 'finished');
  expect(trial.state.getState().verdict?.comparisons).toMatchObject([{ counts: { onlyColumn: 4 } }]);
  expect(gateway.posts).toHaveLength(8);
});

it('gives a draft without cases the cases, the prompt and the checks of the other trial', async () => {
  const { bench } = await createTab();
  await runTrialOfJune(bench);
  const { decides: _, ...emptyDraft } = createTestTrial(0, {
    messages: [{ role: 'user', content: '' }],
    fields: [],
    checks: [],
    columns: createColumns('m/three'),
  });
  await bench.records.write(buildTrialDraftWrites(emptyDraft, []));
  const trial = await openTrialInTab(bench);
  await trial.copyBaseline('june', 'a');
  const { trial: data, plan, cases } = trial.state.getState();
  expect([...cases.values()].map(({ values }) => values['ticket'])).toEqual(tickets);
  expect(plan).toMatchObject({ cases: 4, comparedCases: 4 });
  expect(data.messages).toEqual([{ role: 'user', content: '{{ticket}}' }]);
  expect(data.columns[0]).not.toHaveProperty('messages');
  expect(data.checks.map(({ id, name }) => [id, name])).toEqual([[data.decides, 'right team']]);
});

it('shows the copied answers in another tab and keeps them in files and copies', async () => {
  const { bench } = await createTab();
  await runTrialOfJune(bench);
  const trial = await createOpenTrial(bench, createCases(4, tickets), { columns: createColumns('m/three') });
  const otherTab = await openTrialInTab(await bench.openAnotherTab());
  await trial.copyBaseline('june', 'a');
  await trial.whenSaved();
  const getBaseline = (openTrial: OpenTrial) => openTrial.state.getState().columnStats[0]?.answered;
  expect(getBaseline(trial)).toBe(4);
  await expect.poll(() => getBaseline(otherTab)).toBe(4);

  const trials = await bench.lazyTrials.load();
  const { pieces } = await trial.exportJsonLines(() => ({ words: [], method: '' }));
  expect(getOwnProperty(JSON.parse(pieces[0] ?? ''), 'version')).toBe(6);
  const imported = await trials.importFile(pieces.join(''));
  if (!imported.ok) throw new Error(imported.reason);
  await trials.duplicate('trial');
  const copies = (await trials.list()).filter(({ id }) => id !== 'june' && id !== 'trial');
  expect(copies).toHaveLength(2);
  for (const { id } of copies) {
    const copy = await openTrialInTab(bench, id);
    expect(copy.state.getState().trial.columns.map(sendsRequests)).toEqual([false, true]);
    expect(getBaseline(copy)).toBe(4);
  }
});

it('runs the baseline beside its copy on the same cases', async () => {
  const { bench } = await createTab();
  const june = await runTrialOfJune(bench);
  const trial = await openTrialInTab(bench, await june.createSameSetupTrial());
  const { trial: data, order } = trial.state.getState();
  expect(data).toMatchObject({ title: 'June: same setup twice', baseline: 'a', state: { name: 'draft' } });
  expect(data.columns.map(({ setup }) => setup.model)).toEqual(['m/one', 'm/one']);
  expect(order).toHaveLength(4);
});
