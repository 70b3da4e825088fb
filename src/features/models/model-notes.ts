import type { ModelRecord } from '../../gateway/models/model-record.ts';

/** Lists what else the gateway tells about a model: what needs care first, then its owner. */
export function listModelNotes({ id, ownedBy, state, shutdownDate, timesListed }: ModelRecord): string[] {
  const owner = ownedBy?.trim() ?? '';
  const isInId = id.toLowerCase().startsWith(`${owner.toLowerCase()}/`);
  return [
    ...(state === undefined ? [] : [state]),
    ...(shutdownDate === undefined ? [] : [`shutdown ${shutdownDate}`]),
    ...(timesListed === undefined ? [] : [`listed ${timesListed} times`]),
    ...(owner === '' || isInId ? [] : [`by ${owner}`]),
  ];
}
