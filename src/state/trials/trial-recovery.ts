/** What a dead tab left of a trial: an ended run becomes its cell, one without end is interrupted and asked again. */
import type { Run } from '../../conversation/session/types.ts';
import { isUsageRefused } from '../../conversation/setup/refused-fields.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { cellName } from '../../trials/case-order.ts';
import { cellLife, cellOf } from '../../trials/cell.ts';
import { aliveId, packTape, type AliveRecord } from '../../trials/trial-schemas.ts';
import type { Cell } from '../../trials/trial.ts';
import type { TrialDesk } from './open-trial-store.ts';
import type { CellReading } from './open-trial.ts';
import { settledRun } from './running/cell-runs.ts';
import { casePlaces, cellBlocksWrites, storedCellRun } from './trial-records.ts';

interface RecoveryParts {
  desk: TrialDesk;
  put: (key: string, write: Write) => void;
  records: RecordStore;
  readRun: (runId: string) => Promise<Run | undefined>;
  readTape: (runId: string) => Promise<CellReading['tape']>;
  scored: (cell: Cell, run: Run) => Promise<Cell>;
}

/** Resolves when all of it is stored, or handed to what tries on where the disk takes nothing. */
export async function recoverRuns(parts: RecoveryParts, alive: AliveRecord): Promise<void> {
  const { desk, put, records, readRun, readTape, scored } = parts;
  const { cells } = desk;
  const trial = desk.trial();
  const writes: Write[] = [];
  const made: Cell[] = [];
  for (const { runId, ...key } of alive.runs) {
    const known = cells.get(cellName(key));
    if (known?.runId === runId) continue;
    const run = await readRun(runId);
    if (!run) continue;
    const tape = await readTape(runId).catch(() => []);
    const settled = settledRun(run, tape);
    writes.push({ store: 'runs', put: storedCellRun(settled, key.columnId) });
    const life = cellLife(settled);
    const cell = life.name === 'ended' ? cellOf(settled, key, (known?.tries ?? 0) + 1) : undefined;
    if (!cell || settled.status === 401 || isUsageRefused(settled)) continue;
    const whole = await scored(cell, settled);
    cells.set(cellName(key), whole);
    made.push(whole);
    const packed = await packTape(tape);
    writes.push(
      { store: 'tapes', remove: runId },
      { store: 'tapes', put: { runId, firstSeq: 0, entries: [], packed, count: tape.length } },
    );
  }
  writes.push(...cellBlocksWrites(trial, made, cells, casePlaces(trial)));
  const nothingAlive: Write = { store: 'trials', put: { id: aliveId(trial.id), at: alive.at, runs: [] } };
  // Where the disk takes nothing the trial is shown all the same, and the recorder tries on and says so.
  await records
    .write([...writes, nothingAlive], { strict: true })
    .catch(() => writes.forEach((write, index) => put(`${trial.id} left ${index}`, write)));
  desk.cellsChanged(made);
}
