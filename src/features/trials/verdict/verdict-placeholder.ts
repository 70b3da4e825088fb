import type { ColumnName } from '../../../trials/describe-verdict.ts';

/**
 * Creates sentences as long as a typical verdict on these columns. They are laid out invisibly to reserve space, so
 * that the cases below do not move when the verdict changes.
 */
export function createPlaceholderText(
  names: readonly ColumnName[],
  baseline: number,
): { first: string; details: string } {
  // Includes space for the tile before each name.
  const labels = names.map(({ name }) => `OO ${name}`);
  const baselineLabel = labels[baseline] ?? '';
  const [longest = '', ...otherLabels] = labels
    .filter((_, column) => column !== baseline)
    .toSorted((a, b) => b.length - a.length);
  const intervalText = '(−20 to 20)';
  const moreCasesText = 'about 1,000 more cases would tell';
  const undecidedText = otherLabels.map((name) => `${name}, behind by 10 points ${intervalText}`).join(', ');
  return {
    first: `Not decided yet: ${longest} is behind ${baselineLabel} by 10 points ${intervalText}`,
    details: [
      `${labels.map((name) => `${name} 100 of 100`).join(', ')} passed.`,
      `Few cases. If that is the true difference, ${moreCasesText}, 10 min 10 s.`,
      ...(otherLabels.length === 0
        ? []
        : [
            `are not decided yet: ${undecidedText}. If these are the true differences, ${moreCasesText} one of them, 10 min 10 s.`,
          ]),
      `6 % gave no answer in ${longest}: its rate is between 69 and 72 %.`,
    ].join(' '),
  };
}
