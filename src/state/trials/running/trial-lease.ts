/** This tab's hold on a trial: the lock, and a record that says again and again that its tab is alive. */
import type { AliveRecord } from '../../../trials/trial-schemas.ts';
import type { TrialLock } from '../../tabs/trial-lock.ts';

const heartbeatMs = 10_000;

export interface Hold {
  isHeld: () => boolean;
  /** False where another tab has it. */
  take: () => Promise<boolean>;
  /** Waits until no other tab has it. */
  wait: () => Promise<void>;
  /**
   * What is stored is read again, since another may have gone on until now, and what that has left alive is taken in
   * before its record is written again. Lets go where that fails.
   */
  takeIn: () => Promise<AliveRecord | undefined>;
  /** Says that this tab is alive, now and every ten seconds. */
  beat: () => void;
  letGo: () => void;
  /** Calls once when no tab holds it any more. */
  whenFree: (listener: () => void) => void;
  /** No longer waits to be told. */
  forget: () => void;
}

interface HoldParts {
  lock: TrialLock;
  putAlive: () => void;
  reload: () => Promise<AliveRecord | undefined>;
  recover: (alive: AliveRecord) => Promise<void>;
}

export function createHold({ lock, putAlive, reload, recover }: HoldParts): Hold {
  let isHeld = false;
  let heartbeat: ReturnType<typeof setInterval> | undefined;

  function beat(): void {
    clearInterval(heartbeat);
    putAlive();
    heartbeat = setInterval(putAlive, heartbeatMs);
  }

  function letGo(): void {
    clearInterval(heartbeat);
    isHeld = false;
    lock.release();
  }

  return {
    isHeld: () => isHeld,
    take: async () => {
      isHeld = await lock.take();
      return isHeld;
    },
    wait: async () => {
      await lock.wait();
      isHeld = true;
    },
    takeIn: async () => {
      try {
        const alive = await reload();
        if (alive) await recover(alive);
        beat();
        return alive;
      } catch (error) {
        letGo();
        throw error;
      }
    },
    beat,
    letGo,
    whenFree: (listener) => void lock.whenFree(listener).catch(() => undefined),
    forget: lock.forget,
  };
}
