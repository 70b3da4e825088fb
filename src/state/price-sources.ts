import { createStore, type StoreApi } from 'zustand/vanilla';

import type { PriceSource } from '../conversation/reply/cost.ts';

/** What the prices of models are read from, by gateway; views look prices up in it with lazily loaded code. */
export type PriceSources = StoreApi<{ sources: readonly PriceSource[] }>;

/** Creates the sources of one gateway, which is the one of setups that name none. */
export function createPriceSources(): PriceSources {
  return createStore(() => ({ sources: [{ gateway: 'default', models: [], ownPrices: [] }] }));
}

/** Replaces parts of the sources of a gateway. */
export function updatePriceSource(store: PriceSources, changes: Partial<PriceSource>): void {
  const [first, ...others] = store.getState().sources;
  if (first) store.setState({ sources: [{ ...first, ...changes }, ...others] });
}
