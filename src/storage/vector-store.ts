/** Vectors that may have been billed, keyed by the hash of their input, and small notes of the lab. */
import { isRecord } from '../lib/json.ts';

export interface StoredVector {
  /** SHA-256 of the parts of the request that determine the vector (embedding/items/vector-key.ts). */
  key: string;
  /** Vector as received, not normalised. */
  vector: Float32Array<ArrayBuffer>;
  /** Tokens of this input alone, if the response reported them. */
  tokens?: number;
}

export interface VectorStore {
  /** `memory`: data is lost with the page. */
  getMode: () => 'durable' | 'memory';
  /** In the order of `keys`; `undefined` for missing entries. */
  get: (keys: readonly string[]) => Promise<(StoredVector | undefined)[]>;
  has: (keys: readonly string[]) => Promise<boolean[]>;
  /** Stores all vectors or none. If the disk fails, they are kept in memory and `getMode` reports it from then on. */
  put: (vectors: readonly StoredVector[]) => Promise<void>;
  /** Returns the next `count` vectors in key order, for reading all of them in steps. */
  scan: (count: number, afterKey?: string) => Promise<StoredVector[]>;
  readNote: (id: string) => Promise<unknown>;
  putNote: (id: string, value: object | undefined) => Promise<void>;
  /** Returns the notes whose ID starts with the prefix, in the order of their IDs. */
  listNotes: (idPrefix: string) => Promise<{ id: string; value: unknown }[]>;
  /** Returns the IDs of all notes. */
  listNoteIds: () => Promise<string[]>;
  count: () => Promise<number>;
  /** Deletes all vectors and keeps the notes. */
  clear: () => Promise<void>;
}

/** Returns a stored record as a vector, or undefined if it is malformed. */
export function readStoredVector(value: unknown): StoredVector | undefined {
  if (!isRecord(value) || typeof value['key'] !== 'string') return undefined;
  const { key, vector, tokens } = value;
  if (!(vector instanceof Float32Array) || vector.length === 0 || !(vector.buffer instanceof ArrayBuffer))
    return undefined;
  // Copies the vector, since the stored one may be a view of a larger buffer.
  const copy = Float32Array.from(vector);
  return typeof tokens === 'number' ? { key, vector: copy, tokens } : { key, vector: copy };
}

/** Creates a vector store in memory for browsers without IndexedDB. */
export function createMemoryVectorStore(): VectorStore {
  const vectors = new Map<string, StoredVector>();
  const notes = new Map<string, unknown>();
  return {
    getMode: () => 'memory',
    get: async (keys) => keys.map((key) => vectors.get(key)),
    has: async (keys) => keys.map((key) => vectors.has(key)),
    put: async (newVectors) => {
      for (const vector of newVectors) vectors.set(vector.key, vector);
    },
    scan: async (count, afterKey = '') =>
      [...vectors.values()]
        .filter(({ key }) => key > afterKey)
        .toSorted((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, count),
    readNote: async (id) => notes.get(id),
    putNote: async (id, value) => {
      if (value === undefined) notes.delete(id);
      else notes.set(id, structuredClone(value));
    },
    listNotes: async (idPrefix) =>
      [...notes]
        .filter(([id]) => id.startsWith(idPrefix))
        .map(([id, value]) => ({ id, value }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    listNoteIds: async () => [...notes.keys()].toSorted(),
    count: async () => vectors.size,
    clear: async () => vectors.clear(),
  };
}
