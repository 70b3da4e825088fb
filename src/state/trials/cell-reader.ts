/** Reads the answers of a trial: live ones from memory, ended ones from the database. */
import type { Run } from '../../conversation/session/types.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { getCellId } from '../../trials/case-order.ts';
import type { Cell, CellKey } from '../../trials/trial.ts';
import type { OpenTrialStore } from './open-trial-store.ts';
import type { CellData, LiveCell } from './open-trial.ts';
import { readCellRun } from './trial-records.ts';

export interface CellReader {
  /** Returns a stored run; undefined if it cannot be read. */
  readRun: (runId: string) => Promise<Run | undefined>;
  /** Reads a cell that has ended. */
  readCell: (cell: Cell) => Promise<CellData | undefined>;
  /** Reads a cell in flight or ended. */
  readByKey: (key: CellKey) => Promise<CellData | undefined>;
}

interface CellReaderDeps {
  store: OpenTrialStore;
  records: RecordStore;
  readTape: (runId: string) => Promise<CellData['tape']>;
  /** Live cells by `getCellId`. */
  liveCells: ReadonlyMap<string, LiveCell>;
  /** Returns the data of a cell in flight; undefined if another tab runs it. */
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
      // A missing or unreadable tape must not hide the answer.
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
      // A run is always stored before its cell.
      return cell && readCell(cell);
    },
  };
}
