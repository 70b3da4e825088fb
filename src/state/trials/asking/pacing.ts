/** When the next cell may leave: the trial's own distance and holds first, then the line of all requests (trials.md, section 5). */
import type { ErrorReport } from '../../../gateway/errors/errors.ts';
import {
  answeredPace,
  distanceMs,
  freshPace,
  isRefused,
  perMinuteAt,
  refusedPace,
  type TrialPace,
} from '../../../trials/pace.ts';
import type { RunQueue } from '../../runs/run-queue.ts';
import type { PaceFacts } from '../open-trial.ts';

export interface Pacing {
  /** Resolves when it may leave, with what gives its place back. Rejects when the signal aborts. */
  enter: (runId: string, signal: AbortSignal) => Promise<() => void>;
  answered: () => void;
  /** The gateway refused a request although it was paced. True where the trial has to pause for it. */
  refused: (report: ErrorReport) => boolean;
  /** A person goes on: refusals are counted from here. */
  forgive: () => void;
  facts: () => PaceFacts;
}

interface PacingParts {
  queue: RunQueue;
  now: () => number;
  /** A cell has to wait for nothing but its pace. */
  mayLeave: () => boolean;
}

export function createPacing({ queue, now, mayLeave }: PacingParts): Pacing {
  let pace: TrialPace = freshPace;
  let lastSentAt = Number.NEGATIVE_INFINITY;
  /** Of the last minute. */
  let sentAt: number[] = [];
  let line: Promise<unknown> = Promise.resolve();

  const limit = (): number => queue.limit();
  const perMinute = (): number => perMinuteAt(pace, limit(), now());

  async function whenAllowed(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      // Whoever keeps it from leaving takes it out of the line.
      if (!mayLeave()) await aborted(signal);
      const own = pace.own ? lastSentAt + distanceMs(perMinute()) : 0;
      const waitMs = Math.max(own, pace.heldUntil) - now();
      if (waitMs <= 0) return;
      await passed(waitMs, signal);
    }
  }

  async function left(runId: string, signal: AbortSignal): Promise<() => void> {
    for (;;) {
      await whenAllowed(signal);
      const leave = await queue.enter(runId, signal, 'cell');
      if (mayLeave() && pace.heldUntil <= now()) {
        lastSentAt = now();
        sentAt = [...sentAt.filter((at) => at > lastSentAt - 60_000), lastSentAt];
        return leave;
      }
      leave();
    }
  }

  return {
    enter: (runId, signal) => {
      const turn = line.then(() => left(runId, signal));
      line = turn.catch(() => undefined);
      return turn;
    },
    answered: () => (pace = answeredPace(pace)),
    refused: (report) => {
      pace = refusedPace(pace, { at: now(), limit: limit(), perMinute: sentAt.length, report });
      return isRefused(pace);
    },
    forgive: () => (pace = { ...pace, refusals: 0 }),
    facts: () => ({
      perMinute: perMinute(),
      isSlowed: pace.own !== undefined && (limit() === 0 || perMinute() < limit()),
      heldUntil: pace.heldUntil,
      places: queue.most('cell'),
    }),
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
