/**
 * Brings ended cells to the disk: run, packed tape, block of cells and the shortened list of what is alive in one
 * transaction, at most one a second. Until then that list names the run, and its tape is on the disk entry by entry.
 */
import type { RecordStore, Write } from '../../../storage/record-store.ts';
import { aliveId, packTape, type AliveRecord } from '../../../trials/trial-schemas.ts';
import type { Cell } from '../../../trials/trial.ts';
import type { Recorder } from '../../runs/recorder.ts';
import type { TrialDesk } from '../open-trial-store.ts';
import { casePlaces, cellBlocksWrites, storedCellRun } from '../trial-records.ts';
import type { EndedCell } from './cell-runs.ts';

const everyMs = 1000;
const retryMs = 2000;

export interface CellKeeper {
  keep: (ended: EndedCell, cell: Cell) => void;
  /** What ended and is not on the disk as a cell: it counts as alive. */
  waiting: () => AliveRecord['runs'];
  /** Writes what waits now; resolves when it is stored, or was refused. */
  flush: () => Promise<void>;
}

export interface CellKeeperParts {
  desk: Pick<TrialDesk, 'trial' | 'cells'>;
  records: RecordStore;
  recorder: Recorder;
  now: () => number;
  /** What is under way. */
  live: () => AliveRecord['runs'];
  /** The disk takes no more. */
  onRefused: (error: unknown) => void;
  /** Something waits to be stored until the function returned is called. */
  beginWaiting: () => () => void;
}

export function createCellKeeper(parts: CellKeeperParts): CellKeeper {
  const { desk, records, recorder, now } = parts;
  let waiting: { ended: EndedCell; cell: Cell }[] = [];
  let writing: { ended: EndedCell; cell: Cell }[] = [];
  let line: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  let isStored: (() => void) | undefined;

  function schedule(ms: number): void {
    timer ??= setTimeout(() => void flush(), ms);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    line = line.then(write);
    return line;
  }

  async function write(): Promise<void> {
    if (waiting.length === 0) return;
    lastAt = now();
    writing = waiting;
    waiting = [];
    try {
      // Before the transaction: it does not wait for a stream.
      const packed = await Promise.all(
        writing.map(async ({ ended: { key, run, tape } }) => ({
          key,
          run,
          tape,
          bytes: await packTape(tape),
        })),
      );
      await recorder.flush();
      const trial = desk.trial();
      const puts = packed.flatMap(({ key, run, tape, bytes }): Write[] => [
        { store: 'runs', put: storedCellRun(run, key.columnId) },
        { store: 'tapes', remove: run.id },
        {
          store: 'tapes',
          put: { runId: run.id, firstSeq: 0, entries: [], packed: bytes, count: tape.length },
        },
      ]);
      const cells = cellBlocksWrites(
        trial,
        writing.map(({ cell }) => cell),
        desk.cells,
        casePlaces(trial),
      );
      const alive: AliveRecord = {
        id: aliveId(trial.id),
        at: now(),
        runs: [...parts.live(), ...runsOf(waiting)],
      };
      await records.write([...puts, ...cells, { store: 'trials', put: alive }], { strict: true });
      writing = [];
    } catch (error) {
      waiting = [...writing, ...waiting];
      writing = [];
      schedule(retryMs);
      parts.onRefused(error);
      return;
    }
    if (waiting.length > 0) return;
    isStored?.();
    isStored = undefined;
  }

  return {
    keep: (ended, cell) => {
      isStored ??= parts.beginWaiting();
      waiting.push({ ended, cell });
      schedule(Math.max(0, lastAt + everyMs - now()));
    },
    waiting: () => runsOf([...writing, ...waiting]),
    flush,
  };
}

function runsOf(ended: readonly { ended: EndedCell }[]): AliveRecord['runs'] {
  return ended.map(({ ended: { key, run } }) => ({ ...key, runId: run.id }));
}
