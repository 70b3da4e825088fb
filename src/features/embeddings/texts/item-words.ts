import type { ItemState } from '../../../state/embedding/embedding-job-types.ts';

/** The state of a text, as its row says it. */
export const stateWords: Record<ItemState, string> = {
  waiting: 'not yet',
  known: 'stored',
  embedded: 'embedded',
  failed: 'failed',
};
