/** The rows of faults.md section 3 that are data, walked through the built app: shown, kept over a reload, stored. */
import { contentFaultRows } from '../../src/testing/faults/content-rows.ts';
import type { FaultRow } from '../../src/testing/faults/fault-row.ts';
import { httpFaultRows } from '../../src/testing/faults/http-rows.ts';
import { errorFaultRows, streamFaultRows, wholeFaultRows } from '../../src/testing/faults/stream-rows.ts';
import { scaledPatience, transportFaultRows } from '../../src/testing/faults/transport-rows.ts';
import { test } from './fault-fixtures.ts';
import { walkRows } from './walk-rows.ts';

const batchSize = 24;

function batchesOf(rows: readonly FaultRow[]): FaultRow[][] {
  const count = Math.ceil(rows.length / batchSize);
  return Array.from({ length: count }, (_, index) => rows.slice(index * batchSize, (index + 1) * batchSize));
}

const lists: [title: string, rows: FaultRow[]][] = [
  ['streams', streamFaultRows],
  ['contents', contentFaultRows],
  ['error answers', errorFaultRows],
  ['statuses and headers', httpFaultRows],
];

test.describe.configure({ timeout: 180_000 });
// A picture of the page at every step costs more than the steps; what failed is named by its row.
test.use({ trace: 'off' });

for (const [title, rows] of lists) {
  for (const [index, batch] of batchesOf(rows).entries()) {
    test(`${title}, rows ${index * batchSize + 1} to ${index * batchSize + batch.length}: said in place, kept, stored`, async ({
      bench,
      faults,
      faultServer,
    }) => {
      await bench.open(faultServer.url);
      await walkRows(bench, faults, batch);
    });
  }
}

test('whole replies: said in place, kept, stored', async ({ bench, faults, faultServer }) => {
  await bench.open(faultServer.url);
  await bench.parameters.getByRole('switch', { name: 'stream' }).click();
  await walkRows(bench, faults, wholeFaultRows);
});

test.describe('connections', () => {
  test.use({ settings: scaledPatience });
  for (const [index, batch] of batchesOf(transportFaultRows).entries()) {
    test(`rows ${index * batchSize + 1} to ${index * batchSize + batch.length}: said in place, kept, stored`, async ({
      bench,
      faults,
      faultServer,
    }) => {
      await bench.open(faultServer.url);
      await walkRows(bench, faults, batch);
    });
  }
});
