import { PARAMS, type ParamName, type ParamRow } from '../../../conversation/params.ts';

export type View = 'all' | 'sent' | 'portable';

/** The rows of a view under their headings, in the order of the table. `kept`: names that the view of sent rows holds on to. */
export function rowGroups(
  view: View,
  kept: ReadonlySet<ParamName>,
): { group: ParamRow['group']; rows: ParamRow[] }[] {
  const groups: { group: ParamRow['group']; rows: ParamRow[] }[] = [];
  for (const row of PARAMS) {
    const isShown = view === 'all' || (view === 'sent' ? kept.has(row.name) : row.tier === 'portable');
    if (!isShown) continue;
    const last = groups.at(-1);
    if (last?.group === row.group) last.rows.push(row);
    else groups.push({ group: row.group, rows: [row] });
  }
  return groups;
}
