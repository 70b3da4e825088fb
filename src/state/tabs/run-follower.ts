import { foldInterruptedTape } from '../../conversation/reply/fold-tape.ts';
/** Runs that another tab streams, shown live here: their tapes are read as they grow, and their end is settled. */
import { applyEvents, resetRun, isLive, type TimedEvent } from '../../conversation/reply/run.ts';
import { setRun } from '../../conversation/session/edit-session.ts';
import type { Run, RunId, SessionId } from '../../conversation/session/types.ts';
import { createTapeReader } from '../../gateway/stream/stream-events.ts';
import { getEntryTime } from '../../gateway/stream/tape.ts';
import type { Traces } from '../runs/traces.ts';
import type { Library } from '../sessions/library.ts';
import { changeSession, sessionOfRun, type SessionStore } from '../sessions/session-store.ts';
import type { RunOwners } from './locks.ts';

export interface RunFollower {
  /** Follows every live run of this session that no run driver of this tab drives. */
  followAll: (sessionId: SessionId) => void;
  /** More of this run's tape is stored. */
  tapeGrew: (runId: RunId) => void;
  /** The run's record was written again by its tab, so what is folded on top of it begins again. */
  restart: (runId: RunId) => void;
  /** Resolves when a followed run has ended; at once where it is not followed. */
  ended: (runId: RunId) => Promise<void>;
}

interface Followed {
  nextSeq: number;
  /** Made when the first entry is read. */
  read: ReturnType<typeof createTapeReader> | undefined;
  /** One reading after the other. */
  reading: Promise<void>;
  ended: Promise<void>;
}

interface Parts {
  store: SessionStore;
  library: Library;
  owners: RunOwners;
  traces: Traces;
  isOwnRun: (runId: RunId) => boolean;
  /** Runs a change of the store that is not to be written: the disk has it. */
  asForeign: (change: () => void) => void;
}

export function createRunFollower({
  store,
  library,
  owners,
  traces,
  isOwnRun,
  asForeign,
}: Parts): RunFollower {
  const followed = new Map<RunId, Followed>();

  const runOf = (runId: RunId) => sessionOfRun(store.getState(), runId)?.runs[runId];

  function change(runId: RunId, edit: (run: Run) => Run): void {
    const data = sessionOfRun(store.getState(), runId);
    const run = data?.runs[runId];
    if (data && run) changeSession(store, data.session.id, (now) => setRun(now, edit(run)));
  }

  async function readMore(runId: RunId, known: Followed): Promise<void> {
    const read = (known.read ??= createTapeReader(runOf(runId)?.sentAt));
    const { entries, nextSeq } = await library.tapeFrom(runId, known.nextSeq);
    const run = runOf(runId);
    // Begun again meanwhile: these entries come once more.
    if (followed.get(runId) !== known || known.read !== read || !run || !isLive(run)) return;
    known.nextSeq = nextSeq;
    const events: TimedEvent[] = [];
    for (const entry of entries)
      for (const event of read(entry)) events.push({ atMs: getEntryTime(entry), event });
    traces.push(runId, events);
    asForeign(() => change(runId, (now) => applyEvents(now, events)));
  }

  /** Its tab let go of it: either it has written the end, or it died and the end is written here. */
  async function settle(runId: RunId, known: Followed): Promise<void> {
    await known.reading.catch(() => undefined);
    followed.delete(runId);
    const run = runOf(runId);
    if (!run || !isLive(run)) return;
    const stored = await library.storedRun(runId);
    if (stored && !isLive(stored)) {
      asForeign(() => change(runId, () => stored));
      return;
    }
    const tape = await library.readTape(runId);
    change(runId, (now) => foldInterruptedTape(resetRun(stored ?? now), tape));
  }

  function follow(run: Run): void {
    const begun: Followed = {
      nextSeq: 0,
      read: undefined,
      reading: Promise.resolve(),
      ended: Promise.resolve(),
    };
    followed.set(run.id, begun);
    asForeign(() => change(run.id, resetRun));
    begun.reading = readMore(run.id, begun);
    begun.ended = owners
      .released(run.id)
      .then(() => settle(run.id, begun))
      .catch(() => undefined);
  }

  return {
    followAll: (sessionId) => {
      const runs = Object.values(store.getState().open[sessionId]?.runs ?? {});
      for (const run of runs) if (isLive(run) && !isOwnRun(run.id) && !followed.has(run.id)) follow(run);
    },
    tapeGrew: (runId) => {
      const known = followed.get(runId);
      if (known) known.reading = known.reading.then(() => readMore(runId, known)).catch(() => undefined);
    },
    restart: (runId) => {
      const known = followed.get(runId);
      const run = runOf(runId);
      if (!known || !run || !isLive(run)) return;
      known.nextSeq = 0;
      known.read = undefined;
      asForeign(() => change(runId, resetRun));
      known.reading = known.reading.then(() => readMore(runId, known)).catch(() => undefined);
    },
    ended: async (runId) => followed.get(runId)?.ended,
  };
}
