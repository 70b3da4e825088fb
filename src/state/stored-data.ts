/** What this browser keeps for Bench: how much it is, and erasing all of it. Loaded when it is asked for. */
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
  /** With something said in them. */
  sessions: number;
  presets: number;
  images: number;
  trials: number;
}

export interface StoredData {
  getCounts: () => Promise<StoredCounts>;
  /**
   * Stops what runs, removes every record and every preference, and starts with a new session. Other tabs are told.
   * Answers with what there was; rejects where the browser refuses to remove it.
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
  /** Stops the trials that run, in whatever tab. */
  stopTrials: () => Promise<void>;
  /** Removes what the embeddings lab keeps, in a database of its own. */
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
      // Record by record, so that other tabs are notified of each; then what no record of a session leads to.
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
