/** Exports sessions, trials and embedding sets as files: stored data, and for open sessions the newer data in memory. */
import {
  countMessages,
  buildExportChunks,
  listImageHashes,
  formatSessionJson,
} from '../../conversation/files/session-export.ts';
import { foldTape } from '../../conversation/reply/fold-tape.ts';
import { isLive } from '../../conversation/reply/run.ts';
import type { ReadSessionResult } from '../../conversation/session/read-session.ts';
import type { Run, SessionData, SessionId } from '../../conversation/session/types.ts';
import { loadLazyModule } from '../../lib/lazy-import.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { TrialId } from '../../trials/trial.ts';
import { readImageDataUrls } from '../drafts/image-data.ts';
import type { ExportedSet } from '../lab/saved-sets.ts';
import type { Library } from './library.ts';
import type { SessionStore } from './session-store.ts';

export interface ExportedFile {
  /** Parts of the file. */
  pieces: string[];
  title: string;
  sessions: number;
  trials: number;
  sets: number;
  prompts: number;
  answers: number;
  /** True if an answer was still streaming. */
  isPartial: boolean;
}

export interface LibraryExport {
  /** Returns the JSON of sessions and trials with these IDs, and of embedding sets; undefined if there are none. */
  buildJson: (
    ids: string | readonly string[],
    sets?: readonly ExportedSet[],
  ) => Promise<ExportedFile | undefined>;
  /** Returns a session in its current state, including live runs, for other export formats. */
  readSnapshot: (id: SessionId) => Promise<ReadSessionResult | undefined>;
  /** Returns the data URLs of the session's images by hash. */
  readImageDataUrls: (data: SessionData) => Promise<Record<string, string>>;
}

export function createLibraryExport(
  library: Library,
  records: RecordStore,
  store: SessionStore,
): LibraryExport {
  async function readSnapshot(id: SessionId): Promise<ReadSessionResult | undefined> {
    const { open, currentId, unreadable } = store.getState();
    const data = open[id];
    if (data) return { data, unreadable: id === currentId ? unreadable : [] };
    const storedSession = await library.load(id);
    if (!storedSession) return undefined;
    const liveRuns = Object.values(storedSession.data.runs).filter(isLive);
    const runs = await Promise.all(
      liveRuns.map(async (run): Promise<[string, Run]> => {
        const tape = await library.readTape(run.id);
        return [run.id, foldTape({ ...run, choices: [], deltas: 0, notes: [] }, tape)];
      }),
    );
    return {
      ...storedSession,
      data: { ...storedSession.data, runs: { ...storedSession.data.runs, ...Object.fromEntries(runs) } },
    };
  }

  const readSessionImages = (data: SessionData) => readImageDataUrls(records, listImageHashes(data));

  async function buildJson(
    requestedIds: string | readonly string[],
    sets: readonly ExportedSet[] = [],
  ): Promise<ExportedFile | undefined> {
    const ids = typeof requestedIds === 'string' ? [requestedIds] : requestedIds;
    const file: ExportedFile = {
      pieces: [],
      title: '',
      sessions: 0,
      trials: 0,
      sets: sets.length,
      prompts: 0,
      answers: 0,
      isPartial: false,
    };
    const sessions: string[] = [];
    const trials: string[][] = [];
    const imageDataUrls: Record<string, string> = {};
    for (const id of ids) {
      const snapshotResult = await readSnapshot(id);
      const trial = snapshotResult ? undefined : await readTrial(id);
      if (snapshotResult) {
        const { prompts, answers } = countMessages(snapshotResult.data);
        sessions.push(formatSessionJson(snapshotResult));
        Object.assign(imageDataUrls, await readSessionImages(snapshotResult.data));
        file.title ||= snapshotResult.data.session.title;
        file.sessions += 1;
        file.prompts += prompts;
        file.answers += answers;
        file.isPartial ||= Object.values(snapshotResult.data.runs).some(isLive);
      } else if (trial) {
        trials.push(trial.lines);
        Object.assign(imageDataUrls, await readImageDataUrls(records, trial.hashes));
        file.title ||= trial.title;
        file.trials += 1;
      }
    }
    file.title ||= sets[0]?.title ?? '';
    const setTexts = sets.map((set) => JSON.stringify(set));
    return file.sessions + file.trials + file.sets === 0
      ? undefined
      : { ...file, pieces: buildExportChunks(sessions, imageDataUrls, trials, setTexts) };
  }

  async function readTrial(id: TrialId) {
    const { readTrialLines } = await loadLazyModule(() => import('../trials/repository/trial-files.ts'));
    return readTrialLines(records, id);
  }

  return { buildJson, readSnapshot, readImageDataUrls: readSessionImages };
}
