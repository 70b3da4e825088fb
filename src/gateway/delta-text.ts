import { isRecord, ownProperty, stringProperty } from '../lib/json.ts';

/** What a content or reasoning field says, in order. `skipped` names what is not text. */
export type Said =
  | { type: 'text' | 'thinking' | 'refusal'; text: string }
  | { type: 'skipped'; what: string };

const deepest = 4;

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

/** `content` (§2.5): a string, null, or parts (F50); a part may be thinking or a refusal. */
export function contentOf(value: unknown): Said[] {
  if (typeof value === 'string') return value === '' ? [] : [{ type: 'text', text: value }];
  if (value === undefined || value === null) return [];
  const parts = Array.isArray(value) ? value : [value];
  return parts.flatMap((part) => saidByPart(part));
}

function saidByPart(part: unknown): Said[] {
  if (typeof part === 'string') return part === '' ? [] : [{ type: 'text', text: part }];
  const type = stringProperty(part, 'type') ?? 'text';
  const isThinking = /^(?:thinking|reasoning)/.test(type);
  if (isThinking || /^(?:text|output_text|refusal)$/.test(type)) {
    const kind = isThinking ? 'thinking' : type === 'refusal' ? 'refusal' : 'text';
    const refusal = ownProperty(part, 'refusal');
    const text = plainText(kind === 'refusal' && refusal !== undefined ? refusal : part);
    if (text !== '' || isRecord(part)) return text === '' ? [] : [{ type: kind, text }];
  }
  return [
    {
      type: 'skipped',
      what: `content part of type ${typeof part === 'object' ? type.slice(0, 40) : typeof part}`,
    },
  ];
}

const plainFields = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text'];
const structuredFields = ['reasoning_details', 'thinking_blocks'];

/**
 * The thinking in a delta or message, under any of the names in use, or ''. Gateways send the same text
 * under two names for compatibility: equal texts count once (F47), and the structured form only where
 * there is no plain one.
 */
export function thinkingOf(delta: Record<string, unknown>): string {
  let found = '';
  let first = '';
  for (const field of plainFields) {
    if (!Object.hasOwn(delta, field)) continue;
    const text = plainText(delta[field]);
    if (text === '' || text === first) continue;
    first ||= text;
    found += text;
  }
  if (found !== '') return found;
  for (const field of structuredFields) {
    if (!Object.hasOwn(delta, field)) continue;
    const text = plainText(delta[field]);
    if (text !== '') return text;
  }
  return '';
}
