import { PARAMS, type ParamName, type ParamRow } from '../../../conversation/setup/params.ts';

export type View = 'all' | 'sent' | 'portable' | 'differs';

/** The rows of a view under their headings, in the order of the table. `named`: those of the view of sent or of differing rows. */
export function rowGroups(
  view: View,
  named: ReadonlySet<ParamName>,
): { group: ParamRow['group']; rows: ParamRow[] }[] {
  const groups: { group: ParamRow['group']; rows: ParamRow[] }[] = [];
  for (const row of PARAMS) {
    const isShown = view === 'all' || (view === 'portable' ? row.tier === 'portable' : named.has(row.name));
    if (!isShown) continue;
    const last = groups.at(-1);
    if (last?.group === row.group) last.rows.push(row);
    else groups.push({ group: row.group, rows: [row] });
  }
  return groups;
}
