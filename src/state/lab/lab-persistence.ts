/** What is kept of a visit to the lab: what was edited and looked for, and the chosen view. */
import type { StoreApi } from 'zustand/vanilla';

import { getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { UnsavedCounter } from '../drafts/unsaved-counter.ts';
import { readStoredInput } from './lab-input.ts';
import { labTabs, plainTemplate, type SavedLabState, type LabState } from './lab-state.ts';

const saveDelayMs = 500;
const noteId = 'lab';

export interface SavedLab extends SavedLabState {
  /** These texts were embedded once: what is stored of them may be shown unasked. */
  wasStarted: boolean;
}

/** The last visit, as far as it can be read. */
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

/** The visit as it is stored: fields that are not set leave no trace, as in records from before there were any. */
function toStoredLab({ input, wasStarted, tab, find }: SavedLab): object {
  const withoutEmptyFields = ({ fields, ...rest }: { fields: string }) =>
    fields === '' ? rest : { ...rest, fields };
  return { input: withoutEmptyFields(input), wasStarted, tab, find: withoutEmptyFields(find) };
}

/** A visit that leaves nothing. */
export const emptySavedLab: SavedLab = readStoredLab(undefined);

export interface LabPersistence {
  /** Stores it at once. */
  saveNow: () => Promise<void>;
  /** The texts are about to be embedded: they can be found again after a reload. */
  markStarted: () => Promise<void>;
  /** What changed a moment ago is not stored. */
  discardPending: () => void;
}

/** Stores what is kept of the lab a moment after each change of it. */
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
