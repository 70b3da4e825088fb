/** Vectors that were paid for, under the hash of what was embedded; and small notes of the lab beside them. */
import { isRecord } from '../lib/json.ts';

export interface StoredVector {
  /** SHA-256 of model, dimensions and exact input (embedding/items/vector-key.ts). */
  key: string;
  /** As received, not normalised. */
  vector: Float32Array<ArrayBuffer>;
  /** Of this input alone, where the answer said so. */
  tokens?: number;
}

export interface VectorStore {
  /** memory: nothing outlives the page. */
  getMode: () => 'durable' | 'memory';
  /** By place in `keys`; undefined where there is none. */
  get: (keys: readonly string[]) => Promise<(StoredVector | undefined)[]>;
  has: (keys: readonly string[]) => Promise<boolean[]>;
  /** All or nothing. Where the disk refuses, they are kept in memory, and `getMode` says so from then on. */
  put: (vectors: readonly StoredVector[]) => Promise<void>;
  readNote: (id: string) => Promise<unknown>;
  putNote: (id: string, value: object | undefined) => Promise<void>;
  /** Those whose id begins so, in the order of their ids. */
  listNotes: (idPrefix: string) => Promise<{ id: string; value: unknown }[]>;
  count: () => Promise<number>;
  /** Forgets every vector; notes stay. */
  clear: () => Promise<void>;
}

/** A stored record as a vector, or undefined where it is none. */
export function readStoredVector(value: unknown): StoredVector | undefined {
  if (!isRecord(value) || typeof value['key'] !== 'string') return undefined;
  const { key, vector, tokens } = value;
  if (!(vector instanceof Float32Array) || vector.length === 0 || !(vector.buffer instanceof ArrayBuffer))
    return undefined;
  // Its own copy: what is stored may be a part of a larger buffer.
  const copy = Float32Array.from(vector);
  return typeof tokens === 'number' ? { key, vector: copy, tokens } : { key, vector: copy };
}

/** Vectors in memory, for browsers that refuse a database. */
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
    count: async () => vectors.size,
    clear: async () => vectors.clear(),
  };
}
