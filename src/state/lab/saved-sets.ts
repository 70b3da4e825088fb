/** Sets of texts that were embedded in this browser: the history lists them, and each can fill the lab again. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { findMatchingTerms, parseQueryTerms } from '../../conversation/files/text-search.ts';
import { deriveTitle } from '../../conversation/session/edit-session.ts';
import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { computeSha256 } from '../../lib/sha256.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import { openVectorStore } from '../../storage/vector-db.ts';
import { memoryVectorStore, type VectorStore } from '../../storage/vector-store.ts';
import type { Playground } from '../create-playground.ts';
import { readInput, reviveInput, type LabInput } from './lab-input.ts';

export interface KeptSet {
  id: string;
  title: string;
  texts: number;
  /** Those that the texts were embedded with, the latest first. Empty: they were put aside before they were. */
  models: readonly string[];
  /** Epoch milliseconds. */
  updatedAt: number;
}

export interface KeptSets {
  vectors: VectorStore;
  changes: StoreApi<{ count: number }>;
  list: () => Promise<KeptSet[]>;
  /** Those whose title, models and texts hold every word of the query. */
  search: (query: string) => Promise<Set<string>>;
  /** The same texts are one set, whatever they are embedded with. */
  keep: (input: LabInput, models: readonly string[]) => Promise<void>;
  /** Undefined where there is no such set. */
  read: (id: string) => Promise<LabInput | undefined>;
  rename: (id: string, title: string) => Promise<void>;
  /** The set that the lab opens when it is shown next. */
  want: (id: string) => void;
  takeWanted: () => string | undefined;
  /** Its texts go once this cannot be undone any more. The vectors stay: they belong to texts, not to sets. */
  remove: (set: KeptSet) => void;
}

interface SetsParts {
  vectors: VectorStore;
  /** Epoch milliseconds. */
  now: () => number;
  offerUndo: (text: string, restore: () => void, expire: () => void) => void;
}

/** Notes beside the vectors: one with what the history shows, one with the texts, which may be many. */
const setNote = 'set ';
const textsNote = 'texts of set ';

/** The sets in this store of vectors. */
export function createKeptSets({ vectors, now, offerUndo }: SetsParts): KeptSets {
  const changes = createStore(() => ({ count: 0 }));
  const changed = () => changes.setState(({ count }) => ({ count: count + 1 }));
  const hidden = new Set<string>();
  let wanted: string | undefined;

  const noteOf = async (id: string) => readSet(id, await vectors.note(setNote + id));
  const putSet = async ({ id, ...rest }: KeptSet) => {
    await vectors.putNote(setNote + id, rest);
    changed();
  };
  const list = async () => {
    const notes = await vectors.notes(setNote);
    return notes.flatMap(({ id, value }) => {
      const set = readSet(id.slice(setNote.length), value);
      return set && !hidden.has(set.id) ? [set] : [];
    });
  };
  const read = async (id: string) => {
    const stored = await vectors.note(textsNote + id);
    return isRecord(stored) ? reviveInput(stored) : undefined;
  };

  return {
    vectors,
    changes,
    list,
    read,
    search: async (query) => {
      const words = parseQueryTerms(query);
      const found = new Set<string>();
      for (const set of await list()) {
        const input = await read(set.id);
        const all = [set.title, ...set.models, input === undefined ? '' : writtenIn(input)].join('\n');
        if (findMatchingTerms(all, words).length === words.length) found.add(set.id);
      }
      return found;
    },
    keep: async (input, models) => {
      const texts = readInput(input).items.length;
      if (texts === 0) return;
      const id = await idOf(input);
      const known = await noteOf(id);
      if (known && models.length === 0) return;
      hidden.delete(id);
      await vectors.putNote(textsNote + id, input);
      await putSet({
        id,
        title: known?.title ?? nameOf(input),
        texts,
        models: [...new Set([...models, ...(known?.models ?? [])])],
        updatedAt: now(),
      });
    },
    rename: async (id, title) => {
      const known = await noteOf(id);
      if (known) await putSet({ ...known, title });
    },
    want: (id) => {
      wanted = id;
    },
    takeWanted: () => {
      const taken = wanted;
      wanted = undefined;
      return taken;
    },
    remove: (set) => {
      hidden.add(set.id);
      changed();
      offerUndo(
        `Deleted “${getDisplayTitle(set.title)}”.`,
        () => {
          hidden.delete(set.id);
          changed();
        },
        () => {
          // It was embedded again meanwhile.
          if (!hidden.delete(set.id)) return;
          void Promise.all([
            vectors.putNote(setNote + set.id, undefined),
            vectors.putNote(textsNote + set.id, undefined),
          ]).then(changed);
        },
      );
    },
  };
}

/** The sets of this playground, in this browser where it stores anything; the same ones for the lab and the history. */
export function openKeptSets({ lab, storage, page, actions }: Playground): Promise<KeptSets> {
  return lab.sets(async () => {
    const isMemory = storage.getState().mode === 'memory';
    let onErased: () => void = () => undefined;
    const vectors = isMemory ? memoryVectorStore() : await openVectorStore(() => onErased());
    const sets = createKeptSets({ vectors, now: page.now, offerUndo: actions.offerUndo });
    onErased = () => {
      void lab.lab()?.forget();
      sets.changes.setState(({ count }) => ({ count: count + 1 }));
    };
    return sets;
  });
}

const encoder = new TextEncoder();

function idOf({ mode, typed, file }: LabInput): Promise<string> {
  const source = file ? [mode, file.table.name, file.columns, file.table.rows] : [mode, typed];
  return computeSha256(encoder.encode(JSON.stringify(source)));
}

/** The name of the file, or what a session that begins with these texts would be called. */
function nameOf({ typed, file }: LabInput): string {
  return file ? file.table.name : deriveTitle([{ role: 'user', content: typed }]);
}

function writtenIn({ typed, file }: LabInput): string {
  return file ? file.table.rows.map((row) => row.join(' ')).join('\n') : typed;
}

function readSet(id: string, stored: unknown): KeptSet | undefined {
  const title = getStringProperty(stored, 'title');
  const texts = getNumberProperty(stored, 'texts');
  const updatedAt = getNumberProperty(stored, 'updatedAt');
  const models = getOwnProperty(stored, 'models');
  if (title === undefined || texts === undefined || updatedAt === undefined || !Array.isArray(models))
    return undefined;
  return { id, title, texts, updatedAt, models: models.filter((model) => typeof model === 'string') };
}
