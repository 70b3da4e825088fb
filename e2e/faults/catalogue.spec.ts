/**
 * Some rows of the catalogue of faults in the built app: one for each kind of ending, and one for each thing that the
 * browser's own network does. All rows walk the real app in Node (src/walks).
 */
import { rowsNamed } from '../../src/testing/faults/all-rows.ts';
import { expect, test } from './fault-fixtures.ts';
import { walkRows } from './walk-rows.ts';

// What failed is named by its row.
test.use({ trace: 'off' });

const endings = rowsNamed([
  'the plain stream',
  'F26 a whole completion though a stream was asked for',
  'F41 length',
  'F41 content_filter',
  'F49 thinking alone, then the limit',
  'F28 an answer of nothing but a finish reason',
  'F58 a refusal',
  'F35 neither a finish reason nor the end mark',
  'F92 an end without the last chunk',
  'F55 tool arguments cut by a closed connection',
  'a reset after the finish reason is only a note',
  'F63 a rejected key, said with the key itself',
  'F44 an error after text in the same packet keeps the text',
  'F91 a reset before any byte',
]);

test('each kind of ending is said in place, kept and stored', async ({ bench, faults, faultServer }) => {
  await bench.open(faultServer.url);
  await walkRows(bench, faults, endings);
});

const network = rowsNamed([
  'a browser acts upon 401 by itself',
  'a browser acts upon 407 by itself',
  'a browser acts upon 408 by itself',
  'a browser acts upon 421 by itself',
  'F12 status 204 with nothing',
  'F12 status 205 with nothing',
  'F76 302 to http://127.0.0.1:1/canary',
  'F81 headers that a browser would obey',
  'F78 a length that is longer than the body: what can be read of it is kept',
  'F78 a length that is shorter than the body',
  'F78 a chunk whose size is not a number',
  'F29 compressed, and labelled so, though it was not asked for',
  'F29 compressed without a label',
  'F29 labelled as compressed, but plain',
  'F29 compressed and cut',
  'F16 a byte order mark before the stream',
  'F12 a character set that is not that of the bytes',
]);

test('what the network of a browser would do by itself is said in place, kept and stored', async ({
  bench,
  faults,
  faultServer,
  page,
}) => {
  const asksForPassword: string[] = [];
  page.on('response', (response) => {
    const names = Object.keys(response.headers());
    if (names.some((name) => name.endsWith('-authenticate'))) asksForPassword.push(response.url());
  });
  await bench.open(faultServer.url);
  await walkRows(bench, faults, network);
  expect(asksForPassword, 'answers that would open a dialog of the browser').toEqual([]);
});
