/** Counts and deletes everything that Bench stores in this browser. Loaded on demand. */
import { isLive } from '../conversation/reply/run.ts';
import type { KeyedStore, RecordStore, Write } from '../storage/record-store.ts';
import { isTrialKey } from '../trials/trial.ts';
import type { LearnedModels } from './learned-models.ts';
import { defaultPrefs, type PrefsStore } from './prefs-store.ts';
import type { PresetStore } from './preset-store.ts';
import type { Recorder } from './runs/recorder.ts';
import type { Actions } from './sessions/actions.ts';
import type { Library } from './sessions/library.ts';
import type { SessionStore } from './sessions/session-store.ts';

export interface StoredCounts {
  /** Number of sessions with messages. */
  sessions: number;
  presets: number;
  images: number;
  trials: number;
}

export interface StoredData {
  getCounts: () => Promise<StoredCounts>;
  /**
   * Stops all runs, deletes all records and preferences, and starts a new session. Other tabs are notified. Returns the
   * counts from before; rejects if the browser fails to delete the data.
   */
  eraseEverything: () => Promise<StoredCounts>;
}

interface StoredDataDeps {
  records: RecordStore;
  recorder: Recorder;
  library: Library;
  presets: PresetStore;
  learnedModels: LearnedModels;
  prefs: PrefsStore;
  session: SessionStore;
  actions: Actions;
  /** Stops running trials in all tabs. */
  stopTrials: () => Promise<void>;
  /** Deletes the separate database of the embeddings lab. */
  eraseVectors: () => Promise<void>;
}

const keyedStores: readonly KeyedStore[] = [
  'sessions',
  'lanes',
  'prompts',
  'turns',
  'runs',
  'drafts',
  'presets',
  'images',
  'learned',
  'trials',
  'ballots',
];

export function createStoredData(deps: StoredDataDeps): StoredData {
  const {
    records,
    recorder,
    library,
    presets,
    learnedModels,
    prefs,
    session,
    actions,
    eraseVectors,
    stopTrials,
  } = deps;

  async function getCounts(): Promise<StoredCounts> {
    await recorder.flush();
    const [sessions, presetKeys, images, trials] = await Promise.all([
      library.list(),
      records.listKeys('presets'),
      records.listKeys('images'),
      records.listKeys('trials'),
    ]);
    return {
      sessions: sessions.length,
      presets: presetKeys.length,
      images: images.length,
      trials: trials.filter(isTrialKey).length,
    };
  }

  async function buildRemovals(): Promise<Write[]> {
    const all = await Promise.all(
      keyedStores.map(async (store) =>
        (await records.listKeys(store)).map((remove): Write => ({ store, remove })),
      ),
    );
    const [runs, trials] = await Promise.all([records.listKeys('runs'), records.listKeys('trials')]);
    const trialParts = (['cases', 'cells', 'marks'] as const).flatMap((store) =>
      trials.filter(isTrialKey).map((remove): Write => ({ store, remove })),
    );
    return [...all.flat(), ...trialParts, ...runs.map((remove): Write => ({ store: 'tapes', remove }))];
  }

  return {
    getCounts,
    eraseEverything: async () => {
      const liveRuns = Object.values(session.getState().open).flatMap(({ runs }) =>
        Object.values(runs).filter(isLive),
      );
      await Promise.all([stopTrials(), ...liveRuns.map((run) => actions.stop(run.id))]);
      session.getState().undo?.expire();
      const countsBefore = await getCounts();
      // Deletes record by record to notify other tabs, then clears leftovers that belong to no session.
      await records.write(await buildRemovals(), { strict: true });
      await records.clear();
      if (records.mode !== 'memory') await eraseVectors();
      prefs.setState(defaultPrefs, true);
      session.setState({ currentId: undefined, open: {}, unreadable: [], missingId: undefined });
      library.notifyChanged();
      await Promise.all([presets.reload(), learnedModels.reload()]);
      await actions.createSession();
      return countsBefore;
    },
  };
}
