/** Exports and imports tapes (conversation/files/tape-export.ts). Loaded on first use. */
import { buildTapeFile, extractTurns } from '../../conversation/files/tape-export.ts';
import { readTapeFile } from '../../conversation/files/tape-import.ts';
import { reissueIds } from '../../conversation/session/reissue-ids.ts';
import { getRunId } from '../../conversation/session/turn-tree.ts';
import type { RunId, SessionData, SessionId, TurnId } from '../../conversation/session/types.ts';
import { formatError } from '../../lib/format-error.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { buildSessionWrites } from '../sessions/autosave.ts';
import type { LibraryExport } from '../sessions/library-export.ts';
import type { ImportOutcome } from '../sessions/library-import.ts';
import type { Library } from '../sessions/library.ts';

export interface ExportedTapes {
  pieces: string[];
  title: string;
  answerCount: number;
  entryCount: number;
}

/**
 * Exports the tapes of a session, or of these answers with the turns before them. Live runs are included as far as
 * stored. Returns undefined if nothing is stored.
 */
export async function exportTapes(
  deps: { library: Library; exporter: LibraryExport },
  sessionId: SessionId,
  turnIds?: readonly TurnId[],
): Promise<ExportedTapes | undefined> {
  const snapshot = await deps.exporter.readSnapshot(sessionId);
  if (!snapshot) return undefined;
  const session =
    turnIds === undefined ? snapshot : { data: extractTurns(snapshot.data, turnIds), unreadable: [] };
  const runIds = turnIds === undefined ? Object.keys(session.data.runs) : getRunIds(session.data, turnIds);
  const tapes = await Promise.all(
    runIds.map(async (runId) => ({ runId, entries: await deps.library.readTape(runId) })),
  );
  const recordedTapes = tapes.filter(({ entries }) => entries.length > 0);
  const images = await deps.exporter.readImageDataUrls(session.data);
  return {
    pieces: buildTapeFile(session, recordedTapes, images),
    title: session.data.session.title,
    answerCount: recordedTapes.length,
    entryCount: recordedTapes.reduce((sum, { entries }) => sum + entries.length, 0),
  };
}

function getRunIds(data: SessionData, turnIds: readonly TurnId[]): RunId[] {
  return turnIds.flatMap((turnId) => getRunId(data.turns[turnId]) ?? []);
}

export interface TapeImportOptions {
  records: RecordStore;
  text: string;
  newId: () => string;
  /** Returns writes for images that are not stored yet; undefined if an image does not match its hash. */
  buildImageWrites: (
    records: RecordStore,
    images: Readonly<Record<string, string>>,
  ) => Promise<Write[] | undefined>;
}

/** Imports a tape file as a new session, always under new IDs, so that the original is never changed. */
export async function importTapes({
  records,
  text,
  newId,
  buildImageWrites,
}: TapeImportOptions): Promise<ImportOutcome> {
  const reading = readTapeFile(text);
  if (!reading.ok) return reading;
  if (reading.sessions.length === 0) return { ok: false, reason: 'It contains no session.', line: 2 };
  const images = await buildImageWrites(records, reading.images);
  if (images === undefined) return { ok: false, reason: 'An image in it does not match its hash.', line: 2 };
  const copies = reading.sessions.map((data) => reissueIds(data, newId));
  const ids = new Map(copies.flatMap(({ runIds }) => runIds));
  const tapes = reading.tapes.flatMap(({ runId, entries }): Write[] => {
    const newRunId = ids.get(runId);
    return newRunId === undefined ? [] : [{ store: 'tapes', put: { runId: newRunId, firstSeq: 0, entries } }];
  });
  try {
    await records.write([...copies.flatMap(({ data }) => buildSessionWrites(data)), ...tapes, ...images], {
      strict: true,
    });
  } catch (error) {
    return { ok: false, reason: `It could not be stored. The browser reports: ${formatError(error)}` };
  }
  return {
    ok: true,
    sessionIds: copies.map(({ data }) => data.session.id),
    trialIds: [],
    damaged: reading.damaged,
    droppedFields: reading.droppedFields,
  };
}
