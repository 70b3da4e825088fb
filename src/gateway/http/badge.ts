import type { HealthReading } from './health.ts';
import type { PlaygroundStatus } from './status.ts';

/** contract.md's words for the health badge. */
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
}

const slowMs = 1500;

const isFailure = (reading: HealthReading) => !reading.ok && !reading.noRoute && !reading.degraded;

/** What the health badge says. One failure alone changes nothing: the reading before it still counts. */
export function badgeOf({ online, status, readings, lastUse }: BadgeFacts): Badge {
  if (!online) return { text: 'Offline', detail: 'The browser has no network connection.' };
  const last = readings.at(-1);
  const before = readings.at(-2);
  if (last && before && isFailure(last) && isFailure(before)) {
    return {
      text: 'Gateway down',
      detail: last.error?.message ?? 'Its health route reports that it is down.',
    };
  }
  if (lastUse === 'key-rejected' && !status?.demo) {
    return { text: 'Key rejected', detail: 'The key is set on the server, in GATEWAY_API_KEY.' };
  }
  const reading = last && isFailure(last) ? before : last;
  if (!reading || isFailure(reading)) return { text: 'Checking' };
  if (reading.degraded) return { text: 'Gateway degraded', detail: 'Its health route reports this.' };
  if (status?.demo)
    return {
      text: 'Demo gateway',
      detail:
        status.insteadOf === undefined
          ? 'No gateway is configured, so the built-in one answers.'
          : `The built-in one answers in place of ${status.insteadOf}, until you go back or reload the page.`,
    };
  const keyless =
    status?.keyConfigured === false ? { detail: 'Requests are sent without a key: none is configured.' } : {};
  if (reading.noRoute) {
    return lastUse === 'accepted'
      ? {
          text: 'Gateway up',
          detail: ['This gateway has no health route; its models answer.', keyless.detail ?? '']
            .join(' ')
            .trim(),
        }
      : { text: 'Checking' };
  }
  return { text: reading.latencyMs > slowMs ? 'Gateway slow' : 'Gateway up', ...keyless };
}
