/** Maximum ratio to the other build for rows marked `isCompared`. */
const maxRatioToOther = 1.1;

/**
 * Adds to each row whether its goals are met. A row has a `name`, one value per build (less is better), optionally the
 * value of the `baseline` from the same run, and a `goal`: `max` of the value, or `maxRatio` or `maxAdded` relative to
 * the baseline.
 */
export function buildReport({ title, baselineName, rows }, builds) {
  return {
    title,
    baselineName,
    builds: builds.map(({ name }) => name),
    rows: rows.map((row) => ({ ...row, goals: listGoals(row) })),
  };
}

function listGoals({ baseline, values: [value, other], goal, isCompared }) {
  const goals = [];
  if (goal !== undefined) {
    const [[kind, limit]] = Object.entries(goal);
    const measured = kind === 'max' ? value : kind === 'maxRatio' ? value / baseline : value - baseline;
    goals.push({ text: describeGoal(kind, limit), isMet: measured <= limit });
  }
  if (isCompared && other !== undefined)
    goals.push({ text: `≤ ${maxRatioToOther} × the other`, isMet: value / other <= maxRatioToOther });
  return goals;
}

function describeGoal(kind, limit) {
  if (kind === 'max') return `≤ ${limit}`;
  return kind === 'maxRatio' ? `ratio ≤ ${limit}` : `≤ ${limit} more`;
}

/** Prints the rows as a table and counts the goals that are met. */
export function printReport({ title, baselineName, builds, rows }) {
  const hasBaseline = baselineName !== undefined;
  const hasOther = builds.length > 1;
  const headerRow = [
    '',
    ...(hasBaseline ? [baselineName] : []),
    builds[0],
    ...(hasBaseline ? ['ratio'] : []),
    ...(hasOther ? [builds[1], 'this / other'] : []),
    'goal',
    '',
  ];
  const cells = rows.map(({ name, baseline, values: [value, other], problem, goals }) => [
    name,
    ...(hasBaseline ? [formatNumber(baseline)] : []),
    problem ?? formatNumber(value),
    ...(hasBaseline ? [formatRatio(value, baseline)] : []),
    ...(hasOther ? [formatNumber(other), formatRatio(value, other)] : []),
    goals.map(({ text }) => text).join(', '),
    goals.length === 0 ? '' : goals.every(({ isMet }) => isMet) ? 'met' : 'missed',
  ]);
  const widths = headerRow.map((_, column) =>
    Math.max(...[headerRow, ...cells].map((row) => Array.from(row[column]).length)),
  );
  const writeRow = (row) =>
    console.log(`| ${row.map((cell, index) => cell.padEnd(widths[index])).join(' | ')} |`);
  console.log(`\n${title}\n`);
  writeRow(headerRow);
  console.log(`| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  cells.forEach(writeRow);
  const goals = rows.flatMap((row) => row.goals);
  console.log(`\n${goals.filter(({ isMet }) => isMet).length} of ${goals.length} goals are met.`);
}

function formatNumber(value) {
  if (value === undefined || Number.isNaN(value)) return '';
  return value.toFixed(Math.abs(value) < 10 && value !== 0 ? 2 : 0);
}

function formatRatio(value, other) {
  const ratio = value / other;
  return Number.isFinite(ratio) ? ratio.toFixed(2) : '';
}
