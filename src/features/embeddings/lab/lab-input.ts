/** What is to be embedded and how, as the person edits it. */
import { dimensionsOf } from '../../../embedding/items/model-dimensions.ts';
import type { TableFile } from '../../../embedding/items/table-items.ts';
import { readTextLines, type TextReading } from '../../../embedding/items/text-items.ts';
import { isRecord, numberProperty, ownProperty, stringProperty } from '../../../lib/json.ts';
import type { JobSetup } from '../../../state/embedding/embedding-job-types.ts';
import type { Slot } from './lab-store.ts';
import { labActs } from './load-acts.ts';
import type * as OtherInput from './other-input.ts';

export interface ImportedFile {
  table: TableFile;
  columns: { text: number; label?: number | undefined };
}

export interface LabInput {
  /** `tokens`: the numbers of tokens instead of text, one input per line. */
  mode: 'texts' | 'tokens';
  /** The text of the field; kept while a file is in use. */
  typed: string;
  file?: ImportedFile | undefined;
  /** Empty: none. Model B is there to compare. */
  models: Readonly<Record<Slot, string>>;
  /** Of model A, and of model B where it takes the same value. Undefined: not sent. */
  dimensions?: number | undefined;
  format: 'float' | 'base64';
}

export const emptyInput: LabInput = { mode: 'texts', typed: '', models: { A: '', B: '' }, format: 'base64' };

const nothingRead: TextReading = { items: [], blanks: 0, duplicates: 0, problems: [] };

let readers: typeof OtherInput | undefined;

/** What reads files and token numbers, which `readInput` needs for them. Rejects with an Error for people. */
export async function loadReaders(): Promise<NonNullable<typeof readers>> {
  return (readers ??= (await labActs()).otherInput);
}

/** The inputs cannot be read yet: `loadReaders` first. */
export function lacksReaders({ mode, file }: LabInput): boolean {
  return !readers && (file !== undefined || mode === 'tokens');
}

/** The inputs that the field or the file holds. */
export function readInput(input: LabInput): TextReading {
  const { mode, typed, file } = input;
  if (file || (mode === 'tokens' && typed !== '')) return readers?.readOther(input) ?? nothingRead;
  return typed === '' ? nothingRead : readTextLines(typed);
}

/** How the job of a slot asks, or undefined where it has no model. */
export function setupOf({ models, dimensions, format }: LabInput, slot: Slot): JobSetup | undefined {
  const model = models[slot];
  if (model === '') return undefined;
  const taken = dimensions !== undefined && dimensionsOf(model)?.values.includes(dimensions);
  return { model, format, ...(taken ? { dimensions } : {}) };
}

/** What was stored of the last visit, or the empty input where it cannot be read; its readers are loaded. */
export async function reviveInput(stored: unknown): Promise<LabInput> {
  if (!isRecord(stored)) return emptyInput;
  const models = ownProperty(stored, 'models');
  const dimensions = numberProperty(stored, 'dimensions');
  const mode = stored['mode'] === 'tokens' ? 'tokens' : 'texts';
  const storedFile = ownProperty(stored, 'file');
  const isPlain = mode === 'texts' && storedFile === undefined;
  const file = isPlain ? undefined : (await loadReaders()).reviveFile(storedFile);
  return {
    mode,
    typed: stringProperty(stored, 'typed') ?? '',
    models: { A: stringProperty(models, 'A') ?? '', B: stringProperty(models, 'B') ?? '' },
    format: stored['format'] === 'float' ? 'float' : 'base64',
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(file ? { file } : {}),
  };
}
