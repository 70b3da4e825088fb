import { expect, it } from 'vitest';

import { summarizeForHistory } from '../../../conversation/session/edit-session.ts';
import type { ModelChoice, Run } from '../../../conversation/session/types.ts';
import { buildModelKey } from '../../../conversation/setup/model-key.ts';
import { createMemoryRecordStore } from '../../../storage/memory-record-store.ts';
import {
  createTestEnvironment,
  createTestSession,
  createTestSetup,
  addTestTurn,
} from '../../../testing/builders.ts';
import { createTestTrial, createColumns, testCheck } from '../../../testing/trials.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { hashCheckRule } from '../../../trials/checks/score-answer.ts';
import type { Cell, Result, Trial } from '../../../trials/trial.ts';
import { buildSessionWrites } from '../../sessions/autosave.ts';
import { createLibrary } from '../../sessions/library.ts';
import { buildTrialDraftWrites } from './trial-records.ts';
import { buildAllCellWrites } from './trial-records.ts';
import { readPastStats } from './trial-search.ts';

const createExact = (value: number) => ({ kind: 'exact', value }) as const;

const createCell = (caseId: string, columnId: string, changes: Partial<Cell> = {}): Cell => ({
  caseId,
  columnId,
  repeat: 1,
  runId: `${caseId}${columnId}`,
  tries: 1,
  outcome: 'answered',
  head: '',
  answerHash: '',
  scores: {},
  ...changes,
});

function createTestStore() {
  const records = createMemoryRecordStore();
  const environment = createTestEnvironment();
  const library = createLibrary(records, environment);
  return {
    readStats: () => readPastStats(records, library, ({ model, gateway }) => buildModelKey(model, gateway)),
    putTrial: async (trial: Trial, ...cells: Cell[]) => {
      const cellsById = new Map(cells.map((cell) => [getCellId(cell), cell]));
      await records.write([...buildTrialDraftWrites(trial, []), ...buildAllCellWrites(trial, cellsById)]);
    },
    putSession: async (choice: ModelChoice, ...answers: Partial<Run>[]) => {
      let data = createTestSession(environment, [createTestSetup(choice)]);
      for (const answer of answers) data = addTestTurn(data, environment, 'Hello', answer).data;
      const session = { ...data.session, summary: summarizeForHistory(data) };
      await records.write(buildSessionWrites({ ...data, session }));
    },
  };
}

it('averages earlier answers of a model across trials and sessions', async () => {
  const { readStats, putTrial, putSession } = createTestStore();
  const [firstColumn, secondColumn, retiredColumn] = createColumns('north/one', 'north/two', 'north/gone');
  if (!firstColumn || !secondColumn || !retiredColumn) throw new Error('Expected three columns');
  await putTrial(
    createTestTrial(3, {
      columns: [firstColumn, secondColumn],
      retired: { columns: [retiredColumn], caseIds: [] },
    }),
    createCell('1', 'a', { totalMs: 1000, tokensIn: createExact(10), tokensOut: createExact(100) }),
    createCell('2', 'a', { totalMs: 2000, tokensIn: createExact(20), tokensOut: { kind: 'not yet' } }),
    // These two cells contain no duration.
    createCell('3', 'a', { totalMs: 9000, outcome: 'no answer', why: 'failed' }),
    createCell('1', 'b'),
    createCell('1', 'c', { totalMs: 500 }),
  );
  expect([...(await readStats()).byModel]).toEqual([
    ['north/one', { meanMs: 1500, tokensIn: 15, tokensOut: 50, answers: 2 }],
    ['north/gone', { meanMs: 500, tokensIn: 0, tokensOut: 0, answers: 1 }],
  ]);
  await putSession(
    { model: 'north/one' },
    { endedMs: 3000, usage: { promptTokens: 30, completionTokens: 10 } },
    { endedMs: 9000, phase: { name: 'stopped' } },
  );
  expect((await readStats()).byModel.get('north/one')).toEqual({
    meanMs: 2000,
    tokensIn: 20,
    tokensOut: (100 + 10) / 3,
    answers: 3,
  });
});

it('counts the pairs of trials with the same deciding check, and those against the leading column', async () => {
  const { readStats, putTrial } = createTestStore();
  const columns = createColumns('north/one', 'north/two', 'north/three');
  const createResult = (caseId: string, columnId: string, result: Result, repeat = 1): Cell =>
    createCell(caseId, columnId, { repeat, scores: { check: { of: '', result } } });
  const cells = [
    ...['1', '2', '3'].map((caseId) => createResult(caseId, 'a', 'failed')),
    createResult('4', 'a', 'passed'),
    createResult('5', 'a', 'no answer'),
    ...['1', '2', '3', '5'].map((caseId) => createResult(caseId, 'b', 'passed')),
    createResult('4', 'b', 'failed'),
    createResult('1', 'b', 'failed', 2),
    createResult('4', 'c', 'failed'),
  ];
  await putTrial(createTestTrial(5, { columns, baseline: 'a' }), ...cells);
  const otherCheck = { ...testCheck, settings: { ignoreCase: true } };
  await putTrial(createTestTrial(5, { id: 'other', columns, checks: [otherCheck] }), ...cells.slice(0, 9));
  // The baseline leads column C, so its only pair does not go against the leading column.
  expect([...(await readStats()).pairsByCheck]).toEqual(
    expect.arrayContaining([
      [hashCheckRule(testCheck), { pairs: 5, reversed: 1 }],
      [hashCheckRule(otherCheck), { pairs: 3, reversed: 0 }],
    ]),
  );
});

it('separates the answers of a model by gateway', async () => {
  const { readStats, putTrial, putSession } = createTestStore();
  const [column, otherColumn] = createColumns('north/one', 'north/one');
  if (!column || !otherColumn) throw new Error('Expected two columns');
  const southColumn = { ...otherColumn, setup: { ...otherColumn.setup, gateway: 'south' } };
  await putTrial(
    createTestTrial(1, { columns: [column, southColumn] }),
    createCell('1', 'a', { totalMs: 1000 }),
    createCell('1', 'b', { totalMs: 5000 }),
  );
  await putSession({ model: 'north/one', gateway: 'south' }, { endedMs: 7000 });
  const stats = (await readStats()).byModel;
  expect(stats.get('north/one')?.meanMs).toBe(1000);
  expect(stats.get(buildModelKey('north/one', 'south'))?.meanMs).toBe(6000);
});

it('reads only the ten newest trials and the ten newest sessions', async () => {
  const { readStats, putTrial, putSession } = createTestStore();
  for (let index = 10; index <= 20; index += 1) {
    const columns = createColumns(`trial/${index}`);
    const trial = createTestTrial(1, { id: `trial-${index}`, columns, updatedAt: index });
    await putTrial(trial, createCell('1', 'a', { totalMs: 100 }));
    await putSession({ model: `session/${index}` }, { endedMs: 100 });
  }
  const models = [...(await readStats()).byModel.keys()];
  expect(models).toHaveLength(20);
  expect(models).toEqual(expect.arrayContaining(['trial/11', 'trial/20', 'session/11', 'session/20']));
});
