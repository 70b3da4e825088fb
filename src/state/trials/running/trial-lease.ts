/** This tab's lease of a trial: the lock, and a record that says again and again that its tab is alive. */
import type { HeartbeatRecord } from '../../../trials/trial-schemas.ts';
import type { TrialLock } from '../../tabs/trial-lock.ts';

const heartbeatIntervalMs = 10_000;

export interface TrialLease {
  isHeld: () => boolean;
  /** False where another tab has it. */
  acquire: () => Promise<boolean>;
  /** Waits until no other tab has it. */
  acquireWhenFree: () => Promise<void>;
  /**
   * What is stored is read again, since another may have gone on until now, and what that has left alive is taken in
   * before its record is written again. Lets go where that fails.
   */
  reloadAndRecover: () => Promise<HeartbeatRecord | undefined>;
  /** Says that this tab is alive, now and every ten seconds. */
  startHeartbeat: () => void;
  release: () => void;
  /** Calls once when no tab holds it any more. */
  onFree: (listener: () => void) => void;
  /** No longer waits to be told. */
  cancelOnFree: () => void;
}

interface TrialLeaseDeps {
  lock: TrialLock;
  writeHeartbeat: () => void;
  reload: () => Promise<HeartbeatRecord | undefined>;
  recover: (heartbeat: HeartbeatRecord) => Promise<void>;
}

export function createTrialLease({ lock, writeHeartbeat, reload, recover }: TrialLeaseDeps): TrialLease {
  let isHeld = false;
  let heartbeatTimer: ReturnType<typeof setInterval> | undefined;

  function startHeartbeat(): void {
    clearInterval(heartbeatTimer);
    writeHeartbeat();
    heartbeatTimer = setInterval(writeHeartbeat, heartbeatIntervalMs);
  }

  function release(): void {
    clearInterval(heartbeatTimer);
    isHeld = false;
    lock.release();
  }

  return {
    isHeld: () => isHeld,
    acquire: async () => {
      isHeld = await lock.acquire();
      return isHeld;
    },
    acquireWhenFree: async () => {
      await lock.acquireWhenFree();
      isHeld = true;
    },
    reloadAndRecover: async () => {
      try {
        const heartbeatRecord = await reload();
        if (heartbeatRecord) await recover(heartbeatRecord);
        startHeartbeat();
        return heartbeatRecord;
      } catch (error) {
        release();
        throw error;
      }
    },
    startHeartbeat,
    release,
    onFree: (listener) => void lock.onFree(listener).catch(() => undefined),
    cancelOnFree: lock.cancelOnFree,
  };
}
