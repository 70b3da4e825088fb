/** When the next cell may leave: the trial's own distance and holds first, then the line of all requests. */
import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import {
  answeredPace,
  distanceMs,
  freshPace,
  isRefused,
  computePerMinute,
  perMinuteAt,
  refusedPace,
  type TrialPace,
} from '../../../trials/trial-pace.ts';
import type { RunQueue } from '../../runs/run-queue.ts';
import type { PaceFacts } from '../open-trial.ts';

/** The pace of one gateway, which all its trials in this tab share. */
export interface GatewayPace {
  /** Milliseconds until the next cell may leave; 0 if it may now. */
  waitMs: () => number;
  /** Records that a cell was sent. */
  left: () => void;
  answered: () => void;
  /** Records a rejection of a paced request. True if the trials of the gateway must pause. */
  refused: (report: ErrorReport, sentAt: number) => boolean;
  /** A person goes on: refusals are counted from here. */
  forgive: () => void;
  facts: () => PaceFacts;
}

export function createGatewayPace({ queue, now }: { queue: RunQueue; now: () => number }): GatewayPace {
  let pace: TrialPace = freshPace;
  /** Epoch milliseconds of the requests of the last minute. */
  let sentAt: number[] = [];

  const limit = (): number => queue.limit();
  const perMinute = (): number => perMinuteAt(pace, limit(), now());

  return {
    waitMs: () => {
      const lastSentAt = sentAt.at(-1) ?? Number.NEGATIVE_INFINITY;
      const own = pace.own ? lastSentAt + distanceMs(perMinute()) : 0;
      return Math.max(0, Math.max(own, pace.heldUntil) - now());
    },
    left: () => (sentAt = [...sentAt.filter((at) => at > now() - 60_000), now()]),
    answered: () => (pace = answeredPace(pace)),
    refused: (report, requestSentAt) => {
      const sinceHold = sentAt.filter((at) => at >= pace.heldUntil);
      const measured = computePerMinute(sinceHold, now());
      pace = refusedPace(pace, {
        at: now(),
        sentAt: requestSentAt,
        limit: limit(),
        perMinute: measured,
        report,
      });
      return isRefused(pace);
    },
    forgive: () => (pace = { ...pace, refusals: 0 }),
    facts: () => {
      const rate = perMinute();
      return {
        perMinute: rate,
        isSlowed: pace.own !== undefined && rate !== limit(),
        heldUntil: pace.heldUntil,
        places: queue.most('cell'),
      };
    },
  };
}

interface PacingParts {
  queue: RunQueue;
  gateway: GatewayPace;
  /** A cell has to wait for nothing but its pace. */
  mayLeave: () => boolean;
}

/** Queues the cells of one trial. Resolves when the next may be sent, with a function that releases its slot; rejects on abort. */
export function createPacing({ queue, gateway, mayLeave }: PacingParts): RunQueue['enter'] {
  let line: Promise<unknown> = Promise.resolve();

  async function whenAllowed(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      // Whoever keeps it from leaving takes it out of the line.
      if (!mayLeave()) await aborted(signal);
      const waitMs = gateway.waitMs();
      if (waitMs <= 0) return;
      await passed(waitMs, signal);
    }
  }

  async function left(runId: string, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      await whenAllowed(signal);
      const leave = await queue.enter(runId, signal, 'cell');
      // The pace may be on hold now, or another trial may have sent a cell first.
      if (mayLeave() && gateway.waitMs() <= 0) {
        gateway.left();
        return leave;
      }
      leave();
    }
  }

  return (runId, signal) => {
    const turn = line.then(() => left(runId, signal));
    line = turn.catch(() => undefined);
    return turn;
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'));
    if (signal.aborted) return end();
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Resolves after so many milliseconds, or when the signal aborts. */
function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
