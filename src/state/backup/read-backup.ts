/**
 * Imports a backup line by line. Each session, trial and embedding set is written in one step: completely, or not at all
 * if the file ends before its last record.
 *
 * Rules of the merge: records keep their IDs. A session, trial or set that exists here is replaced as a whole if the one
 * in the file was changed later, otherwise it stays. A draft that exists here stays. Presets (by ID and by name), models
 * with learned facts, images, vectors and notes of the lab are added if there is none here. Opaque fields are not marked
 * as imported, and running trials continue as after a crash, because a backup restores the own data of its user.
 */
import { readPreset } from '../../conversation/setup/stored-preset.ts';
import { formatError } from '../../lib/format-error.ts';
import { getNumberProperty, getOwnProperty, getStringProperty, isRecord } from '../../lib/json.ts';
import { computeSha256 } from '../../lib/sha256.ts';
import { getRecordKey } from '../../storage/memory-record-store.ts';
import type { KeyedStore, RecordStore, StoredImage, Write } from '../../storage/record-store.ts';
import type { StoredVector, VectorStore } from '../../storage/vector-store.ts';
import { parseDataUrl } from '../drafts/image-data.ts';
import { buildTrialRemovals } from '../trials/repository/trial-records.ts';
import {
  parseBackupLine,
  parseHeader,
  readLines,
  setNotePrefix,
  textsNotePrefix,
  type GroupKind,
} from './backup-format.ts';
import {
  decodeOrUndefined,
  isLearnedRecord,
  parseSessionGroup,
  parseTrialGroup,
  type ParsedGroup,
  type RawRecord,
} from './backup-records.ts';

export interface BackupImport {
  records: RecordStore;
  vectors: VectorStore;
  /** Epoch ms. */
  now: () => number;
  /** Sessions and trials with answers in progress here, which stay as they are. */
  busyIds: readonly string[];
}

export interface ImportReport {
  /** IDs of the groups that did not exist here. */
  added: Record<GroupKind, string[]>;
  /** IDs of the groups that replaced an older one. */
  replaced: Record<GroupKind, string[]>;
  /** Number of groups that are as new or newer here. */
  kept: number;
  /** Number of groups that stay because they have answers in progress here. */
  busy: number;
  /** Number of groups with the ID of a record that belongs to another session here. */
  conflicting: number;
  addedRecords: Record<'presets' | 'learned' | 'images' | 'vectors', number>;
  /** Number of presets here that have the ID or the name of one in the file. */
  keptPresets: number;
  damaged: number;
  /** Number of records of stores that this version does not have. */
  unknown: number;
  /** False if the file was cut or the import was cancelled or failed. */
  isComplete: boolean;
  isCancelled: boolean;
  /** Reason why the import ended early. */
  problem?: string;
  /** Settings in the file. */
  prefs?: unknown;
}

interface ImportOptions {
  signal: AbortSignal;
  /** Receives the number of bytes read. */
  onProgress: (bytes: number) => void;
}

interface OpenGroup {
  kind: GroupKind;
  id: string;
  hasOlder: boolean;
  /** Undefined if the group is left out. */
  raws: RawRecord[] | undefined;
}

const sessionStores = ['lanes', 'prompts', 'turns', 'runs'] as const;
const maxBatchRecords = 500;
const maxBatchChars = 8_000_000;

export function createReport(): ImportReport {
  return {
    added: { sessions: [], trials: [], sets: [] },
    replaced: { sessions: [], trials: [], sets: [] },
    kept: 0,
    busy: 0,
    conflicting: 0,
    addedRecords: { presets: 0, learned: 0, images: 0, vectors: 0 },
    keptPresets: 0,
    damaged: 0,
    unknown: 0,
    isComplete: false,
    isCancelled: false,
  };
}

/** Imports a backup and returns what was imported and what was left out. Never rejects. */
export async function importBackup(
  file: Blob,
  target: BackupImport,
  { signal, onProgress }: ImportOptions,
): Promise<ImportReport> {
  const report = createReport();
  try {
    await importLines(file, target, report, { signal, onProgress });
  } catch (error) {
    report.problem = formatError(error);
  }
  return report;
}

async function importLines(
  file: Blob,
  target: BackupImport,
  report: ImportReport,
  { signal, onProgress }: ImportOptions,
): Promise<void> {
  const { records, vectors } = target;
  let bytesRead = 0;
  const lines = readLines(file, (bytes) => onProgress((bytesRead += bytes)));
  const { value: firstLine } = await lines.next();
  const header = parseHeader(firstLine?.text ?? '');
  if (!header.ok) {
    report.problem = header.reason;
    return;
  }
  const looseRecords = createLooseImport(target, report);
  const groups = createGroupImport(target, report);
  let group: OpenGroup | undefined;
  try {
    for await (const { text, isTerminated } of lines) {
      if (signal.aborted) {
        report.isCancelled = true;
        return;
      }
      // Records of a group that is left out are not parsed.
      if (group && !group.raws && text.startsWith('{"store"')) continue;
      const line = parseBackupLine(text);
      if (!line) {
        if (isTerminated) report.damaged += 1;
      } else if ('group' in line) {
        await looseRecords.flush();
        if (group?.raws) report.damaged += 1;
        group = await groups.open(line.group, line.id, line.updatedAt);
      } else if ('groupEnd' in line) {
        if (group?.id === line.groupEnd && group.raws?.length === line.records)
          await groups.write(group, group.raws);
        else if (group?.raws) report.damaged += 1;
        group = undefined;
      } else if ('end' in line) report.isComplete = true;
      else if (group) group.raws?.push(line);
      else await looseRecords.add(line, text.length);
    }
    await looseRecords.flush();
  } finally {
    await looseRecords.restoreImageTimes();
  }
  if (records.mode === 'durable' && vectors.getMode() === 'memory')
    report.problem = 'Embedding sets and vectors could not be stored.';
}

/** Writes whole sessions, trials and sets. */
function createGroupImport({ records, vectors, busyIds }: BackupImport, report: ImportReport) {
  /** IDs of stored records, read when first needed. */
  let storedIds: Promise<Record<(typeof sessionStores)[number], Set<string>>> | undefined;
  const readStoredIds = async () => {
    const readIds = async (store: KeyedStore) => new Set(await records.listKeys(store));
    const [lanes, prompts, turns, runs] = await Promise.all([
      readIds('lanes'),
      readIds('prompts'),
      readIds('turns'),
      readIds('runs'),
    ]);
    return { lanes, prompts, turns, runs };
  };

  /** Returns the removals of the older session or trial. Its drafts stay. */
  async function buildRemovals(kind: GroupKind, id: string): Promise<Write[]> {
    if (kind === 'trials') return buildTrialRemovals(records, id);
    const stored = await records.readSession(id);
    if (!stored) return [];
    return sessionStores.flatMap((store) =>
      stored[store].map(getRecordKey).flatMap((remove): Write[] =>
        store === 'runs'
          ? [
              { store, remove },
              { store: 'tapes', remove },
            ]
          : [{ store, remove }],
      ),
    );
  }

  async function writeRecords(
    { kind, id, hasOlder }: OpenGroup,
    { writes, damaged }: ParsedGroup,
  ): Promise<boolean> {
    const removals = hasOlder ? await buildRemovals(kind, id) : [];
    storedIds ??= readStoredIds();
    const ids = await storedIds;
    const replacedKeys = new Set(
      removals.flatMap((write) => ('remove' in write ? `${write.store} ${write.remove}` : [])),
    );
    const hasConflict = sessionStores.some((store) =>
      writes.some(
        ({ store: name, put }) =>
          name === store &&
          ids[store].has(getRecordKey(put)) &&
          !replacedKeys.has(`${store} ${getRecordKey(put)}`),
      ),
    );
    if (hasConflict) {
      report.conflicting += 1;
      return false;
    }
    const draftKeys = writes.flatMap(({ store, put }) => (store === 'drafts' ? getRecordKey(put) : []));
    const storedDraftKeys = new Set<string>();
    for (const key of draftKeys)
      if ((await records.readRecord('drafts', key)) !== undefined) storedDraftKeys.add(key);
    const puts = writes.filter(
      ({ store, put }) => store !== 'drafts' || !storedDraftKeys.has(getRecordKey(put)),
    );
    await records.write([...removals, ...puts], { strict: true });
    for (const store of sessionStores)
      for (const { store: name, put } of puts) if (name === store) ids[store].add(getRecordKey(put));
    report.damaged += damaged;
    return true;
  }

  /** The entry in the history comes last, so that it never stands there without its texts. */
  async function writeSet(id: string, raws: readonly RawRecord[]): Promise<boolean> {
    for (const noteId of [textsNotePrefix + id, setNotePrefix + id]) {
      const record = raws.find((raw) => getOwnProperty(raw.record, 'id') === noteId)?.record;
      const value = getOwnProperty(record, 'value');
      if (!isRecord(value)) {
        report.damaged += 1;
        return false;
      }
      await vectors.putNote(noteId, value);
    }
    return true;
  }

  async function readUpdatedAt(kind: GroupKind, id: string): Promise<number | undefined> {
    const stored =
      kind === 'sets' ? await vectors.readNote(setNotePrefix + id) : await records.readRecord(kind, id);
    return stored === undefined ? undefined : (getNumberProperty(stored, 'updatedAt') ?? 0);
  }

  return {
    open: async (kind: GroupKind, id: string, updatedAt: number): Promise<OpenGroup> => {
      const storedAt = await readUpdatedAt(kind, id);
      const isBusy = busyIds.includes(id);
      const isKept = storedAt !== undefined && storedAt >= updatedAt;
      if (isKept) report.kept += 1;
      else if (isBusy) report.busy += 1;
      return { kind, id, hasOlder: storedAt !== undefined, raws: isKept || isBusy ? undefined : [] };
    },
    write: async (group: OpenGroup, raws: readonly RawRecord[]): Promise<void> => {
      const { kind, id, hasOlder } = group;
      // A session that was deleted while the backup was written has no records.
      if (raws.length === 0) return;
      const parsed =
        kind === 'sets'
          ? undefined
          : kind === 'trials'
            ? parseTrialGroup(id, raws)
            : parseSessionGroup(id, raws);
      if (kind !== 'sets' && !parsed) {
        report.damaged += 1;
        return;
      }
      const isWritten = parsed ? await writeRecords(group, parsed) : await writeSet(id, raws);
      if (isWritten) report[hasOlder ? 'replaced' : 'added'][kind].push(id);
    },
  };
}

/** Writes records outside groups in batches, if there is none here. */
function createLooseImport({ records, vectors, now }: BackupImport, report: ImportReport) {
  let batch: RawRecord[] = [];
  let batchChars = 0;
  /**
   * Images in the file with their times. Until their sessions are stored, new images get the current time, because older
   * ones without a session may be removed at any moment (image-cleanup.ts).
   */
  const imageTimes = new Map<string, number | undefined>();

  async function writeImages(raws: readonly RawRecord[]): Promise<void> {
    for (const { record } of raws) {
      const image = await parseImage(record);
      if (!image) report.damaged += 1;
      else if ((await records.readRecord('images', image.hash)) === undefined) {
        await records.write([{ store: 'images', put: { ...image, addedAt: now() } }]);
        imageTimes.set(image.hash, image.addedAt);
        report.addedRecords.images += 1;
      }
    }
  }

  async function writePresets(raws: readonly RawRecord[]): Promise<void> {
    const stored = (await records.listPresets()).flatMap((raw) => readPreset(raw) ?? []);
    for (const { record } of raws) {
      const put = readPreset(record);
      if (!put) report.damaged += 1;
      else if (stored.some(({ id, name }) => id === put.id || name === put.name)) report.keptPresets += 1;
      else {
        await records.write([{ store: 'presets', put }]);
        report.addedRecords.presets += 1;
      }
    }
  }

  async function writeLearned(raws: readonly RawRecord[]): Promise<void> {
    for (const { record } of raws) {
      if (!isLearnedRecord(record)) report.damaged += 1;
      else if ((await records.readRecord('learned', record.id)) === undefined) {
        await records.write([{ store: 'learned', put: record }]);
        report.addedRecords.learned += 1;
      }
    }
  }

  async function writeNotes(raws: readonly RawRecord[]): Promise<void> {
    for (const { record } of raws) {
      const id = getStringProperty(record, 'id');
      const value = getOwnProperty(record, 'value');
      if (id === undefined || !isRecord(value)) report.damaged += 1;
      else if ((await vectors.readNote(id)) === undefined) await vectors.putNote(id, value);
    }
  }

  async function writeVectors(raws: readonly RawRecord[]): Promise<void> {
    const parsed = raws.flatMap(({ record }) => parseVector(record) ?? []);
    report.damaged += raws.length - parsed.length;
    const isStored = await vectors.has(parsed.map(({ key }) => key));
    const missing = parsed.filter((_, index) => isStored[index] !== true);
    if (missing.length === 0) return;
    await vectors.put(missing);
    report.addedRecords.vectors += missing.length;
  }

  const writers = new Map([
    ['presets', writePresets],
    ['learned', writeLearned],
    ['images', writeImages],
    ['notes', writeNotes],
    ['vectors', writeVectors],
  ]);

  async function flush(): Promise<void> {
    const raws = batch;
    batch = [];
    batchChars = 0;
    const [first] = raws;
    if (first) await writers.get(first.store)?.(raws);
  }

  return {
    flush,
    add: async (raw: RawRecord, chars: number): Promise<void> => {
      if (raw.store === 'prefs') {
        report.prefs = raw.record;
        return;
      }
      if (!writers.has(raw.store)) {
        report.unknown += 1;
        return;
      }
      const isOtherStore = batch[0] !== undefined && batch[0].store !== raw.store;
      if (isOtherStore || batch.length >= maxBatchRecords || batchChars >= maxBatchChars) await flush();
      batch.push(raw);
      batchChars += chars;
    },
    restoreImageTimes: async (): Promise<void> => {
      for (const [hash, addedAt] of imageTimes) {
        const blob = getOwnProperty(await records.readRecord('images', hash), 'blob');
        if (!(blob instanceof Blob)) continue;
        const put: StoredImage = addedAt === undefined ? { hash, blob } : { hash, blob, addedAt };
        await records.write([{ store: 'images', put }]);
      }
    },
  };
}

async function parseImage(record: unknown): Promise<StoredImage | undefined> {
  const hash = getStringProperty(record, 'hash');
  const url = getStringProperty(record, 'blob');
  const addedAt = getNumberProperty(record, 'addedAt');
  if (hash === undefined || url === undefined) return undefined;
  try {
    const { bytes, type } = parseDataUrl(url);
    if ((await computeSha256(bytes)) !== hash) return undefined;
    const image = { hash, blob: new Blob([bytes], { type }) };
    return addedAt === undefined ? image : { ...image, addedAt };
  } catch {
    // Its data is not base64.
    return undefined;
  }
}

function parseVector(record: unknown): StoredVector | undefined {
  const key = getStringProperty(record, 'key');
  const bytes = decodeOrUndefined(getStringProperty(record, 'vector') ?? '');
  const tokens = getNumberProperty(record, 'tokens');
  if (
    key === undefined ||
    !bytes ||
    bytes.length === 0 ||
    bytes.length % Float32Array.BYTES_PER_ELEMENT !== 0
  )
    return undefined;
  const vector = { key, vector: new Float32Array(bytes.buffer) };
  return tokens === undefined ? vector : { ...vector, tokens };
}
