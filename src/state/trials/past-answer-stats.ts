/** What is known of models before a trial: how long their answers took, and how large they were. */
import { computeMetrics } from '../../conversation/reply/metrics.ts';
import { readRun } from '../../conversation/session/read-session.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { EarlierAnswers } from '../../trials/trial-plan.ts';
import type { Cell } from '../../trials/trial.ts';
import type { Library } from '../sessions/library.ts';
import { firstCells, readTrials } from './trial-records.ts';

/** So many of the newest trials and of the newest sessions are looked at, of a trial its first answers. */
const lookedAt = 10;

/** Means by model, over answers of the newest trials and sessions. */
export async function earlierAnswers(
  records: RecordStore,
  library: Library,
): Promise<ReadonlyMap<string, EarlierAnswers>> {
  const sums = new Map<string, EarlierAnswers>();
  const add = (model: string, ms: number | undefined, tokens: { in: number; out: number }): void => {
    if (ms === undefined) return;
    const sum = sums.get(model) ?? { meanMs: 0, tokensIn: 0, tokensOut: 0, answers: 0 };
    sum.meanMs += ms;
    sum.tokensIn += tokens.in;
    sum.tokensOut += tokens.out;
    sum.answers += 1;
    sums.set(model, sum);
  };
  const trials = (await readTrials(records)).toSorted((one, other) => other.updatedAt - one.updatedAt);
  for (const { id, columns, retired } of trials.slice(0, lookedAt)) {
    const modelOf = new Map(
      [...columns, ...retired.columns].map((column) => [column.id, column.setup.model]),
    );
    for (const { columnId, outcome, totalMs, tokensIn, tokensOut } of await firstCells(records, id))
      if (outcome === 'answered')
        add(modelOf.get(columnId) ?? '', totalMs, { in: valueOf(tokensIn), out: valueOf(tokensOut) });
  }
  for (const { id } of (await library.list()).slice(0, lookedAt))
    for (const raw of await records.ofSession('runs', id)) {
      const run = readRun(raw);
      if (run?.phase.name !== 'complete') continue;
      const { tokensIn, tokensOut } = computeMetrics(run);
      add(run.setup.model, run.endedMs, { in: valueOf(tokensIn), out: valueOf(tokensOut) });
    }
  return new Map(
    [...sums].map(([model, { meanMs, tokensIn, tokensOut, answers }]) => [
      model,
      {
        meanMs: meanMs / answers,
        tokensIn: tokensIn / answers,
        tokensOut: tokensOut / answers,
        answers,
      },
    ]),
  );
}

function valueOf(figure: Cell['tokensIn']): number {
  return figure && 'value' in figure ? figure.value : 0;
}
