/** Shows runs streamed by other tabs: reads their tapes as they grow and records how they ended. */
import { foldInterruptedTape } from '../../conversation/reply/fold-tape.ts';
import { applyEvents, resetRun, isLive, type TimedEvent } from '../../conversation/reply/run.ts';
import { setRun } from '../../conversation/session/edit-session.ts';
import type { Run, RunId, SessionId } from '../../conversation/session/types.ts';
import { createTapeReader } from '../../gateway/stream/stream-events.ts';
import { getEntryTime } from '../../gateway/stream/tape.ts';
import type { Traces } from '../runs/traces.ts';
import type { Library } from '../sessions/library.ts';
import { updateSession, findSessionByRun, type SessionStore } from '../sessions/session-store.ts';
import type { RunOwners } from './tab-locks.ts';

export interface RunFollower {
  /** Follows every live run of this session that this tab does not drive. */
  followAll: (sessionId: SessionId) => void;
  /** Called when more of this run's tape has been stored. */
  onTapeGrew: (runId: RunId) => void;
  /** Called when the streaming tab has rewritten the run's record, so folding starts again. */
  restart: (runId: RunId) => void;
  /** Resolves when a followed run has ended; immediately if it is not followed. */
  whenEnded: (runId: RunId) => Promise<void>;
}

interface FollowedRun {
  nextSeq: number;
  /** Created with the first entry. */
  readEntry: ReturnType<typeof createTapeReader> | undefined;
  /** Serialises the reads of this tape. */
  pendingRead: Promise<void>;
  ended: Promise<void>;
}

interface RunFollowerDeps {
  store: SessionStore;
  library: Library;
  owners: RunOwners;
  traces: Traces;
  isOwnRun: (runId: RunId) => boolean;
  /** Runs a change of the store that must not be written, because it is already stored. */
  runAsRemoteChange: (change: () => void) => void;
}

export function createRunFollower({
  store,
  library,
  owners,
  traces,
  isOwnRun,
  runAsRemoteChange,
}: RunFollowerDeps): RunFollower {
  const followedRuns = new Map<RunId, FollowedRun>();

  const getFollowedRun = (runId: RunId) => findSessionByRun(store.getState(), runId)?.runs[runId];

  function changeRun(runId: RunId, edit: (run: Run) => Run): void {
    const data = findSessionByRun(store.getState(), runId);
    const run = data?.runs[runId];
    if (data && run) updateSession(store, data.session.id, (current) => setRun(current, edit(run)));
  }

  async function readMore(runId: RunId, followedRun: FollowedRun): Promise<void> {
    const readEntry = (followedRun.readEntry ??= createTapeReader(getFollowedRun(runId)?.sentAt));
    const { entries, nextSeq } = await library.readTapeFrom(runId, followedRun.nextSeq);
    const run = getFollowedRun(runId);
    // The run was restarted in the meantime, so these entries will be read again.
    if (
      followedRuns.get(runId) !== followedRun ||
      followedRun.readEntry !== readEntry ||
      !run ||
      !isLive(run)
    )
      return;
    followedRun.nextSeq = nextSeq;
    const events: TimedEvent[] = [];
    for (const entry of entries)
      for (const event of readEntry(entry)) events.push({ atMs: getEntryTime(entry), event });
    traces.push(runId, events);
    runAsRemoteChange(() => changeRun(runId, (current) => applyEvents(current, events)));
  }

  /** Finishes a run released by its tab: either its end is stored, or the tab died and the end is stored here. */
  async function finishRun(runId: RunId, followedRun: FollowedRun): Promise<void> {
    await followedRun.pendingRead.catch(() => undefined);
    followedRuns.delete(runId);
    const run = getFollowedRun(runId);
    if (!run || !isLive(run)) return;
    const storedRun = await library.readRun(runId);
    if (storedRun && !isLive(storedRun)) {
      runAsRemoteChange(() => changeRun(runId, () => storedRun));
      return;
    }
    const tape = await library.readTape(runId);
    changeRun(runId, (current) => foldInterruptedTape(resetRun(storedRun ?? current), tape));
  }

  function follow(run: Run): void {
    const followedRun: FollowedRun = {
      nextSeq: 0,
      readEntry: undefined,
      pendingRead: Promise.resolve(),
      ended: Promise.resolve(),
    };
    followedRuns.set(run.id, followedRun);
    runAsRemoteChange(() => changeRun(run.id, resetRun));
    followedRun.pendingRead = readMore(run.id, followedRun);
    followedRun.ended = owners
      .whenReleased(run.id)
      .then(() => finishRun(run.id, followedRun))
      .catch(() => undefined);
  }

  return {
    followAll: (sessionId) => {
      const runs = Object.values(store.getState().open[sessionId]?.runs ?? {});
      for (const run of runs) if (isLive(run) && !isOwnRun(run.id) && !followedRuns.has(run.id)) follow(run);
    },
    onTapeGrew: (runId) => {
      const followedRun = followedRuns.get(runId);
      if (followedRun)
        followedRun.pendingRead = followedRun.pendingRead
          .then(() => readMore(runId, followedRun))
          .catch(() => undefined);
    },
    restart: (runId) => {
      const followedRun = followedRuns.get(runId);
      const run = getFollowedRun(runId);
      if (!followedRun || !run || !isLive(run)) return;
      followedRun.nextSeq = 0;
      followedRun.readEntry = undefined;
      runAsRemoteChange(() => changeRun(runId, resetRun));
      followedRun.pendingRead = followedRun.pendingRead
        .then(() => readMore(runId, followedRun))
        .catch(() => undefined);
    },
    whenEnded: async (runId) => followedRuns.get(runId)?.ended,
  };
}
