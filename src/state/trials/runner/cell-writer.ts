/**
 * Stores ended cells: run, packed tape, cell block and heartbeat in one transaction, at most once per second. Until
 * then, the heartbeat lists the run, and its tape is stored entry by entry.
 */
import type { RecordStore, Write } from '../../../storage/record-store.ts';
import { getHeartbeatId, type HeartbeatRecord } from '../../../trials/trial-schemas.ts';
import type { Cell } from '../../../trials/trial.ts';
import type { Recorder } from '../../runs/recorder.ts';
import {
  buildCellBlockWrites,
  buildPackedTapeWrites,
  getCaseIndexes,
  toStoredCellRun,
} from '../repository/trial-records.ts';
import type { TrialStore } from '../store/trial-store.ts';
import type { EndedCell } from './cell-runs.ts';

const writeIntervalMs = 1000;
const retryMs = 2000;

export interface CellWriter {
  enqueue: (ended: EndedCell, cell: Cell) => void;
  /** Returns ended runs that are not stored as cells yet; the heartbeat lists them. */
  listPendingRuns: () => HeartbeatRecord['runs'];
  /** Writes pending cells now; resolves when they are stored or the write has failed. */
  flush: () => Promise<void>;
}

export interface CellWriterDeps {
  store: Pick<TrialStore, 'getTrial' | 'cells'>;
  records: RecordStore;
  recorder: Recorder;
  now: () => number;
  /** Returns the runs in progress. */
  listUnreleasedRuns: () => HeartbeatRecord['runs'];
  /** Called when a write fails. */
  onWriteError: (error: unknown) => void;
  /** Counts pending data as unsaved until the returned function is called. */
  trackUnsaved: () => () => void;
}

export function createCellWriter(deps: CellWriterDeps): CellWriter {
  const { store, records, recorder, now } = deps;
  let pendingCells: { ended: EndedCell; cell: Cell }[] = [];
  let cellsBeingWritten: { ended: EndedCell; cell: Cell }[] = [];
  let writeChain: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastWriteMs = Number.NEGATIVE_INFINITY;
  let stopTracking: (() => void) | undefined;

  function scheduleFlush(ms: number): void {
    timer ??= setTimeout(() => void flush(), ms);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writeChain = writeChain.then(write);
    return writeChain;
  }

  async function write(): Promise<void> {
    if (pendingCells.length === 0) return;
    lastWriteMs = now();
    cellsBeingWritten = pendingCells;
    pendingCells = [];
    try {
      // Packed before the transaction starts, because a transaction would close while a stream is read.
      const tapeWrites = await Promise.all(
        cellsBeingWritten.map(({ ended: { run, tape } }) => buildPackedTapeWrites(run.id, tape)),
      );
      await recorder.flush();
      const trial = store.getTrial();
      const runWrites = cellsBeingWritten.map(({ ended: { key, run } }): Write => ({
        store: 'runs',
        put: toStoredCellRun(run, key.columnId),
      }));
      const cellWrites = buildCellBlockWrites(
        trial,
        cellsBeingWritten.map(({ cell }) => cell),
        store.cells,
        getCaseIndexes(trial),
      );
      const heartbeat: HeartbeatRecord = {
        id: getHeartbeatId(trial.id),
        at: now(),
        runs: [...deps.listUnreleasedRuns(), ...toHeartbeatRuns(pendingCells)],
      };
      await records.write(
        [...runWrites, ...tapeWrites.flat(), ...cellWrites, { store: 'trials', put: heartbeat }],
        {
          strict: true,
        },
      );
      cellsBeingWritten = [];
    } catch (error) {
      pendingCells = [...cellsBeingWritten, ...pendingCells];
      cellsBeingWritten = [];
      scheduleFlush(retryMs);
      deps.onWriteError(error);
      return;
    }
    if (pendingCells.length > 0) return;
    stopTracking?.();
    stopTracking = undefined;
  }

  return {
    enqueue: (ended, cell) => {
      stopTracking ??= deps.trackUnsaved();
      pendingCells.push({ ended, cell });
      scheduleFlush(Math.max(0, lastWriteMs + writeIntervalMs - now()));
    },
    listPendingRuns: () => toHeartbeatRuns([...cellsBeingWritten, ...pendingCells]),
    flush,
  };
}

function toHeartbeatRuns(endedCells: readonly { ended: EndedCell }[]): HeartbeatRecord['runs'] {
  return endedCells.map(({ ended: { key, run } }) => ({ ...key, runId: run.id }));
}
