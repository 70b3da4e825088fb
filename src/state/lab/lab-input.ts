/** Input of the lab: texts, models and options as the user edits them. */
import type { ModelChoice } from '../../conversation/session/types.ts';
import { createModelChoice, isSameModel } from '../../conversation/setup/model-key.ts';
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
import type { Gateways } from '../gateways.ts';
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
  /** `tokens`: token numbers instead of text, one input per line. */
  mode: 'texts' | 'tokens';
  /** Text of the field; kept while a file is in use. */
  typed: string;
  file?: ImportedFile | undefined;
  /** An ID is empty if no model is chosen. Model B is for comparison. */
  models: Readonly<Record<ModelSlot, ModelChoice>>;
  /** Dimensions for model A; also sent to model B unless it is known not to support them. Undefined: not sent. */
  dimensions?: number | undefined;
  /** `none` omits the field. */
  format: 'float' | 'base64' | 'none';
  /** Extra request fields for the texts, as JSON typed by the user. */
  fields: string;
  /** Fields rejected by models and then omitted by the user. */
  leftOut?: readonly OmittedField[];
}

export const noModel: ModelChoice = { model: '' };

export const emptyInput: LabInput = {
  mode: 'texts',
  typed: '',
  models: { A: noModel, B: noModel },
  format: 'base64',
  fields: '',
};

const emptyParsedTexts: ParsedTexts = { items: [], blanks: 0, problems: [] };

/** Parses the inputs in the text field or the file. */
export function parseInput({ mode, typed, file }: LabInput): ParsedTexts {
  if (file) return getTableItems(file.table, file.columns, mode);
  if (typed === '') return emptyParsedTexts;
  return mode === 'tokens' ? parseTokenLines(typed) : parseTextLines(typed);
}

/** Returns the value to send for an item. */
export function toEmbeddingInput(item: TextItem): EmbeddingInput {
  return item.tokens ?? item.text;
}

/**
 * Returns the job setup for a slot; undefined if it has no model or its fields cannot be read. Its first gateway has no
 * name.
 */
export function getJobSetup(
  input: LabInput,
  slot: ModelSlot,
  resolveName: Gateways['resolveName'],
): JobSetup | undefined {
  const { models, dimensions, format, leftOut = [] } = input;
  const { model, gateway } = models[slot];
  const reading = readExtraFields(input.fields);
  if (model === '' || !reading.ok) return undefined;
  const shouldSendDimensions =
    dimensions !== undefined && (slot === 'A' || getDimensionsSupport(model, dimensions) !== 'no');
  const setup: JobSetup = {
    ...createModelChoice(model, resolveName(gateway)),
    ...(format === 'none' ? {} : { format }),
    ...(shouldSendDimensions ? { dimensions } : {}),
    ...(reading.fields ? { fields: reading.fields } : {}),
  };
  return withoutOmittedFields(setup, leftOut, 'texts');
}

/** Returns true if both setups send the same request for the same texts. */
export function isSameSetup(a: JobSetup | undefined, b: JobSetup | undefined): boolean {
  return (
    isSameModel(a, b) &&
    a?.dimensions === b?.dimensions &&
    a?.format === b?.format &&
    formatFields(a?.fields) === formatFields(b?.fields)
  );
}

/** Reads the stored input; returns the empty input if it is malformed. */
export function readStoredInput(stored: unknown): LabInput {
  if (!isRecord(stored)) return emptyInput;
  const models = getOwnProperty(stored, 'models');
  const dimensions = getNumberProperty(stored, 'dimensions');
  const file = readStoredFile(getOwnProperty(stored, 'file'));
  const leftOut = readStoredOmittedFields(getOwnProperty(stored, 'leftOut'));
  return {
    mode: stored['mode'] === 'tokens' ? 'tokens' : 'texts',
    typed: getStringProperty(stored, 'typed') ?? '',
    models: {
      A: readStoredChoice(getOwnProperty(models, 'A')),
      B: readStoredChoice(getOwnProperty(models, 'B')),
    },
    format: formats.find((format) => format === stored['format']) ?? 'base64',
    fields: getStringProperty(stored, 'fields') ?? '',
    ...(leftOut.length === 0 ? {} : { leftOut }),
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(file ? { file } : {}),
  };
}

/** Reads a stored model. Before it had a gateway, only its ID was stored. */
function readStoredChoice(stored: unknown): ModelChoice {
  if (typeof stored === 'string') return { model: stored };
  return createModelChoice(getStringProperty(stored, 'model') ?? '', getStringProperty(stored, 'gateway'));
}

const formats: readonly LabInput['format'][] = ['base64', 'float', 'none'];
const fileKinds: readonly TableFile['kind'][] = ['CSV', 'TSV', 'JSON Lines', 'JSON', 'text'];

/** Reads the stored file; undefined if it is malformed. */
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
