import type { LabText } from '../../../state/lab/lab-state.ts';
import { formatCosine } from '../views/lab-number-format.ts';
import type { NearestText } from './use-nearest.ts';

/** Returns the most frequent group among the listed texts and its count; `undefined` without groups. */
export function findLeadingGroup(
  ranked: readonly Pick<NearestText, 'text'>[],
  texts: readonly LabText[],
  groups: readonly string[],
): { name: string; count: number; total: number } | undefined {
  const counts = new Map<number, number>();
  for (const { text } of ranked) {
    const group = texts[text]?.group;
    if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const [first] = [...counts].toSorted(([, countA], [, countB]) => countB - countA);
  if (!first) return undefined;
  return { name: groups[first[0]] ?? '', count: first[1], total: ranked.length };
}

/** Minimum gap in score that separates relevant from irrelevant texts. */
const minClearMargin = 0.05;

/** Describes the scores of the nearest texts: whether one group dominates and whether a clear gap ends the list. */
export function describeScores(
  ranked: readonly Pick<NearestText, 'score' | 'margin'>[],
  group: { name: string; count: number; total: number } | undefined,
): string {
  const count = ranked.length;
  const last = ranked.at(-1);
  if (!last || count < 2) return '';
  const groupSentence =
    group && group.count === group.total ? `The top ${count} are all from ${group.name}. ` : '';
  if (last.margin === undefined) return groupSentence.trim();
  const next = formatCosine(last.score - last.margin, 2);
  return last.margin < minClearMargin
    ? `${groupSentence}The gap to the next text (${next}) is small, so do not cut off here.`
    : `${groupSentence}The next text scores much lower (${next}).`;
}
