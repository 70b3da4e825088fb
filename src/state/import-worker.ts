/**
 * Imports a large file in a worker. A session file is answered with an ImportOutcome; a backup with its progress and an
 * ImportReport, and its import can be cancelled.
 */
import { formatError } from '../lib/format-error.ts';
import { createRandomId } from '../lib/ids.ts';
import { openRecordStore } from '../storage/db.ts';
import { openVectorStore } from '../storage/vector-db.ts';
import type { BackupWorkerMessage, BackupWorkerRequest } from './backup/backup.ts';
import { importBackup, type ImportReport } from './backup/read-backup.ts';
import { importText, type ImportOutcome } from './sessions/library-import.ts';

async function importSessionFile(file: File): Promise<ImportOutcome> {
  const records = await openRecordStore();
  try {
    return await importText(records, await file.text(), () => createRandomId(Date.now()));
  } catch (error) {
    return {
      ok: false,
      reason: `It could not be read: ${formatError(error)}`,
    };
  } finally {
    records.close();
  }
}

const cancellation = new AbortController();
/** Minimum time between two reports of the progress in ms. */
const progressIntervalMs = 100;

async function importBackupFile(file: File, busyIds: readonly string[]): Promise<ImportReport> {
  const [records, vectors] = await Promise.all([openRecordStore(), openVectorStore()]);
  let reportedAt = 0;
  const onProgress = (bytes: number) => {
    if (performance.now() - reportedAt < progressIntervalMs) return;
    reportedAt = performance.now();
    postMessage({ bytes } satisfies BackupWorkerMessage);
  };
  try {
    return await importBackup(
      file,
      { records, vectors, now: () => Date.now(), busyIds },
      { signal: cancellation.signal, onProgress },
    );
  } finally {
    records.close();
  }
}

addEventListener('message', ({ data }: MessageEvent<File | BackupWorkerRequest>) => {
  if (data === 'cancel') cancellation.abort();
  else if (data instanceof File) void importSessionFile(data).then((outcome) => postMessage(outcome));
  else
    // A failure to open the database reaches the page as an error of the worker.
    void importBackupFile(data.backup, data.busyIds).then((report) =>
      postMessage({ report } satisfies BackupWorkerMessage),
    );
});
