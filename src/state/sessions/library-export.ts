/** Exports sessions as files: stored data, and for open sessions the newer data in memory. */
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
import { readImageDataUrls } from '../drafts/image-store.ts';
import type { Library } from './library.ts';
import type { SessionStore } from './session-store.ts';

export interface ExportedFile {
  /** Parts of the file. */
  pieces: string[];
  title: string;
  sessions: number;
  trials: number;
  prompts: number;
  answers: number;
  /** True if an answer was still streaming. */
  isPartial: boolean;
}

export interface LibraryExport {
  /** Returns the JSON of one, several or all sessions; undefined if there is none. */
  buildJson: (ids?: SessionId | readonly SessionId[]) => Promise<ExportedFile | undefined>;
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
    requestedIds?: SessionId | readonly SessionId[],
  ): Promise<ExportedFile | undefined> {
    const ids = typeof requestedIds === 'string' ? [requestedIds] : (requestedIds ?? (await listAllIds()));
    const file: ExportedFile = {
      pieces: [],
      title: '',
      sessions: 0,
      trials: 0,
      prompts: 0,
      answers: 0,
      isPartial: false,
    };
    const sessions: string[] = [];
    const imageDataUrls: Record<string, string> = {};
    for (const id of ids) {
      const snapshotResult = await readSnapshot(id);
      if (!snapshotResult) continue;
      const { prompts, answers } = countMessages(snapshotResult.data);
      sessions.push(formatSessionJson(snapshotResult));
      Object.assign(imageDataUrls, await readSessionImages(snapshotResult.data));
      file.title ||= snapshotResult.data.session.title;
      file.sessions += 1;
      file.prompts += prompts;
      file.answers += answers;
      file.isPartial ||= Object.values(snapshotResult.data.runs).some(isLive);
    }
    const trials = requestedIds === undefined ? await readAllTrials() : [];
    for (const { hashes } of trials) Object.assign(imageDataUrls, await readImageDataUrls(records, hashes));
    file.trials = trials.length;
    file.title ||= trials[0]?.title ?? '';
    const lines = trials.map((trial) => trial.lines);
    return file.sessions + file.trials === 0
      ? undefined
      : { ...file, pieces: buildExportChunks(sessions, imageDataUrls, lines) };
  }

  /** Returns each trial as the lines of its export file, without tapes, and the hashes of its images. */
  async function readAllTrials(): Promise<{ title: string; lines: string[]; hashes: string[] }[]> {
    const hasTrials = (await records.listKeys('trials')).length > 0;
    if (!hasTrials) return [];
    const { readTrialLines } = await loadLazyModule(() => import('../trials/repository/trial-files.ts'));
    const { readTrials } = await loadLazyModule(() => import('../trials/repository/trial-records.ts'));
    const storedTrials = (await readTrials(records)).toSorted(
      (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    );
    const exportedTrials: { title: string; lines: string[]; hashes: string[] }[] = [];
    for (const trial of storedTrials) {
      const { lines, hashes } = await readTrialLines(records, trial.id);
      exportedTrials.push({ title: trial.title, lines, hashes });
    }
    return exportedTrials;
  }

  /** Returns all session IDs by creation time, which does not change with use. */
  async function listAllIds(): Promise<SessionId[]> {
    const sessions = await library.list();
    return sessions
      .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      .map((session) => session.id);
  }

  return { buildJson, readSnapshot, readImageDataUrls: readSessionImages };
}
