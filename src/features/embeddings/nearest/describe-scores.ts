import type { LabText } from '../../../state/lab/lab-state.ts';
import { cosineWords } from '../views/format-dimensions.ts';
import type { NearestText } from './use-nearest.ts';

/** The group that most of the listed texts are in, and how many; undefined where there are no groups. */
export function leadingGroup(
  ranked: readonly Pick<NearestText, 'text'>[],
  texts: readonly LabText[],
  groups: readonly string[],
): { name: string; count: number; of: number } | undefined {
  const counts = new Map<number, number>();
  for (const { text } of ranked) {
    const group = texts[text]?.group;
    if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const [first] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (!first) return undefined;
  return { name: groups[first[0]] ?? '', count: first[1], of: ranked.length };
}

/** Less than this parts no relevant text from one that is not. */
const smallGap = 0.05;

/** What the scores of the nearest allow to be said: whether they are of one group, and whether the list ends at a gap. */
export function scoreSentence(
  ranked: readonly Pick<NearestText, 'score' | 'margin'>[],
  group: { name: string; count: number; of: number } | undefined,
): string {
  const count = ranked.length;
  const last = ranked.at(-1);
  if (!last || count < 2) return '';
  const one = group && group.count === group.of ? `The first ${count} are all from ${group.name}. ` : '';
  if (last.margin === undefined) return one.trim();
  const next = cosineWords(last.score - last.margin, 2);
  return last.margin < smallGap
    ? `${one}The gap to the next text (${next}) is small: read it before you use a cut-off.`
    : `${one}The next text is well behind (${next}).`;
}
