/** What is kept of a visit to the lab: what was edited and looked for, and the chosen view. */
import type { StoreApi } from 'zustand/vanilla';

import type { TableFile } from '../../embedding/items/table-file.ts';
import { isRecord, numberProperty, ownProperty, stringProperty } from '../../lib/json.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { Unsaved } from '../drafts/unsaved.ts';
import { emptyInput, type ImportedFile, type LabInput } from './lab-input.ts';
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
  const find = ownProperty(stored, 'find');
  return {
    input: reviveInput(ownProperty(stored, 'input')),
    wasStarted: ownProperty(stored, 'wasStarted') === true,
    tab: labTabs.find((tab) => tab === ownProperty(stored, 'tab')) ?? 'overview',
    find: {
      query: stringProperty(find, 'query') ?? '',
      template: stringProperty(find, 'template') ?? plainTemplate,
    },
  };
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
    const kept: KeptLab = { input, wasStarted, tab, find: { query: find.query, template: find.template } };
    return vectors.putNote(noteId, kept).finally(isKept);
  }

  state.subscribe((now, before) => {
    const isSame =
      now.input === before.input &&
      now.tab === before.tab &&
      now.find.query === before.find.query &&
      now.find.template === before.find.template;
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

/** What was stored of the last visit, or the empty input where it cannot be read. */
function reviveInput(stored: unknown): LabInput {
  if (!isRecord(stored)) return emptyInput;
  const models = ownProperty(stored, 'models');
  const dimensions = numberProperty(stored, 'dimensions');
  const file = revivedFile(ownProperty(stored, 'file'));
  return {
    mode: stored['mode'] === 'tokens' ? 'tokens' : 'texts',
    typed: stringProperty(stored, 'typed') ?? '',
    models: { A: stringProperty(models, 'A') ?? '', B: stringProperty(models, 'B') ?? '' },
    format: stored['format'] === 'float' ? 'float' : 'base64',
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(file ? { file } : {}),
  };
}

const kinds: readonly TableFile['kind'][] = ['CSV', 'TSV', 'JSON Lines', 'JSON', 'text'];

/** The file in use on the last visit; undefined where it cannot be read. */
function revivedFile(stored: unknown): ImportedFile | undefined {
  const table = ownProperty(stored, 'table');
  const columns = stringsOf(ownProperty(table, 'columns'));
  const rows = ownProperty(table, 'rows');
  const name = stringProperty(table, 'name');
  const kind = kinds.find((one) => one === stringProperty(table, 'kind'));
  const text = numberProperty(ownProperty(stored, 'columns'), 'text');
  const label = numberProperty(ownProperty(stored, 'columns'), 'label');
  if (!columns || !Array.isArray(rows) || name === undefined || !kind || text === undefined) return undefined;
  return {
    table: { name, kind, columns, rows: rows.map((row) => stringsOf(row) ?? []), problems: [] },
    columns: label === undefined ? { text } : { text, label },
  };
}

function stringsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? item : '')) : undefined;
}
