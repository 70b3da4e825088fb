/** How fast the cells of a trial leave, and how long they take. */
import type { ErrorReport } from '../gateway/errors/errors.ts';

/** As in the queue of all requests: a little over a minute, so that no request meets the one of a minute before. */
const windowMs = 60_500;
const minuteMs = 60_000;
const refusalPauseMs = 10_000;
const mostRefusals = 3;
/** Time without a refusal after which a slowed pace doubles. */
const cleanMs = 20_000;
/** Requests per minute that a refusal never goes below. */
const minOwnPerMinute = 10;
/** Requests per minute above which a slowed pace ends. */
const maxOwnPerMinute = 6000;
/** Rates are measured over a second at least: a few requests at once say little of what a minute allows. */
const minRateMs = 1000;

/** The milliseconds between two cells; 0 where the limit is 0, which is none. */
export function distanceMs(perMinute: number): number {
  return perMinute === 0 ? 0 : windowMs / perMinute;
}

/** How many of so many places cells may take: one is always left to people. */
export function placesFor(places: number): number {
  return places >= 64 ? 24 : Math.max(1, places - 1);
}

/** The pace of all trials at one gateway: slower than its limit once it has refused requests although they were paced. */
export interface TrialPace {
  /** Requests per minute, slower than the limit; absent: the limit alone counts. */
  own?: { perMinute: number; since: number };
  /** Nothing leaves before then, in epoch milliseconds. */
  heldUntil: number;
  /** End of the wait of the last refusal that counted: refusals of requests from before it do not count again. */
  waitedUntil: number;
  /** Refusals in a row, without an answer between, each of a request that had waited for the one before. */
  refusals: number;
}

export const freshPace: TrialPace = { heldUntil: 0, waitedUntil: 0, refusals: 0 };

/** Requests per minute at this moment. `limit` is that of the queue, 0 for none. */
export function perMinuteAt({ own }: TrialPace, limit: number, now: number): number {
  if (!own) return limit;
  const risen = own.perMinute * 2 ** Math.max(0, Math.floor((now - own.since) / cleanMs));
  if (limit === 0) return risen < maxOwnPerMinute ? risen : 0;
  return Math.min(limit, risen);
}

/** Computes requests per minute from those of the last minute; 0 without any. */
export function computePerMinute(sentAt: readonly number[], now: number): number {
  const recent = sentAt.filter((at) => at > now - minuteMs && at <= now);
  const passedMs = recent.reduce((longest, at) => Math.max(longest, now - at), minRateMs);
  return (recent.length / passedMs) * minuteMs;
}

export interface Refusal {
  at: number;
  /** Send time of the refused request, in epoch milliseconds. */
  sentAt: number;
  limit: number;
  /** Measured rate, for gateways without a limit. */
  perMinute: number;
  report?: ErrorReport;
}

/** Returns the pace after a 429: on hold, and halved once for all requests sent before the gateway asked to wait. */
export function refusedPace(pace: TrialPace, { at, sentAt, limit, perMinute, report }: Refusal): TrialPace {
  const waitedUntil = at + (report?.retryAfterMs ?? refusalPauseMs);
  const heldUntil = Math.max(pace.heldUntil, waitedUntil);
  if (sentAt < pace.waitedUntil)
    return { ...pace, heldUntil, ...(pace.own ? { own: { ...pace.own, since: heldUntil } } : {}) };
  const planned = perMinuteAt(pace, limit, at);
  const before = limit > 0 ? planned : Math.min(planned || perMinute, perMinute);
  return {
    own: { perMinute: Math.max(minOwnPerMinute, Math.floor(before / 2)), since: heldUntil },
    heldUntil,
    waitedUntil,
    refusals: pace.refusals + 1,
  };
}

/** The pace after an answer; what was slowed stays slowed. */
export function answeredPace(pace: TrialPace): TrialPace {
  return pace.refusals === 0 ? pace : { ...pace, refusals: 0 };
}

/** After the third refusal without an answer between, trials of this gateway pause. */
export function isRefused({ refusals }: TrialPace): boolean {
  return refusals >= mostRefusals;
}

export interface TimeLeft {
  ms: number;
  /** At least: how long an answer takes is not known for each column. */
  isAtLeast: boolean;
}

/**
 * How long so many requests take: the pace or the answers, whichever is slower. `columns` has the requests of each and
 * the mean duration of its answers, where there are any.
 */
export function timeLeft(
  columns: readonly { requests: number; meanMs: number | undefined }[],
  perMinute: number,
  places: number,
): TimeLeft {
  const requests = columns.reduce((sum, column) => sum + column.requests, 0);
  const answering = columns.reduce((sum, column) => sum + column.requests * (column.meanMs ?? 0), 0);
  return {
    ms: Math.max(requests * distanceMs(perMinute), answering / places),
    isAtLeast: columns.some((column) => column.requests > 0 && column.meanMs === undefined),
  };
}

/** "7 min 16 s", "1 h 5 min", "45 s". */
export function durationWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
