/** The trials of this page: list, search, new ones, and those that are open. */
import type { StoreApi } from 'zustand/vanilla';

import type { Snippet } from '../../conversation/files/search.ts';
import type { Starter } from '../../trials/starters/starters.ts';
import type { TrialId, TrialState } from '../../trials/trial.ts';
import type { Words } from '../../trials/verdict-words.ts';
import type { OpenTrial } from './open-trial.ts';

/** What lists show of a trial without opening it. */
export interface TrialSummary {
  id: TrialId;
  title: string;
  createdAt: number;
  updatedAt: number;
  state: TrialState;
  cases: number;
  columns: number;
  repeats: number;
  models: string[];
}

export type TrialImport =
  | { ok: true; id: TrialId; title: string }
  | { ok: false; line: number; reason: string };

export interface Trials {
  /** Newest first. */
  list: () => Promise<TrialSummary[]>;
  /** Counts up whenever the list may have changed. */
  changes: StoreApi<{ count: number }>;
  /** The first line of its verdict; undefined of a draft. */
  sentence: (id: TrialId) => Promise<Words | undefined>;
  /** Those that hold every word of the query in title, prompts, models and cases, with the text that holds most of them. */
  search: (query: string, signal?: AbortSignal) => Promise<Map<TrialId, Snippet | undefined>>;

  /** An empty draft with one column. */
  create: () => Promise<TrialId>;
  createFromStarter: (starter: Starter) => Promise<TrialId>;
  /** The lanes of this session as columns, and its last prompt. */
  createFromLanes: (sessionId: string) => Promise<TrialId>;
  /** All of it or nothing, with the line that is wrong. */
  importFile: (text: string) => Promise<TrialImport>;

  /** Undefined where there is none stored; the same object for as long as it is open. Rejects where it cannot be read. */
  open: (id: TrialId) => Promise<OpenTrial | undefined>;
  rename: (id: TrialId, title: string) => Promise<void>;
  /** With its cases, answers, recordings and marks. What runs is stopped first. Can be taken back for a while. */
  remove: (id: TrialId) => Promise<void>;
  /** Stops what runs in all tabs, before everything is erased. */
  stopAll: () => Promise<void>;
}
