import type { ModelChoice } from '../session/types.ts';

const nameEnd = '\t';

/**
 * Builds the key of a model: its ID for the first gateway, as it has always been stored, otherwise the name of the
 * gateway, a tab and the ID. No name contains a tab.
 */
export function buildModelKey(model: string, gatewayName: string | undefined): string {
  return gatewayName === undefined ? model : gatewayName + nameEnd + model;
}

/** Creates the choice of a model; the first gateway can be left without a name. */
export function createModelChoice(model: string, gateway: string | undefined): ModelChoice {
  return gateway === undefined ? { model } : { model, gateway };
}

/** Splits a key of `buildModelKey`; without a name it belongs to the first gateway. */
export function splitModelKey(key: string): ModelChoice {
  const end = key.indexOf(nameEnd);
  return end === -1 ? { model: key } : { gateway: key.slice(0, end), model: key.slice(end + 1) };
}

/** Returns true if both choose the same model of the same gateway. */
export function isSameModel(a: ModelChoice | undefined, b: ModelChoice | undefined): boolean {
  return a?.model === b?.model && a?.gateway === b?.gateway;
}

/** Returns the setup with the model and gateway of a choice. */
export function withModelChoice<T extends ModelChoice>(
  { gateway: _, ...setup }: T,
  { model, gateway }: ModelChoice,
): Omit<T, 'gateway'> & ModelChoice {
  return { ...setup, ...createModelChoice(model, gateway) };
}
