/** What connections do (F14 to F25, F37, F78, F86 to F93), through the real app, with the server's patience scaled down. */
import { describe, expect, it } from 'vitest';

import { scaledPatience, transportFaultRows } from '../testing/faults/transport-rows.ts';
import { aFaultRoad, walkRow } from '../testing/faults/walk-row.ts';

const road = aFaultRoad(transportFaultRows, scaledPatience);

describe.concurrent('a connection that', () => {
  for (const row of transportFaultRows)
    it(`${row.name}: as its row says`, async (context) =>
      expect(await walkRow(road(), row, context)).toEqual([]));
});
