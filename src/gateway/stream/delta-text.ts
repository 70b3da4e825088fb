import { listJsonMembers, parseExactJson, toPlainJson, writeExactJson } from '../../lib/exact-json.ts';
import { findTooDeepOffset } from '../../lib/json-scan.ts';
import { isRecord, getOwnProperty, getStringProperty, type Json } from '../../lib/json.ts';
import { isBlankValue } from '../errors/error-value.ts';
import {
  findImageAddress,
  isImagePart,
  isSoundPart,
  findSound,
  findTranscript,
  type Sound,
} from '../media/answer-media.ts';
import { findUnknownFields, findUnreadTexts } from '../models/known-fields.ts';

/** Content of a content or reasoning field, in order. `skipped` describes a value that cannot be part of a text. */
export type DeltaContent =
  | { type: 'text' | 'thinking' | 'refusal'; text: string }
  | { type: 'image'; url: string }
  | { type: 'sound'; sound: Sound }
  | { type: 'skipped'; description: string; value: unknown };

const maxDepth = 4;

/** Serialises parsed JSON, which fails only if it is nested too deeply. */
export function stringifyJson(value: unknown): string {
  try {
    return writeExactJson(value);
  } catch {
    return '(nested too deeply to show; see the raw data in the inspector)';
  }
}

/** Converts a value other than text to JSON, or to '' if it is empty. */
export function toRawText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isBlankValue(value) ? '' : stringifyJson(value);
}

/** Returns the text of a string, a part or an array of parts; reasoning fields come in all three forms. */
function readPlainText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > maxDepth) return '';
  if (Array.isArray(value)) return value.map((item) => readPlainText(item, depth + 1)).join('');
  if (!isRecord(value)) return '';
  for (const key of ['text', 'content', 'thinking', 'summary', 'value']) {
    const text = readPlainText(getOwnProperty(value, key), depth + 1);
    if (text !== '') return text;
  }
  return '';
}

/** Reads `content` (§2.5): a string, null, or parts, which may be reasoning or a refusal. */
export function readContent(value: unknown, depth = 0): DeltaContent[] {
  if (!Array.isArray(value) || depth > maxDepth) return readPart(value);
  return value.flatMap((part) => readContent(part, depth + 1));
}

function readPart(part: unknown): DeltaContent[] {
  if (!isRecord(part)) return createTextContent('text', toRawText(part));
  const media = readMediaPart(part);
  if (media.length > 0) return media;
  const type = getStringProperty(part, 'type');
  const isReasoning = /^(?:thinking|reasoning)/.test(type ?? '');
  if (type === undefined || isReasoning || /^(?:text|output_text|refusal)$/.test(type)) {
    const kind = isReasoning ? 'thinking' : type === 'refusal' ? 'refusal' : 'text';
    const refusal = getOwnProperty(part, 'refusal');
    const text = readPlainText(kind === 'refusal' && refusal !== undefined ? refusal : part);
    const skippedFields = findUnknownFields(part, textFields).map(([name, field]): DeltaContent => ({
      type: 'skipped',
      description: `content part with ${name.slice(0, 40)}`,
      value: { [name]: field },
    }));
    if (skippedFields.length === 0 && findUnreadTexts(part, text).length > 0)
      skippedFields.push({ type: 'skipped', description: 'content part', value: part });
    if (text !== '') return [{ type: kind, text }, ...skippedFields];
    const { type: _, ...otherFields } = part;
    return skippedFields.length === 0 ? [] : createTextContent(kind, toRawText(otherFields));
  }
  return [{ type: 'skipped', description: `content part of type ${type.slice(0, 40)}`, value: part }];
}

export function readMediaPart(part: Record<string, unknown>): DeltaContent[] {
  if (isSoundPart(part)) return readSoundPart(part);
  const url = isImagePart(part) ? findImageAddress(part) : undefined;
  return url === undefined ? [] : [{ type: 'image', url }];
}

/** Reads an `audio` field or part: its transcript as text, then its data. */
export function readSoundPart(value: unknown): DeltaContent[] {
  const sound = findSound(value);
  return [
    ...createTextContent('text', findTranscript(value)),
    ...(sound ? [{ type: 'sound' as const, sound }] : []),
  ];
}

/** Reads an image field, which holds one image or a list. */
export function readImageParts(value: unknown, description: string): DeltaContent[] {
  if (isBlankValue(value)) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item): DeltaContent => {
    const url = findImageAddress(item);
    return url === undefined ? { type: 'skipped', description, value: item } : { type: 'image', url };
  });
}

const textFields = /^(?:text|content|thinking|reasoning|summary|value|refusal)$/;

function createTextContent(type: 'text' | 'thinking' | 'refusal', text: string): DeltaContent[] {
  return text === '' ? [] : [{ type, text }];
}

const plainFields = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'];
const structuredFields = ['reasoning_details', 'thinking_blocks'];
export const reasoningFieldNames: readonly string[] = [...plainFields, ...structuredFields];

/**
 * Returns the reasoning in a delta or message under any of its names, or ''. Gateways repeat the same text under two
 * names for compatibility: equal texts count once, and the structured form is used only without a plain one.
 */
export function readReasoning(delta: Record<string, unknown>): string {
  let reasoning = '';
  let firstText = '';
  for (const field of plainFields) {
    const value = getOwnProperty(delta, field);
    const text = readPlainText(value) || toRawText(value);
    if (text !== firstText) reasoning += text;
    firstText ||= text;
  }
  if (reasoning !== '') return reasoning;
  for (const field of structuredFields) {
    const text = readPlainText(getOwnProperty(delta, field));
    if (text !== '') return text;
  }
  return listBlocks(delta)
    .map((block) => readPlainText(getOwnProperty(block, 'thinking')))
    .join('');
}

/** Lists content blocks, whole or in pieces, with reasoning and images that `content` lacks. */
export function listBlocks(delta: Record<string, unknown>): Record<string, unknown>[] {
  const blocks = getOwnProperty(delta, 'content_blocks');
  return (Array.isArray(blocks) ? blocks : []).filter(isRecord).map((block) => {
    const piece = getOwnProperty(block, 'delta');
    return isRecord(piece) ? piece : block;
  });
}

const parsedArgumentsPattern = /"(?:arguments|input)"\s*:\s*[[{]/;
/** Deeper JSON is kept as read by JSON.parse. */
const maxChunkLevels = 200;
/** Levels from a chunk to the arguments of its calls, with a reserve. */
const maxCallLevels = 12;

/** Returns the parsed value with the exact digits and duplicate keys of the text in call arguments. */
export function withExactArguments(value: unknown, text: string): unknown {
  if (!parsedArgumentsPattern.test(text) || findTooDeepOffset(text, maxChunkLevels) !== undefined)
    return value;
  const parsed = parseExactJson(text);
  return parsed.ok ? toPlainExceptArguments(parsed.value, 0) : value;
}

/** Converts to plain JSON values, except for arguments. */
function toPlainExceptArguments(value: Json, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => toPlainExceptArguments(item, depth + 1));
  const members = depth > maxCallLevels ? undefined : listJsonMembers(value);
  if (!members) return toPlainJson(value);
  return Object.fromEntries(
    members.map(([key, member]) => {
      const isParsed = (key === 'arguments' || key === 'input') && listJsonMembers(member) !== undefined;
      return [key, isParsed ? member : toPlainExceptArguments(member, depth + 1)];
    }),
  );
}
