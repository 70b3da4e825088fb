/**
 * Fields of assistant messages and tool calls that only their provider understands, such as signatures and encrypted
 * reasoning. Some providers reject the next request without them. Stored by name, as the JSON text that arrived.
 */
import { findJsonSource, writeExactJson } from '../lib/exact-json.ts';
import { isRecord, getOwnProperty, parseJson } from '../lib/json.ts';
import type { OpaqueFields, OpaqueRecord } from './wire.ts';

/** Standard fields of a message (§2.2) or call, which a provider field can never replace. */
const requestFields = /^(?:role|content|name|tool_calls|tool_call_id|id|type|function|index|arguments)$/;
/** Output fields, which are read elsewhere or describe the stream. */
const outputFields =
  /^(?:call_id|model|custom|input|text|delta|message|object|refusal|function_call|annotations|citations|search_results|images?|audio|logprobs|usage|error|status|finish_reason|finish_details|stop_reason|matched_stop|native_finish_reason|obfuscation|padding|p|seed|token_ids|prompt_token_ids)$|_at$|_ms$/;
/** Fields with reasoning as plain text: pieces are joined, and the lane's setting determines when the reasoning is sent back. */
export const reasoningFields: readonly string[] = [
  'reasoning_content',
  'reasoning',
  'thinking',
  'reasoning_text',
];
/** Keys of list items whose text arrives in pieces. */
const joinedTexts = new Set(['text', 'thinking', 'summary', 'data']);

/** Maximum total JSON length, in characters, of the opaque fields in an imported message; real ones are shorter. */
export const maxOpaqueChars = 1_000_000;

/** Name prefix for fields inside a call's `function`. */
const functionPrefix = 'function.';

/** Returns true for a field that goes back to the model that wrote it. */
export function isOpaqueField(name: string): boolean {
  const [, baseName] = splitFieldName(name);
  return !requestFields.test(baseName) && !outputFields.test(baseName) && !(baseName in Object.prototype);
}

/** Splits the name of an opaque field into its position (inside a call's `function` or not) and its base name. */
export function splitFieldName(name: string): [isInFunction: boolean, baseName: string] {
  const isInFunction = name.startsWith(functionPrefix);
  return [isInFunction, isInFunction ? name.slice(functionPrefix.length) : name];
}

/** Returns the fields of a stored or imported record that may be sent: valid JSON under provider field names. */
export function readOpaqueFields(value: unknown): OpaqueFields {
  const entries = isRecord(value) ? Object.entries(value) : [];
  const validFields = entries.filter(
    (entry): entry is [string, string] =>
      isOpaqueField(entry[0]) && typeof entry[1] === 'string' && parseJson(entry[1]).ok,
  );
  return Object.fromEntries(validFields);
}

/** Counts the fields of a message and its calls. */
export function countRecordFields({
  fields = {},
  calls = [],
}: Pick<OpaqueRecord, 'fields' | 'calls'>): number {
  return [fields, ...calls].reduce((count, record) => count + Object.keys(record).length, 0);
}

/** Lists the opaque fields of a message or call read by parseExactJson, as JSON text by name. */
export function listOpaqueFields(value: Record<string, unknown>): OpaqueFields {
  const fields = listFields(value).filter(({ name, field }) => isOpaqueField(name) && !isEmptyMember(field));
  return Object.fromEntries(fields.map(({ name, field }) => [name, writeExactJson(field)]));
}

/** Lists the fields of a message or call, and of a call's `function`, with their paths. */
function listFields(value: Record<string, unknown>): { name: string; field: unknown; path: string[] }[] {
  const functionFields = getOwnProperty(value, 'function');
  return [
    ...Object.entries(value).map(([name, field]) => ({ name, field, path: [name] })),
    ...Object.entries(isRecord(functionFields) ? functionFields : {}).map(([name, field]) => ({
      name: `${functionPrefix}${name}`,
      field,
      path: ['function', name],
    })),
  ];
}

type Path = readonly (string | number)[];

export interface OpaqueCollector {
  /**
   * Adds the opaque fields of one piece: `value` is the parsed piece, found in `text` at `path`. With `isRepeated`,
   * `value` is a whole message that follows its pieces and adds only missing fields. Returns true if any were added.
   */
  add: (value: Record<string, unknown>, text: string, path: Path, isRepeated?: boolean) => boolean;
  getFields: () => OpaqueFields;
}

/** String contents, one per piece, or the JSON text of any other value. */
type Value = { bodies: string[] } | { json: string };
interface Item {
  members: Map<string, Value>;
  /** True if its pieces arrived in a `delta`, whose `index` is a stream position, not a member. */
  isBlock: boolean;
}
type Field = Value | { items: Item[]; firstJson?: string };

/**
 * Joins the pieces of one message or call. Texts of reasoning fields are concatenated. List items are joined by
 * `index`, otherwise by `id`, otherwise by position: their texts are concatenated, other keys set, and the content of a `delta` is a piece
 * of the item. For all other fields, the last value is used.
 */
export function createOpaqueCollector(): OpaqueCollector {
  const fields = new Map<string, Field>();

  function addField(name: string, value: unknown, json: string): void {
    const field = fields.get(name);
    if (typeof value === 'string' && reasoningFields.includes(name)) {
      if (field && 'bodies' in field) field.bodies.push(json.slice(1, -1));
      else fields.set(name, { bodies: [json.slice(1, -1)] });
    } else if (isListOfObjects(value)) {
      const list = field && 'items' in field ? field : { items: [], firstJson: json };
      if (list === field || value.some((item) => isRecord(item['delta']))) delete list.firstJson;
      fields.set(name, list);
      joinItems(list.items, value, json);
    } else fields.set(name, { json });
  }

  return {
    add(value, text, path, isRepeated = false) {
      let hasOpaque = false;
      for (const { name, field, path: fieldPath } of listFields(value)) {
        if (!isOpaqueField(name) || isEmptyMember(field)) continue;
        const json = readMember(text, [...path, ...fieldPath], field);
        if (json === undefined || (isRepeated && fields.has(name))) continue;
        hasOpaque = true;
        addField(name, field, json);
      }
      return hasOpaque;
    },
    getFields: () => Object.fromEntries([...fields].map(([name, field]) => [name, writeField(field)])),
  };
}

/**
 * Returns the JSON text of a member as it arrived. Most senders use the same form as JSON.stringify, which is faster to
 * find if the name occurs only once.
 */
function readMember(text: string, path: Path, value: unknown): string | undefined {
  const json = typeof value === 'object' ? undefined : JSON.stringify(value);
  const key = `"${path.at(-1)}"`;
  const member = `${key}:${json}`;
  const keyIndex = json === undefined ? -1 : text.indexOf(key);
  const isPlain = text.startsWith(member, keyIndex) && /[,}]/.test(text.charAt(keyIndex + member.length));
  if (keyIndex >= 0 && isPlain && keyIndex === text.lastIndexOf(key)) return json;
  return findJsonSource(text, path);
}

function isEmptyMember(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

function isListOfObjects(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.every(isRecord);
}

/** Merges the items of one piece into the previous items. `json` is the text of the piece. */
function joinItems(items: Item[], piece: readonly Record<string, unknown>[], json: string): void {
  const hasIndexes = piece.some((item) => 'index' in item) || items.some((item) => item.members.has('index'));
  /** Expected index of the next item without an ID, counted among items without an ID. */
  let nextOrderedIndex = 0;
  piece.forEach((value, position) => {
    const getText = (key: string) => readMember(json, [position, key], value[key]) ?? 'null';
    let item: Item | undefined;
    if (hasIndexes) {
      const index = 'index' in value ? getText('index') : '0';
      item = items.findLast(
        (entry) => (getJson(entry, 'index') ?? '0') === index && isSameKind(entry, value),
      );
    } else if (!isEmptyMember(value['id'])) {
      const id = getText('id');
      item = items.findLast((entry) => getJson(entry, 'id') === id && isSameKind(entry, value));
    } else {
      const itemsWithoutId = items.filter((entry) => !entry.members.has('id'));
      const candidate = piece.length === 1 ? itemsWithoutId.at(-1) : itemsWithoutId[nextOrderedIndex];
      if (candidate && isSameKind(candidate, value) && canContinue(candidate, value)) item = candidate;
      nextOrderedIndex = item ? nextOrderedIndex + 1 : itemsWithoutId.length + 1;
    }
    if (!item) items.push((item = { members: new Map(), isBlock: false }));
    const { members } = item;
    const { delta, ...rest } = value;
    const directMembers = isRecord(delta) ? rest : value;
    for (const [key, member] of Object.entries(directMembers)) addMember(members, key, member, getText(key));
    if (!isRecord(delta)) return;
    for (const [key, member] of Object.entries(delta))
      addMember(members, key, member, readMember(json, [position, 'delta', key], member) ?? 'null');
    item.isBlock = true;
    const type = Object.entries(blockTypes).find(([key]) => members.has(key))?.[1];
    if (type !== undefined && !members.has('type')) members.set('type', { json: JSON.stringify(type) });
  });
}

/** Block types by a member that is unique to them: their pieces may lack a type, but a complete block needs one. */
const blockTypes = { thinking: 'thinking', text: 'text', data: 'redacted_thinking' };

function addMember(members: Item['members'], key: string, member: unknown, json: string): void {
  const previous = members.get(key);
  if (typeof member === 'string' && joinedTexts.has(key)) {
    if (previous && 'bodies' in previous) previous.bodies.push(json.slice(1, -1));
    else members.set(key, { bodies: [json.slice(1, -1)] });
  } else if (!previous || !isEmptyMember(member)) members.set(key, { json });
}

/** Returns false if the types differ, since two kinds of item may share an index. */
function isSameKind(item: Item, value: Record<string, unknown>): boolean {
  const type = getJson(item, 'type');
  return type === undefined || !('type' in value) || type === JSON.stringify(value['type']);
}

/** Returns true if the piece may continue the item. Text after a signature starts a new item. */
function canContinue(item: Item, value: Record<string, unknown>): boolean {
  const isSigned = (getJson(item, 'signature') ?? 'null').length > 4;
  return !isSigned || Object.keys(value).every((key) => !joinedTexts.has(key) || isEmptyMember(value[key]));
}

function getJson(item: Item, key: string): string | undefined {
  const value = item.members.get(key);
  return value && 'json' in value ? value.json : undefined;
}

function writeField(field: Field): string {
  if (!('items' in field)) return writeValue(field);
  if (field.firstJson !== undefined) return field.firstJson;
  const items = field.items.map(({ members: itemMembers, isBlock }) => {
    const writtenMembers = [...itemMembers].filter(([key]) => key !== 'index' || !isBlock);
    const members = writtenMembers.map(([key, value]) => `${JSON.stringify(key)}:${writeValue(value)}`);
    return `{${members.join(',')}}`;
  });
  return `[${items.join(',')}]`;
}

function writeValue(value: Value): string {
  return 'json' in value ? value.json : `"${value.bodies.join('')}"`;
}
