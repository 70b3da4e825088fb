/** What the answers of a trial are: as they are now while they are under way, else as they are stored. */
import type { Run } from '../../conversation/session/types.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { getCellId } from '../../trials/case-order.ts';
import type { Cell, CellKey } from '../../trials/trial.ts';
import type { OpenTrialStore } from './open-trial-store.ts';
import type { CellData, LiveCell } from './open-trial.ts';
import { readCellRun } from './trial-records.ts';

export interface CellReader {
  /** A stored run; undefined where it cannot be read. */
  readRun: (runId: string) => Promise<Run | undefined>;
  /** A cell that has ended. */
  readCell: (cell: Cell) => Promise<CellData | undefined>;
  /** Whatever is at this place, under way or ended. */
  readByKey: (key: CellKey) => Promise<CellData | undefined>;
}

interface CellReaderDeps {
  store: OpenTrialStore;
  records: RecordStore;
  readTape: (runId: string) => Promise<CellData['tape']>;
  /** By `getCellId`. */
  liveCells: ReadonlyMap<string, LiveCell>;
  /** Undefined where another tab asks. */
  readInFlight: (runId: string) => CellData | undefined;
}

export function createCellReader({
  store,
  records,
  readTape,
  liveCells,
  readInFlight,
}: CellReaderDeps): CellReader {
  const readRun = async (runId: string): Promise<Run | undefined> =>
    readCellRun(await records.readRecord('runs', runId), store.getTrial());

  async function readCell(cell: Cell): Promise<CellData | undefined> {
    const [storedRun, tape] = await Promise.all([
      readRun(cell.runId),
      // A tape that was not imported, or cannot be read, does not take the answer with it.
      readTape(cell.runId).catch(() => []),
    ]);
    return storedRun && { run: storedRun, tape };
  }

  return {
    readRun,
    readCell,
    readByKey: async (key) => {
      const cellId = getCellId(key);
      const liveCell = liveCells.get(cellId);
      const inFlight = liveCell && readInFlight(liveCell.runId);
      if (inFlight) return inFlight;
      const storedRun = liveCell && (await readRun(liveCell.runId));
      if (storedRun) return { run: storedRun, tape: await readTape(storedRun.id) };
      const cell = store.cells.get(cellId);
      // A run is on the disk before its cell is counted.
      return cell && readCell(cell);
    },
  };
}
