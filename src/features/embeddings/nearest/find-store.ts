/** What the person looks for and how the views show it: outlives the views, so that going elsewhere loses nothing. */
import { createStore } from 'zustand/vanilla';

import type { Slot } from '../lab/lab-store.ts';

export interface FindState {
  /** The text of the field. */
  query: string;
  /** `{query}` stands for it. Some models want an instruction on the side of the query. */
  template: string;
  /** Each pause in typing embeds what is not known yet: one request each. */
  embedsAsTyped: boolean;
  /** The query that is shown, as it was sent, with its vector in the model and size of a set. */
  found?: { slot: Slot; version: number; query: string; input: string; vector: Float32Array } | undefined;
  /** A request for the query is under way. */
  isAsking: boolean;
  problem?: string | undefined;
  /** How many of the nearest are listed. */
  shown: number;
}

export const plainTemplate = '{query}';

/** Nothing is looked for. */
export const firstFind = { query: '', template: plainTemplate };

export const findStore = createStore<FindState>(() => ({
  ...firstFind,
  embedsAsTyped: false,
  isAsking: false,
  shown: 5,
}));

/** The field, while it is on screen. */
export const findField: { current: HTMLTextAreaElement | null } = { current: null };

/** What is embedded for a query. */
export function inputOf(query: string, template: string): string {
  return template.includes(plainTemplate)
    ? template.replaceAll(plainTemplate, () => query)
    : `${template}${query}`;
}

/** Looks at texts again instead of a query. */
export function clearQuery(): void {
  findStore.setState({ query: '', found: undefined, problem: undefined });
}
