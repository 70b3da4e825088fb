import type { ColumnId, Score } from '../../../trials/trial.ts';

/** How the scores of a column fall, by the names of its cells. */
export function triedCounts(
  scores: ReadonlyMap<string, Score> | undefined,
  columnId: ColumnId,
): { passed: number; failed: number; missing: number } {
  const counts = { passed: 0, failed: 0, missing: 0 };
  for (const [name, { result }] of scores ?? []) {
    if (name.split(' ')[1] !== columnId) continue;
    if (result === 'passed') counts.passed += 1;
    else if (result === 'failed') counts.failed += 1;
    else counts.missing += 1;
  }
  return counts;
}
