/**
 * Format of a backup: JSON Lines that are written and read as a stream. The header comes first. Settings, presets,
 * learned models and images follow, one record a line. Then come the records of each session, trial and embedding set
 * between a line that opens the group and one that closes it with the number of its records, then vectors. The last
 * line counts all records, so that a file cut anywhere is recognised, and so is a cut group.
 */
import { isRecord, getNumberProperty, getOwnProperty, getStringProperty, parseJson } from '../../lib/json.ts';

const format = 'bench-backup';
/** Version 2 adds names of lanes, version 3 documents and sounds of messages, version 4 columns with copied answers. */
const version = 4;
const formatStart = `{"format":"${format}"`;

/** Kinds of groups, which are imported completely or not at all. */
export const groupKinds = ['sessions', 'trials', 'sets'] as const;
export type GroupKind = (typeof groupKinds)[number];

/** Prefixes of the notes in the vector store that form an embedding set: its entry in the history, and its texts. */
export const setNotePrefix = 'set ';
export const textsNotePrefix = 'texts of set ';

/** The groups with their time of change in epoch ms, without sessions that have no messages. */
export type BackupGroups = Record<GroupKind, readonly (readonly [id: string, updatedAt: number])[]>;

/** First line of a backup. */
export interface BackupHeader {
  /** Epoch ms. */
  createdAt: number;
  groups: BackupGroups;
  counts: Record<'presets' | 'images' | 'learned' | 'vectors', number>;
}

export type BackupLine =
  | { group: GroupKind; id: string; updatedAt: number }
  | { groupEnd: string; records: number }
  | { store: string; record: unknown }
  | { end: true; records: number };

export function formatHeader({ createdAt, counts, groups }: BackupHeader): string {
  return `${JSON.stringify({ format, version, createdAt, counts, groups })}\n`;
}

export function formatBackupLine(line: BackupLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Returns true if the file begins like a backup of any version. */
export async function isBackupFile(file: Blob): Promise<boolean> {
  return (await file.slice(0, formatStart.length).text()) === formatStart;
}

/** Returns the header, or the reason why this version cannot read the file. */
export function parseHeader(
  line: string,
): { ok: true; header: BackupHeader } | { ok: false; reason: string } {
  const reading = parseJson(line);
  const raw = reading.ok ? reading.value : undefined;
  const fileVersion = getNumberProperty(raw, 'version');
  if (getStringProperty(raw, 'format') !== format || fileVersion === undefined)
    return { ok: false, reason: 'Its first line does not identify it as a backup.' };
  if (fileVersion > version)
    return {
      ok: false,
      reason: `It was written by a newer version of Bench (backup ${fileVersion}). This version reads up to backup ${version}.`,
    };
  const counts = getOwnProperty(raw, 'counts');
  const groups = getOwnProperty(raw, 'groups');
  const getCount = (name: string) => getNumberProperty(counts, name) ?? 0;
  return {
    ok: true,
    header: {
      createdAt: getNumberProperty(raw, 'createdAt') ?? 0,
      groups: {
        sessions: parseIndex(getOwnProperty(groups, 'sessions')),
        trials: parseIndex(getOwnProperty(groups, 'trials')),
        sets: parseIndex(getOwnProperty(groups, 'sets')),
      },
      counts: {
        presets: getCount('presets'),
        images: getCount('images'),
        learned: getCount('learned'),
        vectors: getCount('vectors'),
      },
    },
  };
}

function parseIndex(raw: unknown): [string, number][] {
  return toList(raw).flatMap((entry): [string, number][] => {
    const [id, updatedAt] = toList(entry);
    return typeof id === 'string' && typeof updatedAt === 'number' ? [[id, updatedAt]] : [];
  });
}

function toList(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [];
}

/** Returns the line, or undefined if it is none of this format. */
export function parseBackupLine(text: string): BackupLine | undefined {
  const reading = parseJson(text);
  if (!reading.ok || !isRecord(reading.value)) return undefined;
  const raw: Readonly<Record<string, unknown>> = reading.value;
  const { store, record, group, id, updatedAt, groupEnd, records, end } = raw;
  if (typeof store === 'string') return { store, record };
  if (typeof groupEnd === 'string' && typeof records === 'number') return { groupEnd, records };
  if (end === true && typeof records === 'number') return { end, records };
  const kind = groupKinds.find((name) => name === group);
  return kind !== undefined && typeof id === 'string' && typeof updatedAt === 'number'
    ? { group: kind, id, updatedAt }
    : undefined;
}

/**
 * Returns the lines of a file without holding more than one of them. `isTerminated` is false for a last line without a
 * line break, which may be cut.
 */
export async function* readLines(
  file: Blob,
  onBytes: (bytes: number) => void = () => undefined,
): AsyncGenerator<{ text: string; isTerminated: boolean }, undefined> {
  const reader = file.stream().getReader();
  const decoder = new TextDecoder();
  /** Parts of a line that is longer than a chunk. */
  let lineParts: string[] = [];
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (value) onBytes(value.byteLength);
      const pieces = decoder.decode(value, { stream: !done }).split('\n');
      const rest = pieces.pop() ?? '';
      for (const piece of pieces) {
        yield { text: [...lineParts, piece].join(''), isTerminated: true };
        lineParts = [];
      }
      lineParts.push(rest);
      if (done) break;
    }
    const text = lineParts.join('');
    if (text !== '') yield { text, isTerminated: false };
    return undefined;
  } finally {
    await reader.cancel();
  }
}
