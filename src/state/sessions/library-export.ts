/** Sessions as files: what is stored and, of the sessions open here, what is in memory, which is newer. */
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
import { lazyImport } from '../../lib/lazy-import.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { imageDataOf } from '../drafts/image-store.ts';
import type { Library } from './library.ts';
import type { SessionStore } from './session-store.ts';

export interface ExportedFile {
  /** The file in pieces. */
  pieces: string[];
  title: string;
  sessions: number;
  trials: number;
  prompts: number;
  answers: number;
  /** An answer was still arriving. */
  isPartial: boolean;
}

export interface LibraryExport {
  /** The JSON of one session, of several, or of all; undefined where there is none. */
  json: (of?: SessionId | readonly SessionId[]) => Promise<ExportedFile | undefined>;
  /** One session as it is now, live runs as far as they have come, for other forms of export. */
  snapshot: (id: SessionId) => Promise<ReadSessionResult | undefined>;
  /** Data URLs of the images that the session refers to, by hash. */
  images: (data: SessionData) => Promise<Record<string, string>>;
}

export function createLibraryExport(
  library: Library,
  records: RecordStore,
  store: SessionStore,
): LibraryExport {
  async function snapshot(id: SessionId): Promise<ReadSessionResult | undefined> {
    const { open, currentId, unreadable } = store.getState();
    const data = open[id];
    if (data) return { data, unreadable: id === currentId ? unreadable : [] };
    const stored = await library.load(id);
    if (!stored) return undefined;
    const live = Object.values(stored.data.runs).filter(isLive);
    const runs = await Promise.all(
      live.map(async (run): Promise<[string, Run]> => {
        const tape = await library.readTape(run.id);
        return [run.id, foldTape({ ...run, choices: [], deltas: 0, notes: [] }, tape)];
      }),
    );
    return {
      ...stored,
      data: { ...stored.data, runs: { ...stored.data.runs, ...Object.fromEntries(runs) } },
    };
  }

  const images = (data: SessionData) => imageDataOf(records, listImageHashes(data));

  async function json(of?: SessionId | readonly SessionId[]): Promise<ExportedFile | undefined> {
    const ids = typeof of === 'string' ? [of] : (of ?? (await allIds()));
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
    const pictures: Record<string, string> = {};
    for (const each of ids) {
      const found = await snapshot(each);
      if (!found) continue;
      const { prompts, answers } = countMessages(found.data);
      sessions.push(formatSessionJson(found));
      Object.assign(pictures, await images(found.data));
      file.title ||= found.data.session.title;
      file.sessions += 1;
      file.prompts += prompts;
      file.answers += answers;
      file.isPartial ||= Object.values(found.data.runs).some(isLive);
    }
    const trials = of === undefined ? await allTrials() : [];
    for (const { hashes } of trials) Object.assign(pictures, await imageDataOf(records, hashes));
    file.trials = trials.length;
    file.title ||= trials[0]?.title ?? '';
    const lines = trials.map((trial) => trial.lines);
    return file.sessions + file.trials === 0
      ? undefined
      : { ...file, pieces: buildExportChunks(sessions, pictures, lines) };
  }

  /** The lines of each trial's own file, without tapes, and the images that it refers to. */
  async function allTrials(): Promise<{ title: string; lines: string[]; hashes: string[] }[]> {
    const isAny = (await records.keys('trials')).length > 0;
    if (!isAny) return [];
    const { readTrialLines } = await lazyImport(() => import('../trials/trial-files.ts'));
    const { readTrials } = await lazyImport(() => import('../trials/trial-records.ts'));
    const all = (await readTrials(records)).toSorted(
      (one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1),
    );
    const found: { title: string; lines: string[]; hashes: string[] }[] = [];
    for (const trial of all) {
      const { lines, hashes } = await readTrialLines(records, trial.id);
      found.push({ title: trial.title, lines, hashes });
    }
    return found;
  }

  /** In the order of their making, which no use of them changes. */
  async function allIds(): Promise<SessionId[]> {
    const sessions = await library.list();
    return sessions
      .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
      .map((session) => session.id);
  }

  return { json, snapshot, images };
}
