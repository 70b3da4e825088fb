/** Sets of texts embedded in this browser. The history lists them, and the lab can open them again. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { findMatchingTerms, parseQueryTerms } from '../../conversation/files/text-search.ts';
import { deriveTitle } from '../../conversation/session/edit-session.ts';
import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { computeSha256 } from '../../lib/sha256.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import { openVectorStore } from '../../storage/vector-db.ts';
import { createMemoryVectorStore, type VectorStore } from '../../storage/vector-store.ts';
import { setNotePrefix, textsNotePrefix } from '../backup/backup-format.ts';
import type { Playground } from '../create-playground.ts';
import { parseInput, readStoredInput, type LabInput } from './lab-input.ts';

export interface SavedSet {
  id: string;
  title: string;
  texts: number;
  /** Models used for these texts, latest first; empty if the set was saved before embedding. */
  models: readonly string[];
  /** Epoch milliseconds. */
  updatedAt: number;
}

/** A set in an export file. Its vectors are computed again after an import. */
export interface ExportedSet {
  title: string;
  models: readonly string[];
  input: LabInput;
}

export interface SavedSets {
  vectors: VectorStore;
  changes: StoreApi<{ count: number }>;
  list: () => Promise<SavedSet[]>;
  /** Returns the IDs of sets whose title, models and texts contain every search term. */
  search: (query: string) => Promise<Set<string>>;
  /** Saves the input as a set. The same texts are one set, whatever model they are embedded with. */
  save: (input: LabInput, models: readonly string[]) => Promise<void>;
  /** Returns the input of a set; undefined if it does not exist. */
  read: (id: string) => Promise<LabInput | undefined>;
  /** Returns the sets in the form of an export file. */
  exportSets: (ids: readonly string[]) => Promise<ExportedSet[]>;
  /** Adds a set beside those that exist, also if one has the same texts. Returns its ID. */
  add: (set: ExportedSet) => Promise<string>;
  rename: (id: string, title: string) => Promise<void>;
  /** Sets the set to open when the lab is shown next. */
  requestOpen: (id: string) => void;
  takeOpenRequest: () => string | undefined;
  /**
   * Removes a set. Its texts are deleted once the removal can no longer be undone; vectors stay, because they belong to
   * individual texts.
   */
  remove: (set: SavedSet) => void;
  /** Deletes a set and its texts at once. */
  erase: (id: string) => Promise<void>;
}

interface SavedSetsDeps {
  vectors: VectorStore;
  newId: () => string;
  /** Epoch milliseconds. */
  now: () => number;
  offerUndo: (text: string, restore: () => void, expire: () => void) => void;
}

/** Creates the saved sets of a vector store. */
export function createSavedSets({ vectors, newId, now, offerUndo }: SavedSetsDeps): SavedSets {
  const changes = createStore(() => ({ count: 0 }));
  const notifyChanged = () => changes.setState(({ count }) => ({ count: count + 1 }));
  const hiddenIds = new Set<string>();
  let requestedSetId: string | undefined;

  const readSetNote = async (id: string) => readSet(id, await vectors.readNote(setNotePrefix + id));
  const saveSet = async ({ id, ...rest }: SavedSet) => {
    await vectors.putNote(setNotePrefix + id, rest);
    notifyChanged();
  };
  const list = async () => {
    const notes = await vectors.listNotes(setNotePrefix);
    return notes.flatMap(({ id, value }) => {
      const set = readSet(id.slice(setNotePrefix.length), value);
      return set && !hiddenIds.has(set.id) ? [set] : [];
    });
  };
  const read = async (id: string) => {
    const stored = await vectors.readNote(textsNotePrefix + id);
    return isRecord(stored) ? readStoredInput(stored) : undefined;
  };

  const erase = async (id: string) => {
    await vectors.putNote(setNotePrefix + id, undefined);
    await vectors.putNote(textsNotePrefix + id, undefined);
    notifyChanged();
  };

  return {
    vectors,
    changes,
    list,
    read,
    search: async (query) => {
      const terms = parseQueryTerms(query);
      const matchingIds = new Set<string>();
      for (const set of await list()) {
        const input = await read(set.id);
        const searchText = [
          set.title,
          ...set.models,
          input === undefined ? '' : getSearchableText(input),
        ].join('\n');
        if (findMatchingTerms(searchText, terms).length === terms.length) matchingIds.add(set.id);
      }
      return matchingIds;
    },
    save: async (input, models) => {
      const texts = parseInput(input).items.length;
      if (texts === 0) return;
      const id = await computeSetId(input);
      const savedSet = await readSetNote(id);
      if (savedSet && models.length === 0) return;
      hiddenIds.delete(id);
      await vectors.putNote(textsNotePrefix + id, input);
      await saveSet({
        id,
        title: savedSet?.title ?? getSetTitle(input),
        texts,
        models: [...new Set([...models, ...(savedSet?.models ?? [])])],
        updatedAt: now(),
      });
    },
    exportSets: async (ids) => {
      const sets = await Promise.all(
        ids.map(async (id) => {
          const [savedSet, input] = await Promise.all([readSetNote(id), read(id)]);
          return savedSet && input && [{ title: savedSet.title, models: savedSet.models, input }];
        }),
      );
      return sets.flatMap((set) => set ?? []);
    },
    add: async ({ title, models, input }) => {
      const id = newId();
      await vectors.putNote(textsNotePrefix + id, input);
      const texts = parseInput(input).items.length;
      await saveSet({ id, title, texts, models, updatedAt: now() });
      return id;
    },
    rename: async (id, title) => {
      const savedSet = await readSetNote(id);
      if (savedSet) await saveSet({ ...savedSet, title });
    },
    requestOpen: (id) => {
      requestedSetId = id;
    },
    takeOpenRequest: () => {
      const setId = requestedSetId;
      requestedSetId = undefined;
      return setId;
    },
    erase,
    remove: (set) => {
      hiddenIds.add(set.id);
      notifyChanged();
      offerUndo(
        `Deleted “${getDisplayTitle(set.title)}”.`,
        () => {
          hiddenIds.delete(set.id);
          notifyChanged();
        },
        () => {
          // The set was saved again in the meantime.
          if (!hiddenIds.delete(set.id)) return;
          void erase(set.id);
        },
      );
    },
  };
}

/**
 * Opens the saved sets of this playground, stored in this browser if storage is available. Lab and history share them.
 */
export function openSavedSets({
  lazyLab,
  storage,
  page,
  actions,
}: Pick<Playground, 'lazyLab' | 'storage' | 'page' | 'actions'>): Promise<SavedSets> {
  return lazyLab.loadSets(async () => {
    const isMemory = storage.getState().mode === 'memory';
    let onErased: () => void = () => undefined;
    const vectors = isMemory ? createMemoryVectorStore() : await openVectorStore(() => onErased());
    const sets = createSavedSets({
      vectors,
      newId: page.newId,
      now: page.now,
      offerUndo: actions.offerUndo,
    });
    onErased = () => {
      void lazyLab.getLab()?.reset();
      sets.changes.setState(({ count }) => ({ count: count + 1 }));
    };
    return sets;
  });
}

const encoder = new TextEncoder();

function computeSetId({ mode, typed, file }: LabInput): Promise<string> {
  const source = file ? [mode, file.table.name, file.columns, file.table.rows] : [mode, typed];
  return computeSha256(encoder.encode(JSON.stringify(source)));
}

/** Returns the file name, or the title that a session starting with these texts would get. */
function getSetTitle({ typed, file }: LabInput): string {
  return file ? file.table.name : deriveTitle([{ role: 'user', content: typed }]);
}

function getSearchableText({ typed, file }: LabInput): string {
  return file ? file.table.rows.map((row) => row.join(' ')).join('\n') : typed;
}

function readSet(id: string, stored: unknown): SavedSet | undefined {
  const title = getStringProperty(stored, 'title');
  const texts = getNumberProperty(stored, 'texts');
  const updatedAt = getNumberProperty(stored, 'updatedAt');
  const models = getOwnProperty(stored, 'models');
  if (title === undefined || texts === undefined || updatedAt === undefined || !Array.isArray(models))
    return undefined;
  return { id, title, texts, updatedAt, models: models.filter((model) => typeof model === 'string') };
}

/** Reads a set of an export file; undefined if it has no title or no texts. */
export function readExportedSet(raw: unknown): ExportedSet | undefined {
  const title = getStringProperty(raw, 'title');
  const models = getOwnProperty(raw, 'models');
  const input = readStoredInput(getOwnProperty(raw, 'input'));
  if (title === undefined || !Array.isArray(models) || parseInput(input).items.length === 0) return undefined;
  return { title, models: models.filter((model) => typeof model === 'string'), input };
}
