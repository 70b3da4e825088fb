import type { ErrorReport } from '../errors/errors.ts';
import { isUnreached } from './gateway-state.ts';
import type { HealthReading } from './health.ts';
import type { PlaygroundStatus } from './status.ts';

/** Texts of the health badge. */
export type BadgeText =
  | 'Gateway up'
  | 'Gateway slow'
  | 'Gateway degraded'
  | 'Gateway down'
  | 'Key rejected'
  | 'Offline'
  | 'Demo gateway'
  | 'Checking';

export interface Badge {
  text: BadgeText;
  /** One sentence more, where there is something to say. */
  detail?: string;
}

export interface BadgeFacts {
  /** The browser's own word. */
  online: boolean;
  status?: PlaygroundStatus;
  /** The last readings, oldest first; two are enough. */
  readings: readonly HealthReading[];
  /** What models or chat last answered about the key: the health route may need none. */
  lastUse?: 'accepted' | 'key-rejected';
  /** Epoch milliseconds of that answer. */
  lastUseAt?: number;
  /** Why the last list of models did not arrive. */
  modelsError?: ErrorReport | undefined;
}

const slowMs = 1500;

/** Returns true if the gateway did not respond or reported that it is down. */
export function isFailedReading(reading: HealthReading): boolean {
  return !reading.ok && !reading.noRoute && !reading.degraded;
}

/** What the health badge says. One failure alone changes nothing: the reading before it still counts. */
export function badgeOf(facts: BadgeFacts): Badge {
  const { online, status, readings, lastUse } = facts;
  if (!online) return { text: 'Offline', detail: 'The browser has no network connection.' };
  const last = readings.at(-1);
  const before = readings.at(-2);
  const failure = findFailure(facts);
  if (failure?.isAnswering === false) return { text: 'Gateway down', detail: failure.detail };
  if (lastUse === 'key-rejected' && !status?.demo) {
    return { text: 'Key rejected', detail: 'The key is set on the server, in GATEWAY_API_KEY.' };
  }
  if (failure)
    return { text: 'Gateway degraded', detail: `Its models answer. The health route: ${failure.detail}` };
  const reading = last && isFailedReading(last) ? before : last;
  if (!reading || isFailedReading(reading)) return getBadgeWithoutHealth(facts);
  if (reading.degraded)
    return { text: 'Gateway degraded', detail: reading.detail ?? 'Its health route reports this.' };
  if (status?.demo)
    return {
      text: 'Demo gateway',
      detail:
        status.insteadOf === undefined
          ? 'No gateway is configured, so the built-in one answers.'
          : `The built-in one answers in place of ${status.insteadOf}, until you go back or reload the page.`,
    };
  if (reading.noRoute)
    return getBadgeWithoutHealth(facts, 'This gateway has no health route; its models answer.');
  return {
    text: reading.latencyMs > slowMs ? 'Gateway slow' : 'Gateway up',
    ...joinDetail([describeMissingKey(status)]),
  };
}

/** Finds two failures in a row: two health checks, or the only one and the list of models. */
function findFailure({
  readings,
  modelsError,
  lastUseAt,
}: BadgeFacts): { detail: string; isAnswering: boolean } | undefined {
  const last = readings.at(-1);
  if (!last || !isFailedReading(last)) return undefined;
  const before = readings.at(-2);
  const isTwice = before !== undefined && isFailedReading(before);
  const hasNoModels = before === undefined && modelsError !== undefined && isUnreached(modelsError);
  if (!isTwice && !hasNoModels) return undefined;
  const since = (isTwice ? before : last).at ?? Number.POSITIVE_INFINITY;
  const detail = last.error?.message ?? last.detail ?? 'Its health route reports that it is down.';
  return { detail, isAnswering: lastUseAt !== undefined && lastUseAt >= since };
}

/** Returns the badge of a gateway without health readings, from its list of models and its answers. */
function getBadgeWithoutHealth({ status, lastUse, modelsError }: BadgeFacts, note = ''): Badge {
  if (lastUse === 'accepted')
    return {
      text: status?.demo ? 'Demo gateway' : 'Gateway up',
      ...joinDetail([note, describeMissingKey(status)]),
    };
  if (modelsError === undefined || isUnreached(modelsError)) return { text: 'Checking' };
  return {
    text: 'Gateway degraded',
    detail: `It responds, but without a list of models. ${modelsError.message}`,
  };
}

function describeMissingKey(status: PlaygroundStatus | undefined): string {
  return status?.keyConfigured === false && !status.demo
    ? 'Requests are sent without a key: none is configured.'
    : '';
}

function joinDetail(sentences: readonly string[]): { detail?: string } {
  const detail = sentences.filter((sentence) => sentence !== '').join(' ');
  return detail === '' ? {} : { detail };
}
