/** Runs the starters from draft to verdict on the demo gateway: an entire trial without a page or a store. */
import { describe, expect, it } from 'vitest';

import { buildRequest } from '../../conversation/request/request.ts';
import { addPrompt, addTurn, createEmptySession } from '../../conversation/session/edit-session.ts';
import { createDemoGateway } from '../../demo-gateway/gateway.ts';
import { formatPlanDuration, formatPlanSize } from '../../features/trials/verdict/format-plan.ts';
import { summarizeVerdict } from '../../features/trials/verdict/format-verdict.ts';
import { getOwnProperty, parseJson } from '../../lib/json.ts';
import { createSeededRandom } from '../../lib/random.ts';
import { createTestEnvironment } from '../../testing/builders.ts';
import { demoKey, createDemoPost } from '../../testing/demo-requests.ts';
import { createAnsweredRun, createPlanInputs } from '../../testing/trials.ts';
import { getCellId, listPendingCells, getCaseOrder } from '../case-order.ts';
import { findCaseProblems } from '../cases.ts';
import { buildCell } from '../cell.ts';
import { toCheckedAnswer, applyCheck } from '../checks/score-answer.ts';
import { createResultTable, setResult } from '../result-table.ts';
import { estimatePlan } from '../trial-plan.ts';
import type { Case, CellKey, Result, Trial } from '../trial.ts';
import { isDecided, computeVerdict, getVerdictPlan } from '../verdict.ts';
import { starterModel, starters, createStarterTrial, type TrialStarter } from './trial-starters.ts';

const environment = { ...createTestEnvironment(), seed: 2026 };

async function createDraft(starter: TrialStarter | undefined, models = [starterModel]) {
  if (!starter) throw new Error('The starter is missing');
  return createStarterTrial(
    starter,
    models.map((model) => ({ model })),
    environment,
  );
}

/** Builds the request body of a cell in the same way as for a one-lane session with the case's values in its prompt. */
function buildBody(trial: Trial, testCase: Case, { columnId }: CellKey) {
  const column = trial.columns.find(({ id }) => id === columnId);
  if (!column) throw new Error('The column is missing');
  const emptySession = createEmptySession(environment, [column.setup]);
  const session = { ...emptySession, session: { ...emptySession.session, variables: testCase.values } };
  const withPrompt = addPrompt(session, environment, { messages: column.messages ?? trial.messages });
  const laneId = withPrompt.data.session.laneIds[0] ?? '';
  const turn = addTurn(withPrompt.data, environment, laneId, { promptId: withPrompt.promptId, run: true });
  return buildRequest(turn.data, column.setup, turn.turnId);
}

/** Runs every cell of the trial and scores it with the first check. */
async function runTrial({ trial, cases }: { trial: Trial; cases: Case[] }, seedText: string) {
  const random = createSeededRandom(seedText);
  const gateway = createDemoGateway({ key: demoKey, createId: () => String(random()) });
  const rows = new Map(getCaseOrder(trial).map((caseId, row) => [caseId, row]));
  const table = createResultTable(cases.length, trial.columns.length, trial.repeats);
  const [check] = trial.checks;
  let requests = 0;
  for (const key of listPendingCells(trial, () => false)) {
    const testCase = cases.find(({ id }) => id === key.caseId);
    if (!testCase || !check) throw new Error(`The case of ${getCellId(key)} is missing`);
    const body = { ...buildBody(trial, testCase, key), stream: false, demo_tokens_per_second: 0 };
    const response = await gateway(createDemoPost('/v1/chat/completions', body));
    const parsed = parseJson(await response.text());
    const [choice] = [getOwnProperty(parsed.ok ? parsed.value : undefined, 'choices')].flat();
    const text = getOwnProperty(getOwnProperty(choice, 'message'), 'content');
    const run = createAnsweredRun(typeof text === 'string' ? text : '', {
      setup: trial.columns.find(({ id }) => id === key.columnId)?.setup ?? {
        model: '',
        system: '',
        params: {},
      },
      ...(response.ok ? {} : { phase: { name: 'failed' } }),
    });
    const cell = buildCell(run, key, 1);
    if (!cell) throw new Error('The cell has not ended');
    const result: Result = applyCheck(check, testCase.values, cell, { answer: toCheckedAnswer(run) }).result;
    const column = trial.columns.findIndex(({ id }) => id === key.columnId);
    setResult(table, { row: rows.get(key.caseId) ?? 0, column, repeat: key.repeat }, result);
    requests += 1;
  }
  const countInputs = { table, stopped: trial.columns.map(() => false), baseline: 0 };
  const verdict = computeVerdict(countInputs, getVerdictPlan(trial));
  const limits = trial.columns.map(() => ({ gateway: 'default', perMinute: 50 }));
  const finishedTrial: Trial = { ...trial, state: { name: 'finished', at: 0 } };
  const verdictContext = {
    trial: finishedTrial,
    limits,
    slots: 3,
    hasAnswers: true,
    hasNewUnits: false,
    absentCases: [],
  };
  const { words, method } = summarizeVerdict({ verdict, verdictContext, columnStats: [] });
  const [first, ...details] = words;
  return { requests, verdict, first, details, method };
}

describe('example trial', () => {
  it('creates valid drafts from the starters with estimates of requests and time', async () => {
    const drafts = await Promise.all(starters.map((starter) => createDraft(starter)));
    const plans = drafts.map(({ trial }) =>
      estimatePlan(trial, createPlanInputs(trial.columns.length, { perMinute: 50 })),
    );
    expect(plans.map((plan) => `${formatPlanSize(plan)}, ${formatPlanDuration(plan)}`)).toEqual([
      '60 cases × 2 columns = 120 requests, 2 min 25 s',
      '60 cases × 2 columns = 120 requests, 2 min 25 s',
      '40 cases × 3 columns × 2 repeats = 240 requests, 4 min 50 s',
      '60 cases × 2 columns = 120 requests, 2 min 25 s',
    ]);
    for (const { trial, cases } of drafts)
      expect(findCaseProblems(trial, cases)).toEqual({ errors: [], warnings: [] });
    expect(new Set(drafts.flatMap(({ cases }) => cases.map(({ id }) => id))).size).toBe(160);
  });

  it('sends the fields of demo/quiz only to demo/quiz, and never sends a seed', async () => {
    const { trial, cases } = await createDraft(starters[0], ['north/one', starterModel]);
    const [testCase] = cases;
    if (!testCase) throw new Error('The case is missing');
    const bodies = trial.columns.map(({ id }) =>
      buildBody(trial, testCase, { caseId: testCase.id, columnId: id, repeat: 1 }),
    );
    expect(bodies.map((body) => [body.model, body['demo_accuracy'], body['seed']])).toEqual([
      ['north/one', undefined, undefined],
      [starterModel, 0.92, undefined],
    ]);
    expect(bodies[0]?.messages).toEqual(bodies[1]?.messages);
    expect(JSON.stringify(bodies[0]?.messages)).toContain(testCase.values['ticket']);
  });

  it('finds the better column of the ticket starter', async () => {
    const { requests, verdict, first, method } = await runTrial(await createDraft(starters[0]), 'first');
    expect(requests).toBe(120);
    expect(isDecided(verdict)).toBe(true);
    expect(first).toMatch(
      /^demo_accuracy 0\.92 is better than demo_accuracy 0\.65: \d\d more of 100 cases passed \(likely between \d+(?:\.\d)? and \d\d\)$/,
    );
    expect(method).toMatch(
      /^Check “right team” on 60 cases, one answer each, in random order no\. 2026\. Evidence .* is enough\)\./,
    );
  });

  it('leaves the comparison of two identical setups undecided', async () => {
    const { first, details } = await runTrial(await createDraft(starters[1]), 'second');
    expect(first).toMatch(
      /^No verdict: B (?:is \d+ points? (?:ahead of|behind) A, which may be chance \(anything from \d+ behind to \d+ ahead is possible\)|and A passed equally often, .*)$/,
    );
    expect(details[0]).toMatch(/^A passed 4\d of 60 and B [45]\d of 60\.$/);
  });

  it('reports the share of missing answers of an unreliable column', async () => {
    const { verdict, first, details } = await runTrial(await createDraft(starters[2]), 'third');
    expect(first).toMatch(/^No verdict: /);
    expect(verdict.columns.map(({ missing }) => missing > 0)).toEqual([false, false, true]);
    expect(
      details.some((line) =>
        /^demo_latency_ms 350, demo_fail 0\.06 gave no answer \d+ of 80 times: it would have \d+ % if all of those were wrong, \d+ % if all were right\.$/.test(
          line,
        ),
      ),
    ).toBe(true);
  });
});
