import { deltasOf, textOf } from './corpus.mjs';
import { median } from './measure.mjs';
import { printTable } from './table.mjs';

/** Throughput of the whole gateway layer (decoder, tape entries, events, fold) and of the parser alone, in the browser. */
export async function measureDecoding({ open, pagesUrl, runs, quick }) {
  const { page, close } = await open(`${pagesUrl}/decode.html`);
  try {
    await page.waitForFunction(() => typeof window.measureDecoding === 'function');
    const deltas = deltasOf(textOf('mixed', 16_000));
    const all = [];
    for (let round = 0; round < Math.max(3, runs); round += 1) {
      all.push(
        await page.evaluate(
          ([pieces, size]) => window.measureDecoding(pieces, size),
          [deltas, quick ? 10 : 50],
        ),
      );
    }
    const rates = Object.fromEntries(
      Object.keys(all[0]).map((name) => [name, median(all.map((each) => each[name]))]),
    );
    const ratio = rates['Bench, whole layer'] / rates['parser, push, JSON.parse'];
    printTable(
      'Decoding, MB/s of event stream in packets of 1,400 bytes',
      ['way', 'MB/s'],
      Object.entries(rates).map(([name, rate]) => [name, rate.toFixed(0)]),
    );
    return { rates, ratio };
  } finally {
    await close();
  }
}
