/** Derives whether a gateway can be used from what is known so far. */
import type { ErrorReport } from '../errors/errors.ts';
import type { HealthReading } from './health.ts';
import type { GatewayStatus } from './status.ts';
import { parseWebPage } from './web-page.ts';

export interface GatewayInputs {
  status?: GatewayStatus | undefined;
  /** The last reading of the health route. */
  health?: HealthReading | undefined;
  /** Number of listed models; `undefined` if no list has arrived. */
  modelCount?: number | undefined;
  /** Error from the last model list request, if it failed. */
  modelsError?: ErrorReport | undefined;
  /** The last response to a model or list request rejected the key. */
  isKeyRejected?: boolean;
}

/** `checking`: not known yet. `gateway`: nothing can be sent. `models`: only the list is missing. */
export type GatewayState = 'usable' | 'checking' | 'gateway' | 'models';

/** Returns the gateway state, covering all kinds of failure. */
export function getGatewayState(inputs: GatewayInputs): GatewayState {
  const { status, modelCount } = inputs;
  const failure = getModelsFailure(inputs);
  if (failure) {
    const isUnusable = isUnreachable(failure) || failure.kind === 'key-rejected' || isWebPage(failure);
    return isUnusable ? 'gateway' : 'models';
  }
  if (inputs.isKeyRejected && status?.demo !== true) return 'gateway';
  if (modelCount === undefined) return 'checking';
  return modelCount > 0 ? 'usable' : 'models';
}

/** Returns why the model list is missing. If the gateway is unreachable, the health route reports it first. */
export function getModelsFailure({
  modelsError,
  modelCount,
  health,
}: GatewayInputs): ErrorReport | undefined {
  if (modelsError || modelCount !== undefined) return modelsError;
  return health?.error && isUnreachable(health.error) ? health.error : undefined;
}

const unreachableKinds = new Set<ErrorReport['kind']>([
  'offline',
  'proxy-unreachable',
  'connection-lost',
  'redirected',
  'unreadable',
  'unreachable',
]);

/** Returns true if no response came from the gateway itself. */
export function isUnreachable({ kind, source }: ErrorReport): boolean {
  if (kind === 'timeout') return source !== 'gateway' && source !== 'provider';
  return source === 'network' || unreachableKinds.has(kind);
}

/** Returns true for a server that is still loading its models. */
export function isLoadingReport({ status, message }: ErrorReport): boolean {
  return status === 503 && /\b(?:loading|starting|warming|initiali[sz]ing)\b/i.test(message);
}

/**
 * Returns true for a web page, which means that the server is not a gateway. Without a web page, a gateway that lacks a
 * list may still serve models.
 */
export function isWebPage({ kind, raw = '' }: ErrorReport): boolean {
  return kind !== 'forbidden' && parseWebPage(raw) !== undefined;
}

/** Returns why a conversation cannot send, or `undefined` if it can. `hasModel`: its lanes have a model. */
export function getSendBlocker(state: GatewayState, hasModel: boolean): string | undefined {
  if (state === 'gateway') return 'Waiting for the gateway';
  if (hasModel || state === 'usable') return undefined;
  return state === 'checking' ? 'Checking the gateway' : 'Choose a model first';
}
