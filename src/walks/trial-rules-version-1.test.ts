/** Opens trials stored under version 1 of the rules: they keep their order and decisions, and repeat no request. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { getStringProperty } from '../lib/json.ts';
import { waitForStoreState } from '../testing/bench.ts';
import { createTrialTab, getTicket, openTrialInTab, waitForTrialState } from '../testing/open-trials.ts';
import type { CaseBlock, CellBlock } from '../trials/trial-schemas.ts';
import type { Trial } from '../trials/trial.ts';
import type { Comparison } from '../trials/verdict.ts';

interface StoredTrial {
  records: { trials: Trial[]; cases: CaseBlock[]; cells: CellBlock[] };
  order: string[];
  comparisons: {
    column: number;
    outcome: string;
    units: number;
    difference: number;
    range: [number, number];
    evidence: number;
    needed: number;
    decided: boolean;
    noAnswer: number;
  }[];
}

const storedTrials: Record<string, StoredTrial> = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../trials/__fixtures__/trials-of-rules-1.json'), 'utf8'),
);

const pickDecision = ({
  column,
  outcome,
  units,
  difference,
  interval,
  evidence,
  requiredEvidence,
  decided,
  missingCount,
}: Comparison) => ({
  column,
  outcome,
  units,
  difference,
  range: interval,
  evidence,
  needed: requiredEvidence,
  decided,
  noAnswer: missingCount,
});

/** Stores the records of a trial in a new tab and opens it there. */
async function openStoredTrial({ records }: StoredTrial) {
  const tab = await createTrialTab();
  await tab.bench.records.write([
    ...records.trials.map((put) => ({ store: 'trials' as const, put })),
    ...records.cases.map((put) => ({ store: 'cases' as const, put })),
    ...records.cells.map((put) => ({ store: 'cells' as const, put })),
  ]);
  const trial = await openTrialInTab(tab.bench);
  await waitForStoreState(trial.state, ({ loading }) => loading === undefined);
  return { ...tab, trial };
}

describe('trial of version 1 of the rules', () => {
  it.each(Object.entries(storedTrials))(
    'keeps the order and the decisions of the trial "%s"',
    async (_, stored) => {
      const { trial } = await openStoredTrial(stored);
      const { order, verdict } = trial.state.getState();
      expect(order).toEqual(stored.order);
      expect(verdict?.comparisons.map(pickDecision)).toEqual(stored.comparisons);
    },
  );

  it.each(['paused', 'running'])('asks only what has not ended in the trial "%s"', async (name) => {
    const stored = storedTrials[name];
    if (!stored) throw new Error('The trial is missing');
    const { gateway, trial } = await openStoredTrial(stored);
    const ended = new Set(trial.state.getState().cells.keys());
    const { cases } = trial.state.getState();
    await trial.run();
    await waitForTrialState(trial, 'finished');
    const modelsByColumn = new Map(
      trial.state.getState().trial.columns.map(({ id, setup }) => [id, setup.model]),
    );
    const pending = stored.order.flatMap((caseId) =>
      [...modelsByColumn].flatMap(([columnId, model]) =>
        ended.has(`${caseId} ${columnId} 1`) ? [] : [`${model} ${cases.get(caseId)?.values['ticket']}`],
      ),
    );
    const posts = gateway.posts.map(({ body }) => `${getStringProperty(body, 'model')} ${getTicket(body)}`);
    expect(pending.length).toBeGreaterThan(0);
    expect(posts.toSorted((a, b) => a.localeCompare(b))).toEqual(
      pending.toSorted((a, b) => a.localeCompare(b)),
    );
  });
});
