/** What is kept of a visit to the lab: what was edited and looked for, and the chosen view. */
import type { StoreApi } from 'zustand/vanilla';

import { getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { Unsaved } from '../drafts/unsaved.ts';
import { reviveInput } from './lab-input.ts';
import { labTabs, plainTemplate, type KeptState, type LabState } from './lab-state.ts';

const storeAfterMs = 500;
const noteId = 'lab';

export interface KeptLab extends KeptState {
  /** These texts were embedded once: what is stored of them may be shown unasked. */
  wasStarted: boolean;
}

/** The last visit, as far as it can be read. */
export async function readKeptLab(vectors: VectorStore): Promise<KeptLab> {
  return reviveKeptLab(await vectors.note(noteId));
}

function reviveKeptLab(stored: unknown): KeptLab {
  const find = getOwnProperty(stored, 'find');
  return {
    input: reviveInput(getOwnProperty(stored, 'input')),
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
function toStoredLab({ input, wasStarted, tab, find }: KeptLab): object {
  const withoutEmpty = ({ fields, ...rest }: { fields: string }) =>
    fields === '' ? rest : { ...rest, fields };
  return { input: withoutEmpty(input), wasStarted, tab, find: withoutEmpty(find) };
}

/** A visit that leaves nothing. */
export const nothingKept: KeptLab = reviveKeptLab(undefined);

export interface LabKeeper {
  /** Stores it at once. */
  keep: () => Promise<void>;
  /** The texts are about to be embedded: they can be found again after a reload. */
  started: () => Promise<void>;
  /** What changed a moment ago is not stored. */
  forget: () => void;
}

/** Stores what is kept of the lab a moment after each change of it. */
export function keepLab(
  state: StoreApi<LabState>,
  { vectors, unsaved }: { vectors: VectorStore; unsaved?: Unsaved },
  lastVisit: KeptLab,
): LabKeeper {
  let { wasStarted } = lastVisit;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSaved: (() => void) | undefined;

  function keep(): Promise<void> {
    clearTimeout(timer);
    const { input, tab, find } = state.getState();
    const isKept = isSaved;
    isSaved = undefined;
    const { query, template, fields } = find;
    const kept: KeptLab = { input, wasStarted, tab, find: { query, template, fields } };
    return vectors.putNote(noteId, toStoredLab(kept)).finally(isKept);
  }

  state.subscribe((now, before) => {
    const isSame =
      now.input === before.input &&
      now.tab === before.tab &&
      now.find.query === before.find.query &&
      now.find.template === before.find.template &&
      now.find.fields === before.find.fields;
    if (isSame) return;
    clearTimeout(timer);
    isSaved ??= unsaved?.begin();
    timer = setTimeout(() => void keep(), storeAfterMs);
  });

  return {
    keep,
    started: () => {
      wasStarted = true;
      return keep();
    },
    forget: () => {
      wasStarted = false;
      clearTimeout(timer);
      isSaved?.();
      isSaved = undefined;
    },
  };
}
