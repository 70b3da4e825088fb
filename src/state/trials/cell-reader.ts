/** What the answers of a trial are: as they are now while they are under way, else as they are stored. */
import type { Run } from '../../conversation/session/types.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { getCellId } from '../../trials/case-order.ts';
import type { Cell, CellKey } from '../../trials/trial.ts';
import type { OpenTrialStore } from './open-trial-store.ts';
import type { CellReading, LiveCell } from './open-trial.ts';
import { readCellRun } from './trial-records.ts';

export interface CellReader {
  /** A stored run; undefined where it cannot be read. */
  readRun: (runId: string) => Promise<Run | undefined>;
  /** A cell that has ended. */
  readCell: (cell: Cell) => Promise<CellReading | undefined>;
  /** Whatever is at this place, under way or ended. */
  readAt: (key: CellKey) => Promise<CellReading | undefined>;
}

interface CellReaderDeps {
  store: OpenTrialStore;
  records: RecordStore;
  readTape: (runId: string) => Promise<CellReading['tape']>;
  /** By `getCellId`. */
  live: ReadonlyMap<string, LiveCell>;
  /** Undefined where another tab asks. */
  readInFlight: (runId: string) => CellReading | undefined;
}

export function createCellReader({
  store,
  records,
  readTape,
  live,
  readInFlight,
}: CellReaderDeps): CellReader {
  const readRun = async (runId: string): Promise<Run | undefined> =>
    readCellRun(await records.readRecord('runs', runId), store.getTrial());

  async function ofCell(cell: Cell): Promise<CellReading | undefined> {
    const [storedRun, tape] = await Promise.all([
      readRun(cell.runId),
      // A tape that was not imported, or cannot be read, does not take the answer with it.
      readTape(cell.runId).catch(() => []),
    ]);
    return storedRun && { run: storedRun, tape };
  }

  return {
    readRun,
    readCell: ofCell,
    readAt: async (key) => {
      const name = getCellId(key);
      const liveCell = live.get(name);
      const inFlight = liveCell && readInFlight(liveCell.runId);
      if (inFlight) return inFlight;
      const storedRun = liveCell && (await readRun(liveCell.runId));
      if (storedRun) return { run: storedRun, tape: await readTape(storedRun.id) };
      const cell = store.cells.get(name);
      // A run is on the disk before its cell is counted.
      return cell && ofCell(cell);
    },
  };
}
