/** Extra request fields, typed in the lab as one JSON object for the texts and one for the query. */
import type { ModelChoice } from '../../conversation/session/types.ts';
import { createModelChoice, isSameModel } from '../../conversation/setup/model-key.ts';
import { parseJsonObject } from '../../conversation/setup/param-readers.ts';
import { parseExactJson } from '../../lib/exact-json.ts';
import { isJsonObject, isRecord, getStringProperty, type JsonObject } from '../../lib/json.ts';
import type { JobSetup } from '../embedding/embedding-job-types.ts';

export type FieldsReading =
  | { ok: true; fields?: JsonObject }
  /** `offset`: position of the syntax error. */
  | { ok: false; problem: string; offset?: number };

/** Fields with separate controls. */
const reservedFields = ['model', 'input', 'encoding_format', 'dimensions'];

/** Reads the fields and keeps numbers exactly as typed. Empty text has no fields. */
export function readExtraFields(text: string): FieldsReading {
  if (text.trim() === '') return { ok: true };
  const checked = parseJsonObject(text);
  if (!checked.ok) return checked;
  const reading = parseExactJson(text);
  const fields = reading.ok ? reading.value : checked.value;
  if (!isJsonObject(fields)) return { ok: false, problem: 'Two fields have the same name. Not sent.' };
  const reservedField = reservedFields.find((name) => Object.hasOwn(fields, name));
  if (reservedField !== undefined)
    return { ok: false, problem: `${reservedField} is set by the lab. Remove it here. Not sent.` };
  return Object.keys(fields).length === 0 ? { ok: true } : { ok: true, fields };
}

/** Inserts an empty field into the text and leaves all other characters unchanged. */
export function withFieldInserted(text: string, name: string): string {
  const end = text.lastIndexOf('}');
  const field = `${JSON.stringify(name)}: ""`;
  const textBeforeEnd = text.slice(0, Math.max(0, end)).trimEnd();
  return textBeforeEnd === '' || textBeforeEnd === '{' ? `{ ${field} }` : `${textBeforeEnd}, ${field} }`;
}

/**
 * A field rejected by a model and then omitted by the user, in requests for texts or for the query. The first gateway
 * has no name.
 */
export interface OmittedField extends ModelChoice {
  of: 'texts' | 'query';
  field: string;
}

/** Returns the setup without the fields omitted for its model. */
export function withoutOmittedFields(
  setup: JobSetup,
  omittedFields: readonly OmittedField[],
  requestKind: OmittedField['of'],
): JobSetup {
  const names = new Set(
    omittedFields.flatMap((omitted) =>
      isSameModel(omitted, setup) && omitted.of === requestKind ? [omitted.field] : [],
    ),
  );
  const { dimensions, format, fields, ...rest } = setup;
  const otherFields = Object.entries(fields ?? {}).filter(([name]) => !names.has(name));
  return {
    ...rest,
    ...(dimensions === undefined || names.has('dimensions') ? {} : { dimensions }),
    ...(format === undefined || names.has('encoding_format') ? {} : { format }),
    ...(otherFields.length === 0 ? {} : { fields: Object.fromEntries(otherFields) }),
  };
}

/** Creates the query setup from the setup of the texts; undefined if the fields cannot be read. */
export function createQuerySetup(
  { fields: _ofTexts, ...setup }: JobSetup,
  reading: FieldsReading,
  omittedFields: readonly OmittedField[] = [],
): JobSetup | undefined {
  if (!reading.ok) return undefined;
  const { fields } = reading;
  return withoutOmittedFields(fields ? { ...setup, fields } : setup, omittedFields, 'query');
}

/** Reads stored fields and skips those that cannot be read. */
export function readStoredOmittedFields(stored: unknown): OmittedField[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter(isRecord).flatMap((record) => {
    const model = getStringProperty(record, 'model');
    const gateway = getStringProperty(record, 'gateway');
    const field = getStringProperty(record, 'field');
    const of = record['of'] === 'query' ? 'query' : 'texts';
    return model === undefined || field === undefined
      ? []
      : [{ ...createModelChoice(model, gateway), of, field }];
  });
}
