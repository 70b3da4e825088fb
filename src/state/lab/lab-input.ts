/** What is to be embedded and how, as the person edits it. */
import { getDimensionsSupport } from '../../embedding/items/model-dimensions.ts';
import { getTableItems, type TableFile } from '../../embedding/items/table-file.ts';
import {
  parseTextLines,
  parseTokenLines,
  type TextItem,
  type ParsedTexts,
} from '../../embedding/items/text-items.ts';
import { formatFields, type EmbeddingInput } from '../../embedding/items/vector-key.ts';
import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import type { JobSetup } from '../embedding/embedding-job-types.ts';
import {
  readExtraFields,
  readStoredOmittedFields,
  withoutOmittedFields,
  type OmittedField,
} from './lab-fields.ts';
import type { ModelSlot } from './lab-state.ts';

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
  models: Readonly<Record<ModelSlot, string>>;
  /** Any number for model A; sent to model B, too, unless it is known not to take it. Undefined: not sent. */
  dimensions?: number | undefined;
  /** `none`: not sent. */
  format: 'float' | 'base64' | 'none';
  /** JSON of further request fields for the texts, as typed. */
  fields: string;
  /** Fields that models refused and the user left out. */
  leftOut?: readonly OmittedField[];
}

export const emptyInput: LabInput = {
  mode: 'texts',
  typed: '',
  models: { A: '', B: '' },
  format: 'base64',
  fields: '',
};

const emptyParsedTexts: ParsedTexts = { items: [], blanks: 0, problems: [] };

/** The inputs that the field or the file holds. */
export function parseInput({ mode, typed, file }: LabInput): ParsedTexts {
  if (file) return getTableItems(file.table, file.columns, mode);
  if (typed === '') return emptyParsedTexts;
  return mode === 'tokens' ? parseTokenLines(typed) : parseTextLines(typed);
}

/** What is sent for an item. */
export function toEmbeddingInput(item: TextItem): EmbeddingInput {
  return item.tokens ?? item.text;
}

/** Returns the setup of the job of a slot; undefined without a model or with unreadable fields. */
export function getJobSetup(input: LabInput, slot: ModelSlot): JobSetup | undefined {
  const { models, dimensions, format, leftOut = [] } = input;
  const model = models[slot];
  const reading = readExtraFields(input.fields);
  if (model === '' || !reading.ok) return undefined;
  const shouldSendDimensions =
    dimensions !== undefined && (slot === 'A' || getDimensionsSupport(model, dimensions) !== 'no');
  const setup: JobSetup = {
    model,
    ...(format === 'none' ? {} : { format }),
    ...(shouldSendDimensions ? { dimensions } : {}),
    ...(reading.fields ? { fields: reading.fields } : {}),
  };
  return withoutOmittedFields(setup, leftOut, 'texts');
}

/** True if both send the same request for the same texts. */
export function isSameSetup(a: JobSetup | undefined, b: JobSetup | undefined): boolean {
  return (
    a?.model === b?.model &&
    a?.dimensions === b?.dimensions &&
    a?.format === b?.format &&
    formatFields(a?.fields) === formatFields(b?.fields)
  );
}

/** What was stored, or the empty input where it cannot be read. */
export function readStoredInput(stored: unknown): LabInput {
  if (!isRecord(stored)) return emptyInput;
  const models = getOwnProperty(stored, 'models');
  const dimensions = getNumberProperty(stored, 'dimensions');
  const file = readStoredFile(getOwnProperty(stored, 'file'));
  const leftOut = readStoredOmittedFields(getOwnProperty(stored, 'leftOut'));
  return {
    mode: stored['mode'] === 'tokens' ? 'tokens' : 'texts',
    typed: getStringProperty(stored, 'typed') ?? '',
    models: { A: getStringProperty(models, 'A') ?? '', B: getStringProperty(models, 'B') ?? '' },
    format: formats.find((format) => format === stored['format']) ?? 'base64',
    fields: getStringProperty(stored, 'fields') ?? '',
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(file ? { file } : {}),
  };
}

const formats: readonly LabInput['format'][] = ['base64', 'float', 'none'];
const fileKinds: readonly TableFile['kind'][] = ['CSV', 'TSV', 'JSON Lines', 'JSON', 'text'];

/** The file that was in use; undefined where it cannot be read. */
function readStoredFile(stored: unknown): ImportedFile | undefined {
  const table = getOwnProperty(stored, 'table');
  const columns = toStrings(getOwnProperty(table, 'columns'));
  const rows = getOwnProperty(table, 'rows');
  const name = getStringProperty(table, 'name');
  const kind = fileKinds.find((value) => value === getStringProperty(table, 'kind'));
  const text = getNumberProperty(getOwnProperty(stored, 'columns'), 'text');
  const label = getNumberProperty(getOwnProperty(stored, 'columns'), 'label');
  if (!columns || !Array.isArray(rows) || name === undefined || !kind || text === undefined) return undefined;
  return {
    table: { name, kind, columns, rows: rows.map((row) => toStrings(row) ?? []), problems: [] },
    columns: { text, label },
  };
}

function toStrings(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? item : '')) : undefined;
}
