import { getNumberProperty, getStringProperty } from '../../lib/json.ts';
import type { OwnPrice } from '../models/model-price.ts';

/** Reads the prices in the status of the server; entries in another form are omitted. */
export function parseOwnPrices(list: unknown): OwnPrice[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown): OwnPrice[] => {
    const model = getStringProperty(entry, 'model');
    const currency = getStringProperty(entry, 'currency');
    const inputPerMillion = getNumberProperty(entry, 'inputPerMillion');
    const outputPerMillion = getNumberProperty(entry, 'outputPerMillion');
    const cachedInputPerMillion = getNumberProperty(entry, 'cachedInputPerMillion');
    const reasoningPerMillion = getNumberProperty(entry, 'reasoningPerMillion');
    if (!model || !currency || inputPerMillion === undefined || outputPerMillion === undefined) return [];
    return [
      {
        model,
        inputPerMillion,
        outputPerMillion,
        ...(cachedInputPerMillion === undefined ? {} : { cachedInputPerMillion }),
        ...(reasoningPerMillion === undefined ? {} : { reasoningPerMillion }),
        currency,
      },
    ];
  });
}
