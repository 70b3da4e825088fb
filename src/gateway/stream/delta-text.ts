import { listJsonMembers, parseExactJson, toPlainJson, writeExactJson } from '../../lib/exact-json.ts';
import { tooDeepAt } from '../../lib/json-scan.ts';
import { isRecord, ownProperty, stringProperty, type Json } from '../../lib/json.ts';
import { isEmpty } from '../errors/error-value.ts';
import {
  findImageAddress,
  isImagePart,
  isSoundPart,
  findSound,
  findTranscript,
  type Sound,
} from '../media/answer-media.ts';
import { unknownFields, unsaidIn } from '../models/known-fields.ts';

/** What a content or reasoning field says, in order. `skipped` names what cannot be part of a text. */
export type Said =
  | { type: 'text' | 'thinking' | 'refusal'; text: string }
  | { type: 'image'; url: string }
  | { type: 'sound'; sound: Sound }
  | { type: 'skipped'; what: string; value: unknown };

const deepest = 4;

/** JSON of what was read from JSON; only its depth can be too much for writing it. */
export function writtenJson(value: unknown): string {
  try {
    return writeExactJson(value);
  } catch {
    return '(nested too deeply to show; the inspector has the raw data)';
  }
}

/** A value of another type than the text that should stand there: as JSON, or '' where it says nothing. */
export function rawText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return isEmpty(value) ? '' : writtenJson(value);
}

/** The text in a string, a part, or an array of them; thinking fields come in all three forms. */
function plainText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > deepest) return '';
  if (Array.isArray(value)) return value.map((item) => plainText(item, depth + 1)).join('');
  if (!isRecord(value)) return '';
  for (const key of ['text', 'content', 'thinking', 'summary', 'value']) {
    const found = plainText(ownProperty(value, key), depth + 1);
    if (found !== '') return found;
  }
  return '';
}

/** `content` (§2.5): a string, null, or parts; a part may be thinking or a refusal. */
export function contentOf(value: unknown, depth = 0): Said[] {
  if (!Array.isArray(value) || depth > deepest) return saidByPart(value);
  return value.flatMap((part) => contentOf(part, depth + 1));
}

function saidByPart(part: unknown): Said[] {
  if (!isRecord(part)) return saidAs('text', rawText(part));
  const media = readMediaPart(part);
  if (media.length > 0) return media;
  const type = stringProperty(part, 'type');
  const isThinking = /^(?:thinking|reasoning)/.test(type ?? '');
  if (type === undefined || isThinking || /^(?:text|output_text|refusal)$/.test(type)) {
    const kind = isThinking ? 'thinking' : type === 'refusal' ? 'refusal' : 'text';
    const refusal = ownProperty(part, 'refusal');
    const text = plainText(kind === 'refusal' && refusal !== undefined ? refusal : part);
    const others = unknownFields(part, textFields).map(([name, field]): Said => ({
      type: 'skipped',
      what: `content part with ${name.slice(0, 40)}`,
      value: { [name]: field },
    }));
    if (others.length === 0 && unsaidIn(part, text).length > 0)
      others.push({ type: 'skipped', what: 'content part', value: part });
    if (text !== '') return [{ type: kind, text }, ...others];
    const { type: _, ...rest } = part;
    return others.length === 0 ? [] : saidAs(kind, rawText(rest));
  }
  return [{ type: 'skipped', what: `content part of type ${type.slice(0, 40)}`, value: part }];
}

export function readMediaPart(part: Record<string, unknown>): Said[] {
  if (isSoundPart(part)) return readSoundPart(part);
  const url = isImagePart(part) ? findImageAddress(part) : undefined;
  return url === undefined ? [] : [{ type: 'image', url }];
}

/** Reads an `audio` field or part: its transcript as text, then its data. */
export function readSoundPart(value: unknown): Said[] {
  const sound = findSound(value);
  return [...saidAs('text', findTranscript(value)), ...(sound ? [{ type: 'sound' as const, sound }] : [])];
}

/** Reads an image field, which holds one image or a list. */
export function readImageParts(value: unknown, what: string): Said[] {
  if (isEmpty(value)) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item): Said => {
    const url = findImageAddress(item);
    return url === undefined ? { type: 'skipped', what, value: item } : { type: 'image', url };
  });
}

const textFields = /^(?:text|content|thinking|reasoning|summary|value|refusal)$/;

function saidAs(type: 'text' | 'thinking' | 'refusal', text: string): Said[] {
  return text === '' ? [] : [{ type, text }];
}

const plainFields = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'];
const structuredFields = ['reasoning_details', 'thinking_blocks'];
export const thinkingFields: readonly string[] = [...plainFields, ...structuredFields];

/**
 * The thinking in a delta or message, under any of the names in use, or ''. Gateways send the same text
 * under two names for compatibility: equal texts count once, and the structured form only where
 * there is no plain one.
 */
export function thinkingOf(delta: Record<string, unknown>): string {
  let found = '';
  let first = '';
  for (const field of plainFields) {
    const value = ownProperty(delta, field);
    const text = plainText(value) || rawText(value);
    if (text !== first) found += text;
    first ||= text;
  }
  if (found !== '') return found;
  for (const field of structuredFields) {
    const text = plainText(ownProperty(delta, field));
    if (text !== '') return text;
  }
  return blocksIn(delta)
    .map((block) => plainText(ownProperty(block, 'thinking')))
    .join('');
}

/** The content once more as blocks, whole or each a piece of one, with the reasoning and images that `content` does not hold. */
export function blocksIn(delta: Record<string, unknown>): Record<string, unknown>[] {
  const blocks = ownProperty(delta, 'content_blocks');
  return (Array.isArray(blocks) ? blocks : []).filter(isRecord).map((block) => {
    const piece = ownProperty(block, 'delta');
    return isRecord(piece) ? piece : block;
  });
}

const parsedArguments = /"(?:arguments|input)"\s*:\s*[[{]/;
/** Deeper JSON is kept as JSON.parse reads it. */
const maxChunkLevels = 200;
/** Levels from a chunk to the arguments of its calls, and some to spare. */
const maxCallLevels = 12;

/** Returns the parsed value, with the digits and doubled keys of the text in parsed call arguments. */
export function withExactArguments(value: unknown, text: string): unknown {
  if (!parsedArguments.test(text) || tooDeepAt(text, maxChunkLevels) !== undefined) return value;
  const reading = parseExactJson(text);
  return reading.ok ? keepArguments(reading.value, 0) : value;
}

/** Converts to plain JSON values, except for arguments. */
function keepArguments(value: Json, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => keepArguments(item, depth + 1));
  const members = depth > maxCallLevels ? undefined : listJsonMembers(value);
  if (!members) return toPlainJson(value);
  return Object.fromEntries(
    members.map(([key, member]) => {
      const isParsed = (key === 'arguments' || key === 'input') && listJsonMembers(member) !== undefined;
      return [key, isParsed ? member : keepArguments(member, depth + 1)];
    }),
  );
}
