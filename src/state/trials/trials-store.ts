/** The trials of this page: list, search, new ones, and those that are open. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { Snippet } from '../../conversation/files/text-search.ts';
import type { SessionData, Setup } from '../../conversation/session/types.ts';
import { defaultParams } from '../../conversation/setup/params.ts';
import { preloadableImport } from '../../lib/lazy-import.ts';
import { runWhenIdle } from '../../lib/steps.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { Words } from '../../trials/describe-verdict.ts';
import { emptyTrial } from '../../trials/edit-trial.ts';
import { starterModel, starterTrial, type Starter } from '../../trials/starters/trial-starters.ts';
import type { EarlierAnswers } from '../../trials/trial-plan.ts';
import {
  caseCount,
  modelsOf,
  type Column,
  type Trial,
  type TrialId,
  type TrialState,
} from '../../trials/trial.ts';
import type { Unsaved } from '../drafts/unsaved.ts';
import type { Page, PageChannel } from '../page.ts';
import { createRecorder } from '../runs/recorder.ts';
import type { RunQueue } from '../runs/run-queue.ts';
import { writesOfSession } from '../sessions/autosave.ts';
import type { Library } from '../sessions/library.ts';
import type { OfferUndo } from '../sessions/session-store.ts';
import type { TabLink } from '../tabs/tab-channel.ts';
import type { OpenTrial } from './open-trial.ts';
import { earlierAnswers } from './past-answer-stats.ts';
import { createStanding } from './results/trial-results.ts';
import { createGatewayPace } from './running/cell-pacer.ts';
import type { AskingParts } from './running/trial-runner.ts';
import { createScorer } from './scoring/scorer.ts';
import { draftWrites, openStoredTrial, type OpenedTrial } from './stored-trial-opener.ts';
import type { TrialImport } from './trial-files.ts';
import { columnsOfLanes } from './trial-lanes.ts';
import { beginReading, readStoredTrial, readTrials, trialRemovals } from './trial-records.ts';
import { searchTrials } from './trial-search.ts';
import { readNews, type TrialNews } from './trial-tab-messages.ts';

export type { TrialImport };

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
  /** The list may have changed by other hands than these. */
  refresh: () => void;
  /** The store has been emptied by other hands: what is open here is all that is left, and is stored again. */
  storeAgain: () => void;
  /** Stops what runs in this tab, before everything is erased, and closes all. */
  stopAll: () => Promise<void>;
}

export interface TrialsParts {
  page: Page;
  records: RecordStore;
  queue: RunQueue;
  link: TabLink;
  library: Library;
  unsaved: Unsaved;
  runs: AskingParts['runs'];
  /** The session on screen or one that is open, as it is in memory. */
  openSession: (id: string | undefined) => SessionData | undefined;
  /** The setup that the next session begins with. */
  lastSetup: () => Setup | undefined;
  /** What the gateway lists. */
  models: () => readonly string[];
  offerUndo: OfferUndo;
}

const loadTrialFiles = preloadableImport(() => import('./trial-files.ts'));

const seedSize = 10_000;
const noWords: Trial['messages'] = [{ role: 'user', content: '' }];

export function createTrials(parts: TrialsParts): Trials {
  const { page, records, queue, library } = parts;
  const recorder = createRecorder(records, page.clock, parts.unsaved);
  const gatewayPace = createGatewayPace({ queue, now: page.now });
  const scorer = createScorer(page.startScoreWorker);
  const changes = createStore(() => ({ count: 0 }));
  const open = new Map<TrialId, Promise<OpenedTrial | undefined>>();
  const hidden = new Set<TrialId>();
  let earlier: ReadonlyMap<string, EarlierAnswers> = new Map();
  let granted: number | undefined;
  const channel: PageChannel | undefined = page.openChannel('bench-trials');
  const changed = () => changes.setState(({ count }) => ({ count: count + 1 }));

  page
    .grantedBytes?.()
    .then((bytes) => (granted = bytes))
    .catch(() => undefined);
  const known = earlierAnswers(records, library).then(
    (answers) => (earlier = answers),
    () => undefined,
  );
  page.onHide(() => {
    void recorder.flush();
  });
  channel?.onMessage((data) => {
    const news = readNews(data);
    if (news) void open.get(news.trialId)?.then((trial) => trial?.hear(news));
  });
  parts.link.onHeard((message) => {
    if ('asks' in message && message.asks === 'stop trials') void stopAll();
    if ('changes' in message && message.changes.some(({ store }) => store === 'trials')) changed();
  });

  const newSeed = (): number => {
    // Ids are drawn by chance: nothing else here has to be.
    const id = page.newId();
    return Array.from(id).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % seedSize, 7);
  };

  const environment = () => ({ now: page.now, newId: page.newId, seed: newSeed() });
  const columnOf = (setup: Setup): Column => ({ id: page.newId(), setup });

  const firstSetup = (): Setup => ({
    model: parts.models()[0] ?? '',
    params: defaultParams,
    ...parts.lastSetup(),
    system: '',
  });

  async function storeDraft(trial: Trial, cases: Parameters<typeof draftWrites>[1]): Promise<TrialId> {
    await records.write(draftWrites(trial, cases), { strict: true });
    changed();
    return trial.id;
  }

  async function lanesOf(id: string | undefined): Promise<ReturnType<typeof columnsOfLanes>> {
    const data = parts.openSession(id) ?? (id === undefined ? undefined : (await library.load(id))?.data);
    if (!data) throw new Error('This session is not stored here.');
    return columnsOfLanes(data);
  }

  async function openTrial(id: TrialId): Promise<OpenedTrial | undefined> {
    const [reading] = await Promise.all([beginReading(records, id), known]);
    if (!reading) return undefined;
    const trial: OpenedTrial = openStoredTrial(reading, {
      records,
      recorder,
      queue,
      gatewayPace,
      page,
      runs: parts.runs,
      scorer,
      readTape: library.readTape,
      earlierOf: (model) => earlier.get(model),
      granted: () => granted,
      firstSetup,
      send: (news) => channel?.post(news),
      storeSession: async ({ data, tapes }) => {
        const copies = [...tapes].filter(([, entries]) => entries.length > 0);
        await records.write(
          [
            ...writesOfSession(data),
            ...copies.map(([runId, entries]) => ({
              store: 'tapes' as const,
              put: { runId, firstSeq: 0, entries },
            })),
          ],
          { strict: true },
        );
        library.refresh();
      },
      lanesOf,
      storeDraft: async (draft, cases) => {
        await storeDraft(draft, cases);
      },
      beginWaiting: () => parts.unsaved.begin(),
      onListChange: changed,
      onLeave: () => {
        if (trial.isBusy()) return;
        open.delete(id);
        // Opened again it is another object: this one must not go on in its place when the tab that asks dies.
        trial.close();
      },
    });
    await trial.begin();
    return trial;
  }

  async function stopAll(): Promise<void> {
    const all = [...open.values()];
    open.clear();
    for (const trial of await Promise.all(all)) {
      await trial?.stop();
      trial?.close();
    }
    await recorder.flush();
    changed();
  }

  return {
    list: async () => {
      await recorder.flush();
      return (await readTrials(records))
        .filter(({ id }) => !hidden.has(id))
        .toSorted((one, other) => other.updatedAt - one.updatedAt)
        .map(summaryOf);
    },
    changes,
    refresh: changed,
    storeAgain: () => {
      for (const opening of open.values())
        opening.then(
          (trial) => trial?.storeAgain(),
          () => undefined,
        );
      changed();
    },
    sentence: async (id) => {
      const shown = await open.get(id);
      if (shown) {
        await shown.whole();
        const { trial, words } = shown.state.getState();
        return trial.plan ? words.first : undefined;
      }
      const reading = await beginReading(records, id);
      if (!reading?.stored.trial.plan) return undefined;
      const { stored } = reading;
      const standing = createStanding();
      standing.rebuild(stored);
      for (let came = await reading.more(); came; came = await reading.more()) standing.take(stored, came);
      const facts = { perMinute: 0, places: 1, underWay: 0, earlierOf: () => undefined, granted: undefined };
      return (await runWhenIdle(standing.sums(stored, facts), page)).words.first;
    },
    search: async (query, signal) => {
      await recorder.flush();
      const shown = (await readTrials(records)).filter(({ id }) => !hidden.has(id));
      return searchTrials(records, shown, query, signal);
    },
    create: () => storeDraft(emptyTrial([columnOf(firstSetup())], noWords, environment()), []),
    createFromStarter: async (starter) => {
      const models = parts.models();
      const isDemo = models.length === 0 || models.includes(starterModel);
      const { trial, cases } = await starterTrial(starter, isDemo ? [starterModel] : models, environment());
      return storeDraft(trial, cases);
    },
    createFromLanes: async (sessionId) => {
      const { columns, messages } = await lanesOf(sessionId);
      const words = messages.length > 0 ? messages : noWords;
      return storeDraft(
        emptyTrial(
          columns.map(({ setup }) => columnOf(setup)),
          words,
          environment(),
        ),
        [],
      );
    },
    importFile: async (text) => {
      const { importTrial } = await loadTrialFiles();
      const outcome = await importTrial(records, text.split('\n'), page.newId);
      if (outcome.ok) changed();
      return outcome;
    },
    open: async (id) => {
      const known_ = open.get(id);
      if (known_) return known_;
      const opening = openTrial(id);
      open.set(id, opening);
      opening.then(
        (trial) => trial || open.delete(id),
        () => open.delete(id),
      );
      return opening;
    },
    rename: async (id, title) => {
      const shown = await open.get(id);
      if (shown) shown.edit({ title });
      else {
        await records.write([{ store: 'trials', change: { id, title, titled: true } }]);
        // Where it is open in another tab, that has a record of its own, which it writes again.
        channel?.post({ trialId: id, title } satisfies TrialNews);
      }
      changed();
    },
    remove: async (id) => {
      const shown = await open.get(id);
      await shown?.stop();
      await shown?.saved();
      const title = shown?.state.getState().trial.title ?? (await readStoredTrial(records, id))?.trial.title;
      open.delete(id);
      hidden.add(id);
      changed();
      parts.offerUndo(
        `Deleted “${getDisplayTitle(title ?? 'the trial')}”.`,
        () => {
          hidden.delete(id);
          changed();
        },
        () => {
          if (!hidden.has(id)) return;
          // What could not be removed is in the list again.
          void trialRemovals(records, id)
            .then((writes) => records.write(writes, { strict: true }))
            .catch(() => undefined)
            .then(() => {
              hidden.delete(id);
              changed();
            });
        },
      );
    },
    stopAll,
  };
}

function summaryOf(trial: Trial): TrialSummary {
  const { id, title, createdAt, updatedAt, state, columns, repeats } = trial;
  return {
    id,
    title,
    createdAt,
    updatedAt,
    state,
    cases: caseCount(trial),
    columns: columns.length,
    repeats,
    models: modelsOf(trial),
  };
}
