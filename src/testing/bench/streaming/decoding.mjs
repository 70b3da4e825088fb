import { deltasOf, textOf } from './corpus.mjs';
import { countersOf, difference, median } from './measure.mjs';
import { printTable } from './table.mjs';

const PUSH = 'parser, push, JSON.parse';
const STREAM = 'parser, push, JSON.parse, from a stream';
const BENCH = 'Bench, whole layer, from a stream';

/** Throughput, by CPU time, of the whole gateway layer (decoder, tape entries, events, fold) and of the parser alone. */
export async function measureDecoding({ open, pagesUrl, runs, quick }) {
  const { page, session, close } = await open(`${pagesUrl}/decode.html`);
  try {
    await page.waitForFunction(() => typeof window.decode === 'function');
    const deltas = deltasOf(textOf('mixed', 16_000));
    const { ways, megabytes } = await page.evaluate((pieces) => window.prepareDecoding(pieces), deltas);
    const rounds = Math.ceil((quick ? 10 : 50) / megabytes);
    const all = Object.fromEntries(ways.map((way) => [way, []]));
    for (let round = 0; round <= Math.max(3, runs); round += 1) {
      for (const way of ways) {
        await session.send('HeapProfiler.collectGarbage');
        const before = await countersOf(session);
        await page.evaluate(([name, times]) => window.decode(name, times), [way, rounds]);
        const { taskMs } = difference(before, await countersOf(session));
        // The first round warms the compiler up.
        if (round > 0) all[way].push((rounds * megabytes) / (taskMs / 1_000));
      }
    }
    const rates = Object.fromEntries(ways.map((way) => [way, median(all[way])]));
    printTable(
      'Decoding, MB of event stream a second of CPU, in packets of 1,400 bytes',
      ['way', 'MB/s'],
      Object.entries(rates).map(([name, rate]) => [name, rate.toFixed(0)]),
    );
    return { rates, ratio: rates[BENCH] / rates[PUSH], streamRatio: rates[BENCH] / rates[STREAM] };
  } finally {
    await close();
  }
}
