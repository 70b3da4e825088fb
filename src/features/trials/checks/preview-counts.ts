import { emptyRemark } from '../../../trials/checks/score-answer.ts';
import type { ColumnId, Score } from '../../../trials/trial.ts';

/** Counts the scores of a column by result; `passedEmpty` counts passed answers without text. */
export function countPreviewScores(
  scores: ReadonlyMap<string, Score> | undefined,
  columnId: ColumnId,
): { passed: number; passedEmpty: number; failed: number; missing: number } {
  const counts = { passed: 0, passedEmpty: 0, failed: 0, missing: 0 };
  for (const [cellId, { result, why }] of scores ?? []) {
    if (cellId.split(' ')[1] !== columnId) continue;
    if (result === 'passed') {
      counts.passed += 1;
      if (why?.endsWith(emptyRemark) === true) counts.passedEmpty += 1;
    }
    if (result === 'failed') counts.failed += 1;
    if (result === 'no answer') counts.missing += 1;
  }
  return counts;
}
