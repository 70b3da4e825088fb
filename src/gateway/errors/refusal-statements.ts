import { isRecord, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import type { ErrorReport } from './errors.ts';

/** One statement of an error about the request. */
export interface RefusalStatement {
  /** Names and indexes from the body inwards; empty if the error does not give a position. */
  path: readonly string[];
  text: string;
}

const textKeys = [
  'message',
  'msg',
  'detail',
  'description',
  'error',
  'reason',
  'title',
  'error_message',
  'error_msg',
  'error_description',
];
const pathKeys = ['loc', 'param', 'parameter', 'field', 'path', 'instancePath', 'pointer', 'property'];
/** Fields with lists and names of rejected keys, as written by JSON schema validators. */
const refusedKeys = ['keys', 'additionalProperty', 'unrecognized_keys', 'fields'];
/** Tables from a field to its problem. */
const tableKeyPattern = /^(?:errors|details?|fields|field_?errors|validation_?errors)$/i;

/** General types and codes for bad requests; in a sentence, their words would mean a rejected field. */
const generalCodePattern = /^(?:invalid|bad)_?(?:request|argument|input)(?:_?error)?$/i;

const maxDepth = 8;
const maxStatements = 60;
const maxTextChars = 2000;

/** Lists the statements of an error in order at any depth, starting with those of its raw JSON. */
export function listRefusalStatements({
  raw = '',
  message,
  code,
  type,
  fields,
}: ErrorReport): RefusalStatement[] {
  const statements: RefusalStatement[] = [];
  const addStatement = (path: readonly string[], text: string) => {
    if (statements.length < maxStatements && text.trim() !== '')
      statements.push({ path, text: text.slice(0, maxTextChars) });
  };

  function collectStatements(value: unknown, depth: number, key = '', outerText = ''): void {
    if (depth > maxDepth) return;
    if (typeof value === 'string') return collectStatements(parseEmbeddedJson(value), depth + 1, key);
    if (Array.isArray(value)) {
      for (const item of value.slice(0, maxStatements)) {
        if (typeof item === 'string') addStatement([], item);
        collectStatements(item, depth + 1, key, outerText);
      }
      return;
    }
    if (!isRecord(value)) return;
    const text = addObjectStatements(value, key, outerText);
    for (const [name, inner] of Object.entries(value)) collectStatements(inner, depth + 1, name, text);
  }

  /** Adds the statements of the object itself. Returns its text for the details inside. */
  function addObjectStatements(value: Record<string, unknown>, key: string, outerText: string): string {
    const texts = textKeys.flatMap((name) => getStringProperty(value, name) ?? []);
    const codes = listCodes([getStringProperty(value, 'type'), getStringProperty(value, 'code')]);
    const text = [...texts, ...codes].join(' ') || outerText;
    const refusedNames = refusedKeys.flatMap((name) =>
      listStrings(getOwnProperty(value, name) ?? getOwnProperty(value['params'], name)),
    );
    const path = findPath(value) ?? [];
    if (texts.length > 0 || path.length > 0) {
      for (const name of refusedNames) addStatement([...path, name], text);
      if (refusedNames.length === 0) addStatement(path, text);
    } else if (tableKeyPattern.test(key)) {
      for (const [name, inner] of Object.entries(value))
        for (const innerText of listStrings(inner)) addStatement(readPath(name), innerText);
    }
    return text;
  }

  const parsed = parseJson(raw);
  collectStatements(parsed.ok ? parsed.value : raw, 0);
  for (const field of fields ?? []) addStatement(readPath(field.path), field.message);
  addStatement([], [message, ...listCodes([type, code])].join(' '));
  return statements;
}

function listCodes(codes: readonly (string | undefined)[]): string[] {
  return codes.filter((code) => code !== undefined).filter((code) => !generalCodePattern.test(code));
}

/** Parses JSON inside a text, from its first bracket on. */
function parseEmbeddedJson(text: string): unknown {
  const [openBracket, closeBracket] = text.includes('{') ? ['{', '}'] : ['[', ']'];
  const start = text.indexOf(openBracket);
  if (start < 0 || text.length > 65_536) return undefined;
  const parsed = parseJson(text.slice(start, text.lastIndexOf(closeBracket) + 1));
  return parsed.ok ? parsed.value : undefined;
}

/** Returns the path of an object. A `name` counts only if it looks like a field, not like an error class. */
function findPath(value: Record<string, unknown>): string[] | undefined {
  const name = getStringProperty(value, 'name') ?? '';
  return [
    ...pathKeys.map((key) => readPath(getOwnProperty(value, key))),
    /^[a-z][a-z\d_.]*$/.test(name) ? readPath(name) : [],
  ].find((path) => path.length > 0);
}

function listStrings(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value.slice(0, maxStatements) : [value];
  return list.filter((item) => typeof item === 'string');
}

/**
 * Reads `messages[2].name`, `/messages/2/name`, `body -> name` and lists of names, without the segment for the body.
 */
function readPath(value: unknown): string[] {
  const parts: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(/[^\w$-]+/)
      : [];
  const names = parts.flatMap((part) =>
    typeof part === 'string' || typeof part === 'number' ? [String(part)] : [],
  );
  const segments = names.filter((name) => name !== '' && name !== '$');
  return /^(?:body|json|request|root)$/i.test(segments[0] ?? '') ? segments.slice(1) : segments;
}
