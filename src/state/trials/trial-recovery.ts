/** Recovers runs left by a closed tab: an ended run becomes its cell, an unfinished one is interrupted and retried. */
import type { Run } from '../../conversation/session/types.ts';
import { isUsageRefused } from '../../conversation/setup/refused-fields.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { getCellId } from '../../trials/case-order.ts';
import { getCellStatus, buildCell } from '../../trials/cell.ts';
import { getHeartbeatId, packTape, type HeartbeatRecord } from '../../trials/trial-schemas.ts';
import type { Cell } from '../../trials/trial.ts';
import type { OpenTrialStore } from './open-trial-store.ts';
import type { CellData } from './open-trial.ts';
import { foldStoredRun } from './running/cell-runs.ts';
import { getCaseIndexes, buildCellBlockWrites, toStoredCellRun } from './trial-records.ts';

interface RecoveryDeps {
  store: OpenTrialStore;
  put: (key: string, write: Write) => void;
  records: RecordStore;
  readRun: (runId: string) => Promise<Run | undefined>;
  readTape: (runId: string) => Promise<CellData['tape']>;
  scoreCell: (cell: Cell, run: Run) => Promise<Cell>;
}

/**
 * Recovers the runs of a heartbeat. Resolves when they are stored, or when the recorder has taken over because the disk
 * rejects writes.
 */
export async function recoverRuns(deps: RecoveryDeps, heartbeat: HeartbeatRecord): Promise<void> {
  const { store, put, records, readRun, readTape, scoreCell } = deps;
  const { cells } = store;
  const trial = store.getTrial();
  const writes: Write[] = [];
  const recoveredCells: Cell[] = [];
  for (const { runId, ...key } of heartbeat.runs) {
    const storedCell = cells.get(getCellId(key));
    if (storedCell?.runId === runId) continue;
    const run = await readRun(runId);
    if (!run) continue;
    const tape = await readTape(runId).catch(() => []);
    const foldedRun = foldStoredRun(run, tape);
    writes.push({ store: 'runs', put: toStoredCellRun(foldedRun, key.columnId) });
    const cellStatus = getCellStatus(foldedRun);
    const cell =
      cellStatus.name === 'ended' ? buildCell(foldedRun, key, (storedCell?.tries ?? 0) + 1) : undefined;
    if (!cell || foldedRun.status === 401 || isUsageRefused(foldedRun)) continue;
    const scoredCell = await scoreCell(cell, foldedRun);
    cells.set(getCellId(key), scoredCell);
    recoveredCells.push(scoredCell);
    const packed = await packTape(tape);
    writes.push(
      { store: 'tapes', remove: runId },
      { store: 'tapes', put: { runId, firstSeq: 0, entries: [], packed, count: tape.length } },
    );
  }
  writes.push(...buildCellBlockWrites(trial, recoveredCells, cells, getCaseIndexes(trial)));
  const emptyHeartbeat: Write = {
    store: 'trials',
    put: { id: getHeartbeatId(trial.id), at: heartbeat.at, runs: [] },
  };
  // If the disk rejects writes, the trial is shown anyway; the recorder retries and reports the problem.
  await records
    .write([...writes, emptyHeartbeat], { strict: true })
    .catch(() => writes.forEach((write, index) => put(`${trial.id} left ${index}`, write)));
  store.notifyCells(recoveredCells);
}
