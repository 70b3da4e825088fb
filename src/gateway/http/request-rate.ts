/**
 * Time in ms in which a limit per minute is counted. Half a second more than a minute, so that a request with a lower
 * network delay than the one sent a minute earlier still gets no 429.
 */
export const rateWindowMs = 60_500;

/** Returns the interval in ms at which requests use up a limit per minute evenly; 0 if there is no limit (0). */
export function getIntervalMs(perMinute: number): number {
  return perMinute === 0 ? 0 : rateWindowMs / perMinute;
}
