/** Whether a gateway can be used, as far as is known. */
import type { ErrorReport } from '../errors/errors.ts';
import type { HealthReading } from './health.ts';
import type { PlaygroundStatus } from './status.ts';
import { parseWebPage } from './web-page.ts';

export interface GatewayInputs {
  status?: PlaygroundStatus | undefined;
  /** The last look at the health route. */
  health?: HealthReading | undefined;
  /** How many models the gateway lists; undefined where no list has arrived. */
  modelCount?: number | undefined;
  /** Why the last list did not arrive. */
  modelsError?: ErrorReport | undefined;
  /** A model or the list was last refused for its key. */
  isKeyRejected?: boolean;
}

/** checking: not known yet. gateway: nothing can be sent. models: only the list is missing. */
export type GatewayState = 'usable' | 'checking' | 'gateway' | 'models';

/** One function for every kind of failure. */
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

/** Why the list of models did not arrive. Of a gateway that nothing reaches, the health route tells before the list does. */
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

/** The gateway itself did not answer. */
export function isUnreachable({ kind, source }: ErrorReport): boolean {
  if (kind === 'timeout') return source !== 'gateway' && source !== 'provider';
  return source === 'network' || unreachableKinds.has(kind);
}

/** True for a server that is still loading its models. */
export function isLoadingReport({ status, message }: ErrorReport): boolean {
  return status === 503 && /\b(?:loading|starting|warming|initiali[sz]ing)\b/i.test(message);
}

/** Behind a web page there is no gateway; a gateway without a list may still serve models. */
export function isWebPage({ kind, raw = '' }: ErrorReport): boolean {
  return kind !== 'forbidden' && parseWebPage(raw) !== undefined;
}

/** Why nothing can be sent in a conversation whose lanes have, or have not, a model; undefined where it can. */
export function getSendBlocker(state: GatewayState, hasModel: boolean): string | undefined {
  if (state === 'gateway') return 'Waiting for the gateway';
  if (hasModel || state === 'usable') return undefined;
  return state === 'checking' ? 'Checking the gateway' : 'Choose a model first';
}
