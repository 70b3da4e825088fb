import type { ColumnName } from '../../../trials/describe-verdict.ts';

/**
 * Sentences as long as those of a verdict on these columns may well become. They are laid out and not shown: the room
 * that they take is there from the start, so that the cases below stay where they are while the words change.
 */
export function roomWords(names: readonly ColumnName[], baseline: number): { first: string; below: string } {
  // A tile stands before each name.
  const all = names.map(({ name }) => `OO ${name}`);
  const base = all[baseline] ?? '';
  const [longest = '', ...others] = all
    .filter((_, column) => column !== baseline)
    .toSorted((one, other) => other.length - one.length);
  const range = '(−20 to 20)';
  const more = 'about 1,000 more cases would tell';
  const open = others.map((name) => `${name}, behind by 10 points ${range}`).join(', ');
  return {
    first: `Not decided yet: ${longest} is behind ${base} by 10 points ${range}`,
    below: [
      `${all.map((name) => `${name} 100 of 100`).join(', ')} passed.`,
      `Few cases. If that is the true difference, ${more}, 10 min 10 s.`,
      ...(others.length === 0
        ? []
        : [
            `are not decided yet: ${open}. If these are the true differences, ${more} one of them, 10 min 10 s.`,
          ]),
      `6 % gave no answer in ${longest}: its rate is between 69 and 72 %.`,
    ].join(' '),
  };
}
