import { isRecord, getOwnProperty } from '../../lib/json.ts';
import { isOpaqueField } from '../opaque-fields.ts';
import type { ChunkEvent } from './chunk-reader.ts';

type TextDelta = Extract<ChunkEvent, { type: 'text-delta' }>;

interface Template {
  prefix: string;
  suffix: string;
  choice: number;
}

interface ChunkTemplate {
  /** The event of a chunk that differs from the one learned in its text only; undefined: read it in full. */
  read: (data: string) => TextDelta | undefined;
  /** `value` is what `data` says, `events` what was read from it. */
  learn: (data: string, value: unknown, events: readonly ChunkEvent[]) => void;
}

const contentStart = '"content":"';
/** Cannot be in a chunk by chance. */
const probe = 'b93f1d0e-2c77-4b5f-bench-probe';
/** Where every chunk has something of its own (padding, a clock), learning is given up after so many. */
const maxTries = 16;
/** JSON strings hold quotes, backslashes and control characters below U+0020 only escaped. */
const escapePattern = /["\\\p{Cc}]/u;

/**
 * Most chunks of an answer are the same but for a few letters of text. Such a chunk is compared with the one
 * before it instead of being parsed: parsing was most of the cost of an answer.
 */
export function createChunkTemplate(): ChunkTemplate {
  let template: Template | undefined;
  let remainingTries = maxTries;

  return {
    read(data) {
      if (template === undefined) return undefined;
      const { prefix, suffix, choice } = template;
      const end = data.length - suffix.length;
      // Slices are compared as memory; startsWith goes letter by letter and took a third of the whole layer's time.
      if (end <= prefix.length || data.slice(0, prefix.length) !== prefix || data.slice(end) !== suffix)
        return undefined;
      const escaped = data.slice(prefix.length, end);
      const text = escapePattern.test(escaped) ? decodeString(escaped) : escaped;
      if (text === undefined || text === '') return undefined;
      remainingTries = maxTries;
      return { type: 'text-delta', choice, text };
    },
    learn(data, value, events) {
      template = undefined;
      const [event] = events;
      if (remainingTries === 0 || events.length !== 1 || event?.type !== 'text-delta') return;
      remainingTries -= 1;
      const textStart = data.indexOf(contentStart) + contentStart.length;
      const textEnd = textStart + JSON.stringify(event.text).length - 2;
      if (textStart < contentStart.length || getContent(value) !== event.text || hasOpaqueField(value))
        return;
      const newTemplate = {
        prefix: data.slice(0, textStart),
        suffix: data.slice(textEnd),
        choice: event.choice,
      };
      // Proof that this place, and no other, is the text that was read.
      if (getContent(tryParse(`${newTemplate.prefix}${probe}${newTemplate.suffix}`)) === probe)
        template = newTemplate;
    },
  };
}

function getDelta(chunk: unknown): unknown {
  const choices = getOwnProperty(chunk, 'choices');
  return Array.isArray(choices) && choices.length === 1 ? getOwnProperty(choices[0], 'delta') : undefined;
}

function getContent(chunk: unknown): unknown {
  return getOwnProperty(getDelta(chunk), 'content');
}

/** True if the delta has an opaque field, whose pieces are joined and must not be skipped. */
function hasOpaqueField(chunk: unknown): boolean {
  const delta = getDelta(chunk);
  return (
    isRecord(delta) &&
    Object.entries(delta).some(([name, value]) => isOpaqueField(name) && value !== null && value !== '')
  );
}

/** What stands between the quotes of a JSON string; undefined where it is not all of one. */
function decodeString(escaped: string): string | undefined {
  const text = tryParse(`"${escaped}"`);
  return typeof text === 'string' ? text : undefined;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
