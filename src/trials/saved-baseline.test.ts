import { describe, expect, it } from 'vitest';

import { createTestEnvironment } from '../testing/builders.ts';
import { createAnsweredRun, createColumns, createTestTrial, testSavedAnswers } from '../testing/trials.ts';
import { createCaseIdAllocator, findSentFields } from './cases.ts';
import { buildCell } from './cell.ts';
import type { TrialWithCases } from './edit-trial.ts';
import type { TrialAnswer } from './files/trial-file.ts';
import { addSavedBaseline, type SavedBaselineSource } from './saved-baseline.ts';
import { startTrial } from './trial-state.ts';
import type { Trial } from './trial.ts';

/** Creates a trial with a case for each ticket, whose IDs follow from what the prompt sends. */
async function createTrialOfTickets(
  tickets: readonly string[],
  changes: Partial<Trial> = {},
): Promise<TrialWithCases> {
  const trial = createTestTrial(0, changes);
  const createCaseId = createCaseIdAllocator(findSentFields(trial));
  const cases = [];
  for (const ticket of tickets) {
    const values = { ticket, team: 'billing' };
    cases.push({ id: await createCaseId({ values }), values });
  }
  return { trial: { ...trial, batches: [{ caseIds: cases.map(({ id }) => id), addedAt: 0 }] }, cases };
}

function createAnswer(caseId: string, columnId: string, repeat: number, sentAt: number): TrialAnswer {
  const key = { caseId, columnId, repeat };
  const run = createAnsweredRun(`answer ${repeat} of ${columnId}`, {
    id: `${caseId} ${columnId} ${repeat}`,
    sessionId: 'last week',
    sentAt,
    cell: { trialId: 'last week', ...key },
  });
  const cell = buildCell(run, key, 2);
  if (!cell) throw new Error('The run has not ended');
  const scores = { other: { of: '1', result: 'passed' as const } };
  return { cell: { ...cell, countedAt: 1, scores }, run, tape: [] };
}

/** Creates a trial whose cases were all answered twice by the columns `a` and `b`, a second apart. */
async function createAnsweredTrial(
  tickets: readonly string[],
  changes: Partial<Trial> = {},
): Promise<SavedBaselineSource> {
  const { trial, cases } = await createTrialOfTickets(tickets, {
    id: 'last week',
    title: 'Last week',
    repeats: 2,
    columns: createColumns('maker/heron-32b', 'other/sextant-70b-think'),
    ...changes,
  });
  const answers = cases.flatMap(({ id }, index) =>
    ['a', 'b'].flatMap((columnId) =>
      [1, 2].map((repeat) => createAnswer(id, columnId, repeat, 1000 * (2 * index + repeat))),
    ),
  );
  return { trial, cases, answers, columnId: 'b' };
}

const environment = createTestEnvironment();

describe('saved baseline', () => {
  it('copies the answers to the cases that both trials have, and names the others', async () => {
    const source = await createAnsweredTrial(['one', 'two', 'three']);
    const target = await createTrialOfTickets(['three', 'four', 'one']);
    const [three, four, one] = target.cases;
    const result = addSavedBaseline(target, source, environment);
    const [column, ...otherColumns] = result?.trial.columns ?? [];
    expect(otherColumns).toEqual(target.trial.columns);
    expect(column).toEqual({
      id: result?.trial.baseline,
      setup: source.trial.columns[1]?.setup,
      savedAnswers: { title: 'Last week', letter: 'B', firstAt: 1900, lastAt: 5900, unmatchedCases: 1 },
    });
    const columnId = column?.id;
    expect(result?.answers.map(({ cell }) => cell)).toMatchObject([
      { caseId: one?.id, columnId, repeat: 1, tries: 2, head: 'answer 1 of b', scores: {} },
      { caseId: three?.id, columnId, repeat: 1, tries: 2, head: 'answer 1 of b', scores: {} },
    ]);
    for (const { cell, run, tape } of result?.answers ?? []) {
      expect(cell).not.toHaveProperty('countedAt');
      expect(run).toMatchObject({
        id: cell.runId,
        sessionId: 'trial',
        cell: { trialId: 'trial', caseId: cell.caseId, columnId, repeat: 1 },
      });
      expect(source.answers.map((answer) => answer.run.id)).not.toContain(run.id);
      expect(tape).toEqual([]);
    }
    expect(result?.casesOnlyHere).toEqual([four]);
    expect(result?.casesOnlyThere.map(({ values }) => values['ticket'])).toEqual(['two']);
  });

  it('matches cases by what the column sent for them, not by their IDs', async () => {
    // Before the prompt is written, the IDs of cases only count them.
    const emptyPrompt = { messages: [{ role: 'user' as const, content: '' }] };
    const source = await createAnsweredTrial(['one', 'two', 'two'], emptyPrompt);
    const target = await createTrialOfTickets(['two', 'one', 'two'], emptyPrompt);
    const { messages } = createTestTrial(0);
    const result = addSavedBaseline(
      { ...target, trial: { ...target.trial, messages } },
      { ...source, trial: { ...source.trial, messages } },
      environment,
    );
    const sourceIds = result?.answers.map(({ cell }) =>
      target.cases.findIndex(({ id }) => id === cell.caseId),
    );
    expect(sourceIds).toEqual([1, 0, 2]);
  });

  it('keeps the prompt of the answers if that of the trial is another one', async () => {
    const source = await createAnsweredTrial(['one']);
    const messages = [{ role: 'user' as const, content: 'Route: {{ticket}}' }];
    const result = addSavedBaseline(await createTrialOfTickets(['one'], { messages }), source, environment);
    expect(result?.trial.columns[0]?.messages).toEqual(source.trial.messages);
  });

  it('becomes the last column of a started trial and one more of its comparisons', async () => {
    const source = await createAnsweredTrial(['one']);
    const { trial, cases } = await createTrialOfTickets(['one']);
    const target = { trial: startTrial(trial, new Map(), 5), cases };
    const result = addSavedBaseline(target, source, environment);
    expect(result?.trial.columns.map(({ id }) => id)).toEqual(['a', 'b', 'c', result?.trial.baseline]);
    expect(result?.trial.columns[3]?.comparisons).toBe(3);
  });

  it('states where answers that were copied before come from', async () => {
    const source = await createAnsweredTrial(['one']);
    const columns = source.trial.columns.map((column) => ({ ...column, savedAnswers: testSavedAnswers }));
    const result = addSavedBaseline(
      await createTrialOfTickets(['one']),
      { ...source, columnId: 'a', trial: { ...source.trial, columns } },
      environment,
    );
    expect(result?.trial.columns[0]?.savedAnswers).toEqual({
      title: 'June',
      letter: 'B',
      firstAt: 1900,
      lastAt: 1900,
      unmatchedCases: 0,
    });
  });

  it('adds nothing if there is no answer to copy', async () => {
    const source = await createAnsweredTrial(['one']);
    const target = await createTrialOfTickets(['one']);
    const retired = { columns: [], caseIds: source.cases.map(({ id }) => id) };
    for (const unusable of [
      { ...source, columnId: 'z' },
      { ...source, answers: [] },
      { ...source, trial: { ...source.trial, retired } },
    ])
      expect(addSavedBaseline(target, unusable, environment)).toBeUndefined();
    expect(addSavedBaseline(await createTrialOfTickets(['two']), source, environment)).toBeUndefined();
  });
});
