/** What the answers of a trial are: as they are now while they are under way, else as they are stored. */
import type { Run } from '../../conversation/session/types.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { cellName } from '../../trials/case-order.ts';
import type { Cell, CellKey } from '../../trials/trial.ts';
import type { TrialDesk } from './open-trial-store.ts';
import type { CellReading, LiveCell } from './open-trial.ts';
import { readCellRun } from './trial-records.ts';

export interface Readings {
  /** A stored run; undefined where it cannot be read. */
  run: (runId: string) => Promise<Run | undefined>;
  /** A cell that has ended. */
  ofCell: (cell: Cell) => Promise<CellReading | undefined>;
  /** Whatever is at this place, under way or ended. */
  at: (key: CellKey) => Promise<CellReading | undefined>;
}

interface ReadingsParts {
  desk: TrialDesk;
  records: RecordStore;
  readTape: (runId: string) => Promise<CellReading['tape']>;
  /** By `cellName`. */
  live: ReadonlyMap<string, LiveCell>;
  /** Undefined where another tab asks. */
  underWay: (runId: string) => CellReading | undefined;
}

export function createReadings({ desk, records, readTape, live, underWay }: ReadingsParts): Readings {
  const run = async (runId: string): Promise<Run | undefined> =>
    readCellRun(await records.record('runs', runId), desk.trial());

  async function ofCell(cell: Cell): Promise<CellReading | undefined> {
    const [read, tape] = await Promise.all([
      run(cell.runId),
      // A tape that was not imported, or cannot be read, does not take the answer with it.
      readTape(cell.runId).catch(() => []),
    ]);
    return read && { run: read, tape };
  }

  return {
    run,
    ofCell,
    at: async (key) => {
      const name = cellName(key);
      const now = live.get(name);
      const here = now && underWay(now.runId);
      if (here) return here;
      const elsewhere = now && (await run(now.runId));
      if (elsewhere) return { run: elsewhere, tape: await readTape(elsewhere.id) };
      const cell = desk.cells.get(name);
      // A run is on the disk before its cell is counted.
      return cell && ofCell(cell);
    },
  };
}
