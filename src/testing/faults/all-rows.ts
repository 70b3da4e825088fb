import { contentFaultRows } from './content-rows.ts';
import type { FaultRow } from './fault-row.ts';
import { httpFaultRows } from './http-rows.ts';
import { labelFaultRows } from './label-rows.ts';
import { errorFaultRows, streamFaultRows, wholeFaultRows } from './stream-rows.ts';
import { transportFaultRows } from './transport-rows.ts';

/** Every row of the catalogue. */
export const allFaultRows: readonly FaultRow[] = [
  ...streamFaultRows,
  ...wholeFaultRows,
  ...contentFaultRows,
  ...errorFaultRows,
  ...httpFaultRows,
  ...labelFaultRows,
  ...transportFaultRows,
];

/** The rows with these names, in this order. */
export function rowsNamed(names: readonly string[]): FaultRow[] {
  return names.map((name) => {
    const [row, ...others] = allFaultRows.filter((each) => each.name === name);
    if (!row || others.length > 0) throw new Error(`${others.length + (row ? 1 : 0)} rows are named ${name}`);
    return row;
  });
}
