/** Imports a session file in one transaction, or rejects it with the reason. */
import { maxImportBytes, readImport, type ImportError } from '../../conversation/files/session-import.ts';
import { isTapeFile } from '../../conversation/files/tape-import.ts';
import { reissueIds } from '../../conversation/session/reissue-ids.ts';
import type { SessionData, SessionId, Setup } from '../../conversation/session/types.ts';
import { formatError } from '../../lib/format-error.ts';
import { formatBytes } from '../../lib/format.ts';
import type { KeyedStore, RecordStore } from '../../storage/record-store.ts';
import { isTrialFile, parseTrialFile } from '../../trials/files/trial-file.ts';
import type { TrialId } from '../../trials/trial.ts';
import { isBackupFile } from '../backup/backup-format.ts';
import { buildImageWrites } from '../drafts/image-data.ts';
import { readExportedSet, type ExportedSet } from '../lab/saved-sets.ts';
import { importTapes } from '../runs/tape-files.ts';
import { buildImportWrites, importTrialFile } from '../trials/repository/trial-files.ts';
import { buildSessionWrites } from './autosave.ts';

export type ImportOutcome =
  | {
      ok: true;
      sessionIds: SessionId[];
      /** New IDs of the imported trials. */
      trialIds: TrialId[];
      /** Embedding sets in the file, which are not stored yet. */
      sets?: readonly ExportedSet[];
      /** Number of records that were already damaged when the file was written. */
      damaged: number;
      /** Number of opaque fields that were omitted (imported-fields.ts). */
      droppedFields: number;
      /** Names of the gateways that the imported setups choose. */
      gateways?: string[];
    }
  | ({ ok: false } & ImportError);

const sessionStores: readonly KeyedStore[] = ['sessions', 'lanes', 'prompts', 'turns', 'runs'];

/**
 * Imports the text of a file. Sessions that share an ID with a stored one get new IDs, so stored data never changes.
 */
export async function importText(
  records: RecordStore,
  text: string,
  newId: () => string,
): Promise<ImportOutcome> {
  if (isTapeFile(text)) {
    return importTapes({ records, text, newId, buildImageWrites });
  }
  if (isTrialFile(text)) {
    const outcome = await importTrialFile(records, text.split('\n'), newId);
    if (!outcome.ok) return outcome;
    return {
      ok: true,
      sessionIds: [],
      trialIds: [outcome.id],
      damaged: 0,
      droppedFields: outcome.droppedFields,
    };
  }
  const reading = readImport(text);
  if (!reading.ok) return reading;
  const sets = reading.sets.map(readExportedSet);
  const failedSetIndex = sets.indexOf(undefined);
  if (failedSetIndex !== -1)
    return { ok: false, reason: 'It is not an embedding set.', path: `sets[${failedSetIndex}]` };
  if (reading.sessions.length + reading.trials.length + sets.length === 0)
    return { ok: false, reason: 'It contains no session.' };
  const trials = reading.trials.map((lines) =>
    parseTrialFile(
      lines.map((line) => JSON.stringify(line)),
      newId,
    ),
  );
  const failedIndex = trials.findIndex(({ ok }) => !ok);
  const failedTrial = trials[failedIndex];
  if (failedTrial && !failedTrial.ok)
    return { ok: false, reason: failedTrial.reason, path: `trials[${failedIndex}][${failedTrial.line - 1}]` };
  const importedTrials = trials.flatMap((trial) => (trial.ok ? [trial] : []));
  const trialWrites = (await Promise.all(importedTrials.map(buildImportWrites))).flat();
  const images = await buildImageWrites(records, reading.images);
  if (images === undefined) return { ok: false, reason: 'An image in it does not match its hash.' };
  const storedIds = new Set(
    (await Promise.all(sessionStores.map((store) => records.listKeys(store)))).flat(),
  );
  const sessions = reading.sessions.map((data) =>
    hasSharedId(data, storedIds) ? reissueIds(data, newId).data : data,
  );
  try {
    await records.write([...sessions.flatMap(buildSessionWrites), ...trialWrites, ...images], {
      strict: true,
    });
  } catch (error) {
    return { ok: false, reason: `It could not be stored: ${formatError(error)}` };
  }
  return {
    ok: true,
    sessionIds: sessions.map((data) => data.session.id),
    trialIds: importedTrials.map(({ trial }) => trial.id),
    sets: sets.flatMap((set) => set ?? []),
    damaged: reading.damaged,
    droppedFields:
      reading.droppedFields + importedTrials.reduce((sum, trial) => sum + trial.droppedFields, 0),
    gateways: listGateways([
      ...sessions.flatMap((data) => Object.values(data.lanes)),
      ...importedTrials.flatMap(({ trial }) => trial.columns),
    ]),
  };
}

function listGateways(owners: readonly { setup: Setup }[]): string[] {
  return [...new Set(owners.flatMap(({ setup }) => setup.gateway ?? []))];
}

function hasSharedId(data: SessionData, storedIds: ReadonlySet<string>): boolean {
  const ids = [data.lanes, data.prompts, data.turns, data.runs].flatMap((records) => Object.keys(records));
  return [data.session.id, ...ids].some((id) => storedIds.has(id));
}

/** Size in bytes from which parsing would block the page, so it runs in a worker. */
const minWorkerBytes = 1_000_000;

export interface ImportDeps {
  records: RecordStore;
  newId: () => string;
  /**
   * Starts a worker that receives a File and returns an ImportOutcome (import-worker.ts); absent if workers are
   * unavailable.
   */
  startWorker?: (() => Promise<Worker>) | undefined;
}

/** Imports a file. Invalid content is reported in the outcome; rejects only if the file cannot be read. */
export async function importFile(
  file: File,
  { records, newId, startWorker }: ImportDeps,
): Promise<ImportOutcome> {
  if (await isBackupFile(file))
    return { ok: false, reason: 'It is a backup. Import it on the History page.' };
  if (file.size > maxImportBytes) {
    return {
      ok: false,
      reason: `It is ${formatBytes(file.size)}; the limit is ${formatBytes(maxImportBytes)}.`,
    };
  }
  if (startWorker && file.size > minWorkerBytes && records.mode === 'durable') {
    return importInWorker(file, await startWorker());
  }
  return importText(records, await file.text(), newId);
}

function importInWorker(file: File, worker: Worker): Promise<ImportOutcome> {
  return new Promise<ImportOutcome>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<ImportOutcome>) => resolve(data));
    worker.addEventListener('error', (event) =>
      reject(new Error(event.message || 'the import worker did not start')),
    );
    worker.postMessage(file, []);
  }).finally(() => worker.terminate());
}
