/** How fast the cells of a trial leave, and how long they take. */
import type { ErrorReport } from '../gateway/errors/errors.ts';

/** As in the queue of all requests: a little over a minute, so that no request meets the one of a minute before. */
const windowMs = 60_500;
const minuteMs = 60_000;
const rejectionPauseMs = 10_000;
const maxRejections = 3;
/** Time without a refusal after which a slowed pace doubles. */
const speedUpAfterMs = 20_000;
/** Requests per minute that a refusal never goes below. */
const minOverridePerMinute = 10;
/** Requests per minute above which a slowed pace ends. */
const maxOverridePerMinute = 6000;
/** Rates are measured over a second at least: a few requests at once say little of what a minute allows. */
const minRateMs = 1000;

/** The milliseconds between two cells; 0 where the limit is 0, which is none. */
export function getIntervalMs(perMinute: number): number {
  return perMinute === 0 ? 0 : windowMs / perMinute;
}

/** How many of so many places cells may take: one is always left to people. */
export function getCellSlots(slots: number): number {
  return slots >= 64 ? 24 : Math.max(1, slots - 1);
}

/** The pace of all trials at one gateway: slower than its limit once it has refused requests although they were paced. */
export interface TrialPace {
  /** Requests per minute, slower than the limit; absent: the limit alone counts. */
  override?: { perMinute: number; since: number };
  /** Nothing leaves before then, in epoch milliseconds. */
  blockedUntil: number;
  /** End of the wait of the last refusal that counted: refusals of requests from before it do not count again. */
  waitedUntil: number;
  /** Refusals in a row, without an answer between, each of a request that had waited for the one before. */
  rejections: number;
}

export const initialPace: TrialPace = { blockedUntil: 0, waitedUntil: 0, rejections: 0 };

/** Requests per minute at this moment. `limit` is that of the queue, 0 for none. */
export function getRequestsPerMinute({ override }: TrialPace, limit: number, nowMs: number): number {
  if (!override) return limit;
  const increasedRate =
    override.perMinute * 2 ** Math.max(0, Math.floor((nowMs - override.since) / speedUpAfterMs));
  if (limit === 0) return increasedRate < maxOverridePerMinute ? increasedRate : 0;
  return Math.min(limit, increasedRate);
}

/** Computes requests per minute from those of the last minute; 0 without any. */
export function measureRequestsPerMinute(sentAt: readonly number[], nowMs: number): number {
  const recentTimestamps = sentAt.filter((timestamp) => timestamp > nowMs - minuteMs && timestamp <= nowMs);
  const spanMs = recentTimestamps.reduce((max, timestamp) => Math.max(max, nowMs - timestamp), minRateMs);
  return (recentTimestamps.length / spanMs) * minuteMs;
}

export interface Rejection {
  at: number;
  /** Send time of the refused request, in epoch milliseconds. */
  sentAt: number;
  limit: number;
  /** Measured rate, for gateways without a limit. */
  perMinute: number;
  report?: ErrorReport;
}

/** Returns the pace after a 429: on hold, and halved once for all requests sent before the gateway asked to wait. */
export function slowDown(pace: TrialPace, { at, sentAt, limit, perMinute, report }: Rejection): TrialPace {
  const waitedUntil = at + (report?.retryAfterMs ?? rejectionPauseMs);
  const blockedUntil = Math.max(pace.blockedUntil, waitedUntil);
  if (sentAt < pace.waitedUntil)
    return {
      ...pace,
      blockedUntil,
      ...(pace.override ? { override: { ...pace.override, since: blockedUntil } } : {}),
    };
  const currentRate = getRequestsPerMinute(pace, limit, at);
  const baseRate = limit > 0 ? currentRate : Math.min(currentRate || perMinute, perMinute);
  return {
    override: { perMinute: Math.max(minOverridePerMinute, Math.floor(baseRate / 2)), since: blockedUntil },
    blockedUntil,
    waitedUntil,
    rejections: pace.rejections + 1,
  };
}

/** The pace after an answer; what was slowed stays slowed. */
export function resetRejections(pace: TrialPace): TrialPace {
  return pace.rejections === 0 ? pace : { ...pace, rejections: 0 };
}

/** After the third refusal without an answer between, trials of this gateway pause. */
export function shouldPauseTrial({ rejections }: TrialPace): boolean {
  return rejections >= maxRejections;
}

export interface TimeLeft {
  ms: number;
  /** At least: how long an answer takes is not known for each column. */
  isLowerBound: boolean;
}

/**
 * How long so many requests take: the pace or the answers, whichever is slower. `columns` has the requests of each and
 * the mean duration of its answers, where there are any.
 */
export function estimateTimeLeft(
  columns: readonly { requests: number; meanMs: number | undefined }[],
  perMinute: number,
  slots: number,
): TimeLeft {
  const requests = columns.reduce((sum, column) => sum + column.requests, 0);
  const answeringMs = columns.reduce((sum, column) => sum + column.requests * (column.meanMs ?? 0), 0);
  return {
    ms: Math.max(requests * getIntervalMs(perMinute), answeringMs / slots),
    isLowerBound: columns.some((column) => column.requests > 0 && column.meanMs === undefined),
  };
}

/** "7 min 16 s", "1 h 5 min", "45 s". */
export function formatLongDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
