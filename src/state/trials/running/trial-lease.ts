/** Lease of this tab on a trial: a lock, and a heartbeat record that shows that the tab is alive. */
import type { HeartbeatRecord } from '../../../trials/trial-schemas.ts';
import type { TrialLock } from '../../tabs/trial-lock.ts';

const heartbeatIntervalMs = 10_000;

export interface TrialLease {
  isHeld: () => boolean;
  /** Resolves with false if another tab holds the lease. */
  acquire: () => Promise<boolean>;
  /** Waits until no other tab holds the lease, then acquires it. */
  acquireWhenFree: () => Promise<void>;
  /**
   * Reloads the trial, since another tab may have run it until now, and recovers the runs it left before the heartbeat
   * is overwritten. Releases the lease if that fails.
   */
  reloadAndRecover: () => Promise<HeartbeatRecord | undefined>;
  /** Writes the heartbeat now and every ten seconds. */
  startHeartbeat: () => void;
  release: () => void;
  /** Calls the listener once when no tab holds the lease any more. */
  onFree: (listener: () => void) => void;
  /** Cancels a pending `onFree`. */
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
