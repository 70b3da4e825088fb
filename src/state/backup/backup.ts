/** Backs up everything stored in this browser, and imports backups. Loaded on demand. */
import { isEqual, pick } from 'es-toolkit';

import { isLive } from '../../conversation/reply/run.ts';
import { formatError } from '../../lib/format-error.ts';
import { getNumberProperty, isRecord } from '../../lib/json.ts';
import { getRecordKey } from '../../storage/memory-record-store.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { Playground } from '../create-playground.ts';
import { openSavedSets } from '../lab/saved-sets.ts';
import { defaultPrefs, readPrefs } from '../prefs-store.ts';
import { updateSession } from '../sessions/session-store.ts';
import type { RecordChange, TabChannel } from '../tabs/tab-channel.ts';
import { parseHeader, readLines, setNotePrefix, type BackupHeader, type GroupKind } from './backup-format.ts';
import { createReport, importBackup, type ImportReport } from './read-backup.ts';
import { readContents, writeBackup } from './write-backup.ts';

export interface BackupPreview {
  header: BackupHeader;
  /** Number of groups of the file that do not exist here, and that are newer than the one here. */
  counts: Record<GroupKind, { added: number; newer: number }>;
  /** False if the last line is missing. */
  isComplete: boolean;
}

interface Progress {
  signal: AbortSignal;
  /** Receives the completed part, from 0 to 1. */
  onProgress: (fraction: number) => void;
}

export interface Backup {
  readContents: () => Promise<BackupHeader>;
  /** Builds the file; undefined if it was cancelled. */
  build: (options: Progress & { hasVectors: boolean }) => Promise<Blob | undefined>;
  /** Returns what the file contains, or the reason why it cannot be imported. */
  preview: (file: File) => Promise<({ ok: true } & BackupPreview) | { ok: false; reason: string }>;
  /** Returns true if the user has changed a setting here. */
  hasOwnSettings: () => boolean;
  /** Imports the file; `hasSettings` replaces the settings here. Never rejects. */
  importFile: (file: File, options: Progress & { hasSettings: boolean }) => Promise<ImportReport>;
}

type BackupDeps = { records: RecordStore; tabChannel: TabChannel } & Pick<
  Playground,
  | 'actions'
  | 'lazyLab'
  | 'lazyTrials'
  | 'learnedModels'
  | 'library'
  | 'page'
  | 'prefs'
  | 'presets'
  | 'recorder'
  | 'session'
  | 'storage'
>;

/** Messages of the page to import-worker.ts. */
export type BackupWorkerRequest = { backup: File; busyIds: readonly string[] } | 'cancel';
/** Messages of import-worker.ts to the page. */
export type BackupWorkerMessage = { bytes: number } | { report: ImportReport };

/**
 * Size of the parts from which the file is composed. The browser may move finished parts to disk, so that the memory of
 * the page does not grow with the file.
 */
const partChars = 8_000_000;
/** Settings made by the user, unlike those that Bench remembers, such as the last models. */
const ownSettings = [
  'theme',
  'density',
  'readBySentence',
  'parametersOpen',
  'singleKeys',
  'favouriteModels',
  'modelOrder',
  'requestsPerMinute',
  'modelMarks',
] as const;

export function createBackup(deps: BackupDeps): Backup {
  const { records, tabChannel, page, library, session, prefs, recorder, lazyTrials } = deps;
  const openSets = () => openSavedSets(deps);
  const openVectors = async () => (await openSets()).vectors;

  /** Returns the sessions and trials that stay as they are. Other trials of this page are read again when opened. */
  async function listBusyIds(): Promise<string[]> {
    const busyTrials = (await lazyTrials.getTrials()?.releaseIdle()) ?? [];
    const busySessions = Object.values(session.getState().open).filter(({ runs }) =>
      Object.values(runs).some(isLive),
    );
    return [...busySessions.map((data) => data.session.id), ...busyTrials];
  }

  /** Shows imported data on this page and announces it to other tabs. */
  async function publishChanges({ added, replaced }: ImportReport): Promise<void> {
    for (const id of replaced.sessions) {
      if (!session.getState().open[id]) continue;
      const loaded = await library.load(id);
      if (loaded) updateSession(session, id, () => loaded.data);
    }
    library.notifyChanged();
    lazyTrials.getTrials()?.notifyChanged();
    (await openSets()).changes.setState(({ count }) => ({ count: count + 1 }));
    await Promise.all([deps.presets.reload(), deps.learnedModels.reload()]);
    const sessionChanges = await Promise.all(replaced.sessions.map((id) => listSessionChanges(records, id)));
    tabChannel.send({
      changes: [
        ...added.sessions.map((id) => ({ store: 'sessions' as const, key: id, sessionId: id })),
        ...sessionChanges.flat(),
        { store: 'trials', key: '' },
        { store: 'presets', key: '' },
        { store: 'learned', key: '' },
      ],
    });
  }

  return {
    readContents: async () => {
      await recorder.flush();
      return readContents({ records, vectors: await openVectors() }, page.now());
    },
    build: async ({ hasVectors, signal, onProgress }) => {
      await recorder.flush();
      // The open session of this tab is no part of the user's data, and times of requests are of an earlier version.
      const { lastSessionId: _, sentAt: __, ...ownPrefs } = prefs.getState();
      const lines = writeBackup(
        { records, vectors: await openVectors(), prefs: ownPrefs },
        { createdAt: page.now(), hasVectors },
        onProgress,
      );
      const parts: Blob[] = [];
      let pending: string[] = [];
      let pendingChars = 0;
      const addPart = () => {
        parts.push(new Blob(pending));
        pending = [];
        pendingChars = 0;
      };
      for await (const line of lines) {
        if (signal.aborted) return undefined;
        pending.push(line);
        pendingChars += line.length;
        if (pendingChars >= partChars) addPart();
      }
      addPart();
      return new Blob(parts, { type: 'application/jsonl' });
    },
    preview: async (file) => {
      const lines = readLines(file);
      const { value: firstLine } = await lines.next();
      await lines.return(undefined);
      const reading = parseHeader(firstLine?.text ?? '');
      if (!reading.ok) return reading;
      const lastLine = (await file.slice(-200).text()).trimEnd().split('\n').at(-1) ?? '';
      const storedTimes = await readStoredTimes(records, await openVectors());
      const counts = (kind: GroupKind) => {
        const entries = reading.header.groups[kind];
        return {
          added: entries.filter(([id]) => !storedTimes[kind].has(id)).length,
          newer: entries.filter(([id, updatedAt]) => (storedTimes[kind].get(id) ?? updatedAt) < updatedAt)
            .length,
        };
      };
      return {
        ok: true,
        header: reading.header,
        counts: { sessions: counts('sessions'), trials: counts('trials'), sets: counts('sets') },
        isComplete: lastLine.startsWith('{"end":true'),
      };
    },
    hasOwnSettings: () => {
      const initialPrefs = pick(readPrefs(defaultPrefs), [...ownSettings]);
      return !isEqual(pick(readPrefs(prefs.getState()), [...ownSettings]), initialPrefs);
    },
    importFile: async (file, { hasSettings, signal, onProgress }) => {
      try {
        await recorder.flush();
        const busyIds = await listBusyIds();
        const onBytes = (bytes: number) => onProgress(bytes / file.size);
        const report =
          page.startImportWorker && records.mode === 'durable'
            ? await importInWorker(await page.startImportWorker(), { backup: file, busyIds }, signal, onBytes)
            : await importBackup(
                file,
                { records, vectors: await openVectors(), now: page.now, busyIds },
                { signal, onProgress: onBytes },
              );
        if (hasSettings && isRecord(report.prefs)) {
          const { lastSessionId } = prefs.getState();
          prefs.setState({ ...readPrefs(report.prefs), lastSessionId });
        }
        await publishChanges(report);
        return report;
      } catch (error) {
        return { ...createReport(), problem: formatError(error) };
      }
    },
  };
}

function importInWorker(
  worker: Worker,
  request: BackupWorkerRequest,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<ImportReport> {
  return new Promise<ImportReport>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<BackupWorkerMessage>) => {
      if ('report' in data) resolve(data.report);
      else onBytes(data.bytes);
    });
    worker.addEventListener('error', (event) =>
      reject(new Error(event.message || 'the import worker did not start')),
    );
    const post = (message: BackupWorkerRequest) => worker.postMessage(message, []);
    // The worker finishes the write in progress, so that its report is exact.
    signal.addEventListener('abort', () => post('cancel'));
    post(request);
  }).finally(() => worker.terminate());
}

/** Returns a change for each record of a session, as if another tab had written them. */
async function listSessionChanges(records: RecordStore, id: string): Promise<RecordChange[]> {
  const stored = await records.readSession(id);
  if (!stored) return [];
  return [
    { store: 'sessions', key: id, sessionId: id },
    ...(['lanes', 'prompts', 'turns', 'runs'] as const).flatMap((store) =>
      stored[store].map((record) => ({ store, key: getRecordKey(record), sessionId: id })),
    ),
  ];
}

/** Returns the time of change of each group here. */
async function readStoredTimes(
  records: RecordStore,
  vectors: Awaited<ReturnType<typeof openSavedSets>>['vectors'],
): Promise<Record<GroupKind, Map<string, number>>> {
  const toEntry = (id: string, record: unknown): [string, number] => [
    id,
    getNumberProperty(record, 'updatedAt') ?? 0,
  ];
  const [sessions, trialIds, sets] = await Promise.all([
    records.listSessions(),
    records.listKeys('trials'),
    vectors.listNotes(setNotePrefix),
  ]);
  const trials = await Promise.all(
    trialIds.map(async (id) => toEntry(id, await records.readRecord('trials', id))),
  );
  return {
    sessions: new Map(sessions.map((session) => toEntry(getRecordKey(session), session))),
    trials: new Map(trials),
    sets: new Map(sets.map(({ id, value }) => toEntry(id.slice(setNotePrefix.length), value))),
  };
}
