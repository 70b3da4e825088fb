/** Pace at which cells are sent, and estimates of how long they take. */
import type { ErrorReport } from '../gateway/errors/errors.ts';
import { getIntervalMs } from '../gateway/http/request-rate.ts';

const minuteMs = 60_000;
const rejectionPauseMs = 10_000;
const maxRejections = 3;
/** Time in ms without a rejection after which a reduced rate doubles. */
const speedUpAfterMs = 20_000;
/** Minimum rate after rejections, in requests per minute. */
const minOverridePerMinute = 10;
/** Rate in requests per minute at which the reduction ends. */
const maxOverridePerMinute = 6000;
/** Rates are measured over at least one second, because a short burst does not reflect the limit per minute. */
const minRateMs = 1000;

/**
 * Returns the number of slots that cells may use. If there are several, at least one stays free for the user's own
 * requests.
 */
export function getCellSlots(slots: number): number {
  return slots >= 64 ? 24 : Math.max(1, slots - 1);
}

/** Pace of all trials at one gateway; drops below the gateway's limit after a rejection. */
export interface TrialPace {
  /** Reduced rate in requests per minute; absent if only the limit applies. */
  override?: { perMinute: number; since: number };
  /** No cell is sent before this time, in epoch ms. */
  blockedUntil: number;
  /**
   * End of the wait after the last counted rejection, in epoch ms. Rejections of requests sent before this time are not
   * counted again.
   */
  waitedUntil: number;
  /** Consecutive rejections without an answer in between, each of a request sent after the previous wait. */
  rejections: number;
}

export const initialPace: TrialPace = { blockedUntil: 0, waitedUntil: 0, rejections: 0 };

/** Returns the current rate in requests per minute. `limit` is the queue's limit; 0 means no limit. */
export function getRequestsPerMinute({ override }: TrialPace, limit: number, nowMs: number): number {
  if (!override) return limit;
  const increasedRate =
    override.perMinute * 2 ** Math.max(0, Math.floor((nowMs - override.since) / speedUpAfterMs));
  if (limit === 0) return increasedRate < maxOverridePerMinute ? increasedRate : 0;
  return Math.min(limit, increasedRate);
}

/** Returns the measured rate over the last minute, in requests per minute; 0 without requests. */
export function measureRequestsPerMinute(sentAt: readonly number[], nowMs: number): number {
  const recentTimestamps = sentAt.filter((timestamp) => timestamp > nowMs - minuteMs && timestamp <= nowMs);
  const spanMs = recentTimestamps.reduce((max, timestamp) => Math.max(max, nowMs - timestamp), minRateMs);
  return (recentTimestamps.length / spanMs) * minuteMs;
}

export interface Rejection {
  at: number;
  /** Send time of the rejected request, in epoch ms. */
  sentAt: number;
  limit: number;
  /** Measured rate, used if the gateway has no limit. */
  perMinute: number;
  report?: ErrorReport;
}

/**
 * Returns the pace after a 429: blocked for the requested wait, and halved once for all requests sent before the wait ends.
 */
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

/** Returns the pace after an answer: resets the rejection count but keeps the reduced rate. */
export function resetRejections(pace: TrialPace): TrialPace {
  return pace.rejections === 0 ? pace : { ...pace, rejections: 0 };
}

/** Returns true after the third consecutive rejection; trials at this gateway then pause. */
export function shouldPauseTrial({ rejections }: TrialPace): boolean {
  return rejections >= maxRejections;
}

export interface TimeLeft {
  ms: number;
  /** True if the answer time of at least one column is unknown. */
  isLowerBound: boolean;
}

/** Gateway of a column with its limit. */
export interface GatewayLimit {
  /** Name of the gateway; empty until the server has reported it. */
  gateway: string;
  /** Requests per minute; 0 means no limit. */
  perMinute: number;
}

/**
 * Estimates the time for these requests: limited by the pace of the slowest gateway or by the answer times, whichever
 * is slower. `columns` contains the number of requests and the mean answer time of each column, if known. All gateways
 * share the slots.
 */
export function estimateTimeLeft(
  columns: readonly (GatewayLimit & { requests: number; meanMs: number | undefined })[],
  slots: number,
): TimeLeft {
  const sendingMs = new Map<string, number>();
  for (const { gateway, perMinute, requests } of columns)
    sendingMs.set(gateway, (sendingMs.get(gateway) ?? 0) + requests * getIntervalMs(perMinute));
  const answeringMs = columns.reduce((sum, column) => sum + column.requests * (column.meanMs ?? 0), 0);
  return {
    ms: Math.max(...sendingMs.values(), answeringMs / slots),
    isLowerBound: columns.some((column) => column.requests > 0 && column.meanMs === undefined),
  };
}
