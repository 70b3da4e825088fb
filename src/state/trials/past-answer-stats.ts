/** Statistics of earlier answers by model, for estimates before a trial: duration and tokens. */
import { computeMetrics } from '../../conversation/reply/metrics.ts';
import { readRun } from '../../conversation/session/read-session.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { PastAnswerStats } from '../../trials/trial-plan.ts';
import type { Cell } from '../../trials/trial.ts';
import type { Library } from '../sessions/library.ts';
import { readFirstCells, readTrials } from './trial-records.ts';

/** Number of recent trials and of recent sessions to scan; only the first answers of each trial are read. */
const maxScannedRecords = 10;

/** Returns means by model from answers of recent trials and sessions. */
export async function readPastAnswerStats(
  records: RecordStore,
  library: Library,
): Promise<ReadonlyMap<string, PastAnswerStats>> {
  const sums = new Map<string, PastAnswerStats>();
  const addAnswer = (model: string, ms: number | undefined, tokens: { in: number; out: number }): void => {
    if (ms === undefined) return;
    const sum = sums.get(model) ?? { meanMs: 0, tokensIn: 0, tokensOut: 0, answers: 0 };
    sum.meanMs += ms;
    sum.tokensIn += tokens.in;
    sum.tokensOut += tokens.out;
    sum.answers += 1;
    sums.set(model, sum);
  };
  const trials = (await readTrials(records)).toSorted((a, b) => b.updatedAt - a.updatedAt);
  for (const { id, columns, retired } of trials.slice(0, maxScannedRecords)) {
    const modelByColumn = new Map(
      [...columns, ...retired.columns].map((column) => [column.id, column.setup.model]),
    );
    for (const { columnId, outcome, totalMs, tokensIn, tokensOut } of await readFirstCells(records, id))
      if (outcome === 'answered')
        addAnswer(modelByColumn.get(columnId) ?? '', totalMs, {
          in: getMetricValue(tokensIn),
          out: getMetricValue(tokensOut),
        });
  }
  for (const { id } of (await library.list()).slice(0, maxScannedRecords))
    for (const raw of await records.listBySession('runs', id)) {
      const run = readRun(raw);
      if (run?.phase.name !== 'complete') continue;
      const { tokensIn, tokensOut } = computeMetrics(run);
      addAnswer(run.setup.model, run.endedMs, {
        in: getMetricValue(tokensIn),
        out: getMetricValue(tokensOut),
      });
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

function getMetricValue(metric: Cell['tokensIn']): number {
  return metric && 'value' in metric ? metric.value : 0;
}
