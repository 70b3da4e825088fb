import { nameVariables } from '../../lib/gateway-variables.ts';
import type { ErrorReport } from '../errors/errors.ts';
import { isUnreachable } from './gateway-state.ts';
import type { HealthReading } from './health.ts';
import type { GatewayStatus } from './status.ts';

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
  /** Additional sentence, if there is one. */
  detail?: string;
}

export interface BadgeInputs {
  /** Online state reported by the browser. */
  isOnline: boolean;
  status?: GatewayStatus;
  /** The last readings, oldest first; two are enough. */
  readings: readonly HealthReading[];
  /** Key status according to the last model or chat request, since the health route may not require a key. */
  lastUse?: 'accepted' | 'key-rejected';
  /** Time of that response in epoch ms. */
  lastUseAt?: number;
  /** Error from the last model list request, if it failed. */
  modelsError?: ErrorReport | undefined;
}

const slowLatencyMs = 1500;

/** Returns true if the gateway did not respond or reported that it is down. */
export function isFailedReading(reading: HealthReading): boolean {
  return !reading.ok && !reading.hasNoRoute && !reading.isDegraded;
}

/** Returns the health badge. A single failure changes nothing: the previous reading still counts. */
export function getHealthBadge(inputs: BadgeInputs): Badge {
  const { isOnline, status, readings, lastUse } = inputs;
  if (!isOnline) return { text: 'Offline', detail: 'The browser has no network connection.' };
  const lastReading = readings.at(-1);
  const previousReading = readings.at(-2);
  const failure = findFailure(inputs);
  if (failure?.isAnswering === false) return { text: 'Gateway down', detail: failure.detail };
  if (lastUse === 'key-rejected' && !status?.demo) {
    return {
      text: 'Key rejected',
      detail: nameVariables('Check GATEWAY_API_KEY on the server.', status?.name),
    };
  }
  if (failure)
    return {
      text: 'Gateway degraded',
      detail: `Its models respond, but its health check fails. ${failure.detail}`,
    };
  const reading = lastReading && isFailedReading(lastReading) ? previousReading : lastReading;
  if (!reading || isFailedReading(reading)) return getBadgeWithoutHealth(inputs);
  if (reading.isDegraded)
    return {
      text: 'Gateway degraded',
      detail: reading.detail ?? 'Its health route reports a degraded state.',
    };
  if (status?.demo)
    return {
      text: 'Demo gateway',
      detail:
        status.replacedLabel === undefined
          ? 'No gateway is configured, so Bench uses its built-in one.'
          : `Used instead of ${status.replacedLabel} until you switch back or reload the page.`,
    };
  if (reading.hasNoRoute)
    return getBadgeWithoutHealth(inputs, 'This gateway has no health route, but its models respond.');
  return {
    text: reading.latencyMs > slowLatencyMs ? 'Gateway slow' : 'Gateway up',
    ...joinDetail([describeMissingKey(status)]),
  };
}

/** Finds two failures in a row: two health checks, or the only health check and the model list. */
function findFailure({
  readings,
  modelsError,
  lastUseAt,
}: BadgeInputs): { detail: string; isAnswering: boolean } | undefined {
  const lastReading = readings.at(-1);
  if (!lastReading || !isFailedReading(lastReading)) return undefined;
  const previousReading = readings.at(-2);
  const hasFailedTwice = previousReading !== undefined && isFailedReading(previousReading);
  const hasNoModels =
    previousReading === undefined && modelsError !== undefined && isUnreachable(modelsError);
  if (!hasFailedTwice && !hasNoModels) return undefined;
  const failedAt = (hasFailedTwice ? previousReading : lastReading).checkedAt ?? Number.POSITIVE_INFINITY;
  const detail =
    lastReading.error?.message ?? lastReading.detail ?? 'Its health route reports that it is down.';
  return { detail, isAnswering: lastUseAt !== undefined && lastUseAt >= failedAt };
}

/** Returns the badge of a gateway without health readings, from its model list and its responses. */
function getBadgeWithoutHealth({ status, lastUse, modelsError }: BadgeInputs, prefix = ''): Badge {
  if (lastUse === 'accepted')
    return {
      text: status?.demo ? 'Demo gateway' : 'Gateway up',
      ...joinDetail([prefix, describeMissingKey(status)]),
    };
  if (modelsError === undefined || isUnreachable(modelsError)) return { text: 'Checking' };
  return {
    text: 'Gateway degraded',
    detail: `It responds, but does not list its models. ${modelsError.message}`,
  };
}

function describeMissingKey(status: GatewayStatus | undefined): string {
  return status?.keyConfigured === false && !status.demo
    ? 'No key is configured, so requests are sent without one.'
    : '';
}

function joinDetail(sentences: readonly string[]): { detail?: string } {
  const detail = sentences.filter((sentence) => sentence !== '').join(' ');
  return detail === '' ? {} : { detail };
}
