/** Edits an object schema as form rows. Keywords unknown to the form are preserved. */
import { parseExactJson, writeExactJson } from '../../../lib/exact-json.ts';
import { isJsonObject, JsonSource, type Json, type JsonObject } from '../../../lib/json.ts';

export const fieldTypes = ['string', 'number', 'integer', 'boolean', 'object'] as const;
/** Types in the form. `other` means a schema that only JSON can express, such as a reference or a choice of shapes. */
export type FieldType = (typeof fieldTypes)[number] | 'other';

export interface EditableField {
  name: string;
  /** Type of the field or, if it is a list, of one item. */
  type: FieldType;
  isList: boolean;
  isRequired: boolean;
  description: string;
  /** Allowed values, separated by commas. */
  allowedValues: string;
  schema: JsonObject;
}

/** Lists the properties of an object schema, in order. */
export function listFields(schema: JsonObject): EditableField[] {
  const required = getRequired(schema);
  return listProperties(schema).map(([name, field]) => {
    const itemSchema = getItemSchema(field);
    return {
      name,
      type: getFieldType(itemSchema),
      isList: itemSchema !== field,
      isRequired: required.includes(name),
      description: typeof field['description'] === 'string' ? field['description'] : '',
      allowedValues: Array.isArray(itemSchema['enum']) ? itemSchema['enum'].map(toValueText).join(', ') : '',
      schema: field,
    };
  });
}

function listProperties(schema: JsonObject): [string, JsonObject][] {
  const { properties } = schema;
  const entries = isJsonObject(properties) ? Object.entries(properties) : [];
  return entries.map(([name, field]) => [name, isJsonObject(field) ? field : {}]);
}

function getRequired(schema: JsonObject): Json[] {
  return Array.isArray(schema['required']) ? schema['required'] : [];
}

/** Returns the schema of a list's items, or the schema itself if it is not a list. */
export function getItemSchema(field: JsonObject): JsonObject {
  const { items } = field;
  return field['type'] === 'array' ? (isJsonObject(items) ? items : { type: 'other' }) : field;
}

function getFieldType(schema: JsonObject): FieldType {
  const isChoice = schema['type'] === undefined && Array.isArray(schema['enum']);
  if (isChoice && [schema['enum']].flat().every((value) => typeof value === 'string')) return 'string';
  return fieldTypes.find((type) => type === schema['type']) ?? 'other';
}

function toValueText(value: Json): string {
  return typeof value === 'string' ? value : writeExactJson(value);
}

function withProperties(
  schema: JsonObject,
  properties: readonly [string, Json][],
  required: readonly Json[],
): JsonObject {
  const { required: _, ...rest } = schema;
  const next: JsonObject = { ...rest, type: 'object', properties: Object.fromEntries(properties) };
  return required.length > 0 ? { ...next, required: [...required] } : next;
}

/** Adds a text field with a unique name. */
export function withFieldAdded(schema: JsonObject): JsonObject {
  const properties = listProperties(schema);
  const usedNames = new Set(properties.map(([name]) => name));
  let name = 'parameter';
  for (let number = 2; usedNames.has(name); number += 1) name = `parameter_${number}`;
  return withProperties(schema, [...properties, [name, { type: 'string' }]], getRequired(schema));
}

export function withFieldRemoved(schema: JsonObject, name: string): JsonObject {
  const remaining = listProperties(schema).filter(([propertyName]) => propertyName !== name);
  return withProperties(
    schema,
    remaining,
    getRequired(schema).filter((propertyName) => propertyName !== name),
  );
}

/** Returns why the name is invalid, or `undefined`. */
export function validateFieldName(
  schema: JsonObject,
  currentName: string,
  newName: string,
): string | undefined {
  if (newName.trim() === '') return 'Enter a parameter name.';
  const isTaken = newName !== currentName && listProperties(schema).some(([name]) => name === newName);
  return isTaken ? `${newName} already exists.` : undefined;
}

export function withFieldRenamed(schema: JsonObject, currentName: string, newName: string): JsonObject {
  const properties = listProperties(schema).map(([name, field]): [string, Json] => [
    name === currentName ? newName : name,
    field,
  ]);
  return withProperties(
    schema,
    properties,
    getRequired(schema).map((name) => (name === currentName ? newName : name)),
  );
}

export function withField(schema: JsonObject, name: string, field: JsonObject): JsonObject {
  const properties = listProperties(schema).map(([propertyName, property]): [string, Json] => [
    propertyName,
    propertyName === name ? field : property,
  ]);
  return withProperties(schema, properties, getRequired(schema));
}

export function withFieldRequired(schema: JsonObject, name: string, isRequired: boolean): JsonObject {
  const remaining = getRequired(schema).filter((propertyName) => propertyName !== name);
  return withProperties(schema, listProperties(schema), isRequired ? [...remaining, name] : remaining);
}

/** Converts a word to a number with its exact digits; returns other words unchanged. */
function parseAllowedValue(word: string): Json {
  const parsed = parseExactJson(word);
  if (parsed.ok && (typeof parsed.value === 'number' || parsed.value instanceof JsonSource))
    return parsed.value;
  return Number.isFinite(Number(word)) ? Number(word) : word;
}

function withItem(field: JsonObject, item: JsonObject): JsonObject {
  return field['type'] === 'array' ? { ...field, items: item } : item;
}

/**
 * Changes the type. Allowed values of the old type are removed, and so are properties if the new type is not an object.
 */
export function withFieldType(field: JsonObject, type: FieldType): JsonObject {
  if (type === 'other') return field;
  const { type: _, enum: __, properties, required, additionalProperties, ...rest } = getItemSchema(field);
  const nested: JsonObject = {
    properties: properties ?? {},
    ...(required ? { required } : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties }),
  };
  return withItem(field, { type, ...rest, ...(type === 'object' ? nested : {}) });
}

/** Converts a field to a list or back: the description stays with the field, the rest moves to or from its items. */
export function withFieldList(field: JsonObject, isList: boolean): JsonObject {
  if (isList === (field['type'] === 'array')) return field;
  const descriptionField = field['description'] === undefined ? {} : { description: field['description'] };
  if (!isList) return { ...getItemSchema(field), ...descriptionField };
  const { description: _, ...item } = field;
  return { type: 'array', items: item, ...descriptionField };
}

export function withFieldDescription(field: JsonObject, description: string): JsonObject {
  const { description: _, ...rest } = field;
  return description === '' ? rest : { ...rest, description };
}

/** Sets the allowed values from comma-separated text; they become numbers if the field is numeric. */
export function withAllowedValues(field: JsonObject, allowedValues: string): JsonObject {
  const { enum: _, ...item } = getItemSchema(field);
  const isNumber = item['type'] === 'number' || item['type'] === 'integer';
  const texts = allowedValues
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const values = [...new Set(texts)].map((word) => (isNumber ? parseAllowedValue(word) : word));
  return withItem(field, values.length === 0 ? item : { ...item, enum: values });
}
