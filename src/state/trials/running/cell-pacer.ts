/**
 * Determines when the next cell may be sent: first the trial's own interval and pauses, then the shared request queue.
 */
import { delay } from 'es-toolkit';

import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import {
  resetRejections,
  getIntervalMs,
  initialPace,
  shouldPauseTrial,
  measureRequestsPerMinute,
  getRequestsPerMinute,
  slowDown,
  type TrialPace,
} from '../../../trials/trial-pace.ts';
import type { RunQueue } from '../../runs/run-queue.ts';
import type { PaceStatus } from '../open-trial.ts';

/** Pace of one gateway, shared by all of its trials in this tab. */
export interface GatewayPace {
  /** Returns the milliseconds until the next cell may be sent; 0 if it may be sent now. */
  getWaitMs: () => number;
  /** Records that a cell was sent. */
  onSent: () => void;
  onAnswer: () => void;
  /** Records a rejection of a paced request. Returns true if all trials of the gateway must pause. */
  onRejected: (report: ErrorReport, sentAt: number) => boolean;
  /** Resets the count of rejections when the user resumes. */
  resetRejections: () => void;
  getStatus: () => PaceStatus;
}

export function createGatewayPace({ queue, now }: { queue: RunQueue; now: () => number }): GatewayPace {
  let pace: TrialPace = initialPace;
  /** Epoch milliseconds of the requests in the last minute. */
  let sentAt: number[] = [];

  const getLimit = (): number => queue.getLimit();
  const getPerMinute = (): number => getRequestsPerMinute(pace, getLimit(), now());

  return {
    getWaitMs: () => {
      const lastSentAt = sentAt.at(-1) ?? Number.NEGATIVE_INFINITY;
      const nextAllowedMs = pace.override ? lastSentAt + getIntervalMs(getPerMinute()) : 0;
      return Math.max(0, Math.max(nextAllowedMs, pace.blockedUntil) - now());
    },
    onSent: () => (sentAt = [...sentAt.filter((timestamp) => timestamp > now() - 60_000), now()]),
    onAnswer: () => (pace = resetRejections(pace)),
    onRejected: (report, requestSentAt) => {
      const sentSinceHold = sentAt.filter((timestamp) => timestamp >= pace.blockedUntil);
      const measuredPerMinute = measureRequestsPerMinute(sentSinceHold, now());
      pace = slowDown(pace, {
        at: now(),
        sentAt: requestSentAt,
        limit: getLimit(),
        perMinute: measuredPerMinute,
        report,
      });
      return shouldPauseTrial(pace);
    },
    resetRejections: () => (pace = { ...pace, rejections: 0 }),
    getStatus: () => {
      const rate = getPerMinute();
      return {
        perMinute: rate,
        isSlowed: pace.override !== undefined && rate !== getLimit(),
        blockedUntil: pace.blockedUntil,
        slots: queue.getCapacity('cell'),
      };
    },
  };
}

interface CellPacerDeps {
  queue: RunQueue;
  gatewayPace: GatewayPace;
  /** Returns true if only the pace can delay a cell. */
  canSend: () => boolean;
}

/** Queues the cells of one trial. Resolves when the next may be sent, with a function that releases its slot; rejects on abort. */
export function createCellPacer({ queue, gatewayPace, canSend }: CellPacerDeps): RunQueue['acquire'] {
  let chain: Promise<unknown> = Promise.resolve();

  async function waitUntilAllowed(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      // Waits for the abort, which is triggered by the code that blocks sending.
      if (!canSend()) await rejectOnAbort(signal);
      const waitMs = gatewayPace.getWaitMs();
      if (waitMs <= 0) return;
      // After an abort, the next round throws with its reason.
      await delay(waitMs, { signal }).catch(() => undefined);
    }
  }

  async function waitForSlot(runId: string, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      await waitUntilAllowed(signal);
      const release = await queue.acquire(runId, signal, 'cell');
      // Checked again: by now, the pace may be paused or another trial may have sent a cell.
      if (canSend() && gatewayPace.getWaitMs() <= 0) {
        gatewayPace.onSent();
        return release;
      }
      release();
    }
  }

  return (runId, signal) => {
    const slot = chain.then(() => waitForSlot(runId, signal));
    chain = slot.catch(() => undefined);
    return slot;
  };
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
