/** The rows of faults.md section 3 that are one answer each, through the real app over real sockets. */
import { describe, expect, it } from 'vitest';

import { contentFaultRows } from '../testing/faults/content-rows.ts';
import { httpFaultRows } from '../testing/faults/http-rows.ts';
import { labelFaultRows } from '../testing/faults/label-rows.ts';
import { errorFaultRows, streamFaultRows, wholeFaultRows } from '../testing/faults/stream-rows.ts';
import { aFaultRoad, walkRow } from '../testing/faults/walk-row.ts';

const lists = [
  ['a stream', streamFaultRows],
  ['what an answer holds', contentFaultRows],
  ['an answer with an error', errorFaultRows],
  ['a status or a header', httpFaultRows],
  ['a label', labelFaultRows],
] as const;

const road = aFaultRoad([...lists.flatMap(([, rows]) => rows), ...wholeFaultRows]);

for (const [title, rows] of lists) {
  describe(`${title} is said in place, kept and stored`, () => {
    for (const row of rows)
      it(`${row.name}: as its row says`, async (context) =>
        expect(await walkRow(road(), row, context)).toEqual([]));
  });
}

describe('a whole reply is said in place, kept and stored', () => {
  for (const row of wholeFaultRows)
    it(`${row.name}: as its row says`, async (context) =>
      expect(await walkRow(road(), row, context, { whole: true })).toEqual([]));
});
