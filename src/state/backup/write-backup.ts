/** Writes everything stored in this browser as the lines of a backup. Holds one session or a few records at a time. */
import { getPasteKey } from '../../conversation/session/draft.ts';
import { encodeBase64 } from '../../lib/base64.ts';
import { getNumberProperty, getOwnProperty, getStringProperty, isRecord } from '../../lib/json.ts';
import { getRecordKey } from '../../storage/memory-record-store.ts';
import type { KeyedStore, RecordStore } from '../../storage/record-store.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import { getHeartbeatId } from '../../trials/trial-schemas.ts';
import { isTrialKey } from '../../trials/trial.ts';
import { toDataUrl } from '../drafts/image-data.ts';
import {
  formatBackupLine,
  formatHeader,
  setNotePrefix,
  textsNotePrefix,
  type BackupHeader,
  type BackupLine,
  type GroupKind,
} from './backup-format.ts';

export interface BackupSource {
  records: RecordStore;
  vectors: VectorStore;
  prefs: object;
}

type RecordLine = Extract<BackupLine, { store: string }>;

const scanBatchSize = 50;
const vectorBatchSize = 500;
const segmentBatchSize = 8;

/** Returns what a backup of this browser contains. Vectors are counted even if the backup will omit them. */
export async function readContents(
  { records, vectors }: Omit<BackupSource, 'prefs'>,
  createdAt: number,
): Promise<BackupHeader> {
  const [sessions, trialKeys, sets, presets, images, learned, vectorCount] = await Promise.all([
    records.listSessions(),
    records.listKeys('trials'),
    vectors.listNotes(setNotePrefix),
    records.listKeys('presets'),
    records.listKeys('images'),
    records.listKeys('learned'),
    vectors.count(),
  ]);
  const trials = await Promise.all(
    trialKeys
      .filter(isTrialKey)
      .map(async (id) => [id, getUpdatedAt(await records.readRecord('trials', id))] as const),
  );
  return {
    createdAt,
    groups: {
      sessions: sessions.flatMap((session) =>
        getOwnProperty(session, 'summary') === undefined
          ? []
          : [[getRecordKey(session), getUpdatedAt(session)] as const],
      ),
      trials,
      sets: sets.map(({ id, value }) => [id.slice(setNotePrefix.length), getUpdatedAt(value)] as const),
    },
    counts: {
      presets: presets.length,
      images: images.length,
      learned: learned.length,
      vectors: vectorCount,
    },
  };
}

/** Yields the lines of a backup. `onProgress` receives the written part of all sessions, trials and sets, from 0 to 1. */
export async function* writeBackup(
  { records, vectors, prefs }: BackupSource,
  { createdAt, hasVectors }: { createdAt: number; hasVectors: boolean },
  onProgress: (fraction: number) => void = () => undefined,
): AsyncGenerator<string> {
  const contents = await readContents({ records, vectors }, createdAt);
  const counts = hasVectors ? contents.counts : { ...contents.counts, vectors: 0 };
  yield formatHeader({ ...contents, counts });
  let recordCount = 0;
  async function* write(lines: AsyncIterable<RecordLine> | Iterable<RecordLine>): AsyncGenerator<string> {
    for await (const line of lines) {
      recordCount += 1;
      yield formatBackupLine(line);
    }
  }
  async function* writeGroup(
    kind: GroupKind,
    id: string,
    updatedAt: number,
    lines: AsyncIterable<RecordLine>,
  ): AsyncGenerator<string> {
    const countBefore = recordCount;
    yield formatBackupLine({ group: kind, id, updatedAt });
    yield* write(lines);
    yield formatBackupLine({ groupEnd: id, records: recordCount - countBefore });
  }

  yield* write([{ store: 'prefs', record: prefs }]);
  yield* write(scanStore(records, 'presets'));
  yield* write(scanStore(records, 'learned'));
  yield* write(readImages(records));

  const sessions = (await records.listSessions()).map((session): [string, number] => [
    getRecordKey(session),
    getUpdatedAt(session),
  ]);
  const { trials, sets } = contents.groups;
  const groupCount = sessions.length + trials.length + sets.length;
  let groupsWritten = 0;
  const reportGroup = () => onProgress((groupsWritten += 1) / groupCount);
  for (const [id, updatedAt] of sessions) {
    yield* writeGroup('sessions', id, updatedAt, readSessionLines(records, id));
    reportGroup();
  }
  for (const [id, updatedAt] of trials) {
    yield* writeGroup('trials', id, updatedAt, readTrialLines(records, id));
    reportGroup();
  }
  for (const [id, updatedAt] of sets) {
    yield* writeGroup('sets', id, updatedAt, readNotes(vectors, [textsNotePrefix + id, setNotePrefix + id]));
    reportGroup();
  }
  const otherNotes = (await vectors.listNoteIds()).filter(
    (id) => !id.startsWith(setNotePrefix) && !id.startsWith(textsNotePrefix),
  );
  yield* write(readNotes(vectors, otherNotes));
  if (hasVectors) yield* write(readVectors(vectors));
  yield formatBackupLine({ end: true, records: recordCount });
}

function getUpdatedAt(record: unknown): number {
  return getNumberProperty(record, 'updatedAt') ?? 0;
}

async function* scanStore(records: RecordStore, store: KeyedStore): AsyncGenerator<RecordLine> {
  let cursor: string | undefined;
  for (;;) {
    const slice = await records.scan(store, scanBatchSize, cursor);
    for (const record of slice) yield { store, record };
    if (slice.length < scanBatchSize) return;
    cursor = getRecordKey(slice.at(-1));
  }
}

async function* readImages(records: RecordStore): AsyncGenerator<RecordLine> {
  for (const hash of await records.listKeys('images')) {
    const record = await records.readRecord('images', hash);
    const blob = getOwnProperty(record, 'blob');
    if (isRecord(record) && blob instanceof Blob)
      yield { store: 'images', record: { ...record, blob: await toDataUrl(blob) } };
  }
}

async function* readSessionLines(records: RecordStore, id: string): AsyncGenerator<RecordLine> {
  const stored = await records.readSession(id);
  if (!stored) return;
  yield { store: 'sessions', record: stored.session };
  for (const store of ['lanes', 'prompts', 'turns', 'runs'] as const)
    for (const record of stored[store]) yield { store, record };
  for (const key of [id, getPasteKey(id)]) {
    const record = await records.readRecord('drafts', key);
    if (record !== undefined) yield { store: 'drafts', record };
  }
  for (const run of stored.runs) yield* readTapeLines(records, getRecordKey(run));
}

async function* readTrialLines(records: RecordStore, id: string): AsyncGenerator<RecordLine> {
  for (const key of [id, getHeartbeatId(id)]) {
    const record = await records.readRecord('trials', key);
    if (record !== undefined) yield { store: 'trials', record };
  }
  for (const store of ['cases', 'cells'] as const) {
    let cursor: unknown;
    for (;;) {
      const slice = await records.listByTrial(store, id, { limit: scanBatchSize, after: cursor });
      for (const record of slice) yield { store, record };
      if (slice.length < scanBatchSize) break;
      cursor = slice.at(-1);
    }
  }
  for (const record of await records.listByTrial('marks', id)) yield { store: 'marks', record };
  for await (const line of scanStore(records, 'ballots'))
    if (getStringProperty(line.record, 'trialId') === id) yield line;
  for (const runId of await records.listRunIds(id)) {
    yield { store: 'runs', record: await records.readRecord('runs', runId) };
    yield* readTapeLines(records, runId);
  }
}

async function* readTapeLines(records: RecordStore, runId: string): AsyncGenerator<RecordLine> {
  let fromSeq = 0;
  for (;;) {
    const segments = await records.readTape(runId, fromSeq, segmentBatchSize);
    for (const segment of segments) {
      const packed = getOwnProperty(segment, 'packed');
      yield {
        store: 'tapes',
        record:
          isRecord(segment) && packed instanceof Uint8Array
            ? { ...segment, packed: encodeBase64(packed) }
            : segment,
      };
    }
    if (segments.length < segmentBatchSize) return;
    fromSeq = (getNumberProperty(segments.at(-1), 'firstSeq') ?? fromSeq) + 1;
  }
}

async function* readNotes(vectors: VectorStore, ids: readonly string[]): AsyncGenerator<RecordLine> {
  for (const id of ids) {
    const value = await vectors.readNote(id);
    if (value !== undefined) yield { store: 'notes', record: { id, value } };
  }
}

async function* scanVectors(vectors: VectorStore) {
  let cursor: string | undefined;
  for (;;) {
    const batch = await vectors.scan(vectorBatchSize, cursor);
    yield batch;
    if (batch.length < vectorBatchSize) return;
    cursor = batch.at(-1)?.key;
  }
}

async function* readVectors(vectors: VectorStore): AsyncGenerator<RecordLine> {
  for await (const batch of scanVectors(vectors))
    for (const { vector, ...rest } of batch)
      yield {
        store: 'vectors',
        record: { ...rest, vector: encodeBase64(new Uint8Array(vector.buffer)) },
      };
}
