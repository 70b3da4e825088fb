/** Persists a visit to the lab: its input, its search and the chosen view. */
import type { StoreApi } from 'zustand/vanilla';

import { getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { UnsavedCounter } from '../drafts/unsaved-counter.ts';
import { readStoredInput } from './lab-input.ts';
import { labTabs, plainTemplate, type SavedLabState, type LabState } from './lab-state.ts';

const saveDelayMs = 500;
const noteId = 'lab';

export interface SavedLab extends SavedLabState {
  /** True if these texts were embedded before, so their stored vectors are shown without asking. */
  wasStarted: boolean;
}

/** Loads the last visit; unreadable parts are reset. */
export async function loadSavedLab(vectors: VectorStore): Promise<SavedLab> {
  return readStoredLab(await vectors.readNote(noteId));
}

function readStoredLab(stored: unknown): SavedLab {
  const find = getOwnProperty(stored, 'find');
  return {
    input: readStoredInput(getOwnProperty(stored, 'input')),
    wasStarted: getOwnProperty(stored, 'wasStarted') === true,
    tab: labTabs.find((tab) => tab === getOwnProperty(stored, 'tab')) ?? 'overview',
    find: {
      query: getStringProperty(find, 'query') ?? '',
      template: getStringProperty(find, 'template') ?? plainTemplate,
      fields: getStringProperty(find, 'fields') ?? '',
    },
  };
}

/** Returns the visit for storage. Empty fields are omitted, as in older records. */
function toStoredLab({ input, wasStarted, tab, find }: SavedLab): object {
  const withoutEmptyFields = ({ fields, ...rest }: { fields: string }) =>
    fields === '' ? rest : { ...rest, fields };
  return { input: withoutEmptyFields(input), wasStarted, tab, find: withoutEmptyFields(find) };
}

/** State of an unused lab. */
export const emptySavedLab: SavedLab = readStoredLab(undefined);

export interface LabPersistence {
  /** Saves the visit immediately. */
  saveNow: () => Promise<void>;
  /** Marks the texts as embedded, so that they are shown after a reload. */
  markStarted: () => Promise<void>;
  /** Discards changes that are not saved yet. */
  discardPending: () => void;
}

/** Saves the lab shortly after each change. */
export function persistLab(
  state: StoreApi<LabState>,
  { vectors, unsaved }: { vectors: VectorStore; unsaved?: UnsavedCounter },
  lastVisit: SavedLab,
): LabPersistence {
  let { wasStarted } = lastVisit;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onSaved: (() => void) | undefined;

  function saveNow(): Promise<void> {
    clearTimeout(timer);
    const { input, tab, find } = state.getState();
    const onThisSave = onSaved;
    onSaved = undefined;
    const { query, template, fields } = find;
    const savedLab: SavedLab = { input, wasStarted, tab, find: { query, template, fields } };
    return vectors.putNote(noteId, toStoredLab(savedLab)).finally(onThisSave);
  }

  state.subscribe((current, previous) => {
    const isSame =
      current.input === previous.input &&
      current.tab === previous.tab &&
      current.find.query === previous.find.query &&
      current.find.template === previous.find.template &&
      current.find.fields === previous.find.fields;
    if (isSame) return;
    clearTimeout(timer);
    onSaved ??= unsaved?.trackWrite();
    timer = setTimeout(() => void saveNow(), saveDelayMs);
  });

  return {
    saveNow,
    markStarted: () => {
      wasStarted = true;
      return saveNow();
    },
    discardPending: () => {
      wasStarted = false;
      clearTimeout(timer);
      onSaved?.();
      onSaved = undefined;
    },
  };
}
