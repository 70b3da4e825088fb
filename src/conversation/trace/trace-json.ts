/** Raw JSON laid out over lines, every literal as received, with the fields that the specification does not have. */
import { findToken } from '../../lib/json-scan.ts';
import { shortenBase64 } from '../../lib/text/shorten-base64.ts';

export interface JsonToken {
  text: string;
  kind: 'mark' | 'key' | 'text' | 'value';
  /** A field that the API description does not have. */
  isOutside?: true;
}

export interface JsonLine {
  /** How deep it stands. */
  depth: number;
  tokens: JsonToken[];
}

export interface LaidOutJson {
  lines: JsonLine[];
  /** Paths of fields outside the specification, each once, such as `choices[].delta.reasoning_content`. */
  outside: string[];
}

/** §2.4, §2.5 and the error object of §7, with the other fields that OpenAI's format has. */
const known = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'choices[].index',
  'choices[].delta',
  'choices[].message',
  'choices[].finish_reason',
  'usage',
  'usage.prompt_tokens',
  'usage.completion_tokens',
  'usage.total_tokens',
  'error',
  'error.message',
  'error.type',
  'error.code',
  'error.param',
  'system_fingerprint',
  'service_tier',
  'obfuscation',
  'choices[].logprobs',
  'choices[].text',
  'usage.prompt_tokens_details',
  'usage.completion_tokens_details',
  ...['delta', 'message'].flatMap((said) => [
    `choices[].${said}.role`,
    `choices[].${said}.content`,
    `choices[].${said}.tool_calls`,
    `choices[].${said}.refusal`,
    `choices[].${said}.annotations`,
    `choices[].${said}.audio`,
    `choices[].${said}.function_call`,
  ]),
]);

/** §2.4 names tool calls and leaves their fields open; so are the fields of what OpenAI adds. */
const open =
  /^choices\[\]\.(?:(?:delta|message)\.(?:tool_calls|annotations|audio|function_call|content)|logprobs)[[.]|^usage\.(?:prompt|completion)_tokens_details\./;

interface Level {
  isArray: boolean;
  path: string;
  /** Nothing in it yet. */
  isEmpty: boolean;
  /** The key that the next value belongs to. */
  key?: string;
  /** Its own field is outside: what is in it need not be said again. */
  isOutside: boolean;
}

/** Lays out valid JSON. */
export function layOutJson(raw: string): LaidOutJson {
  const lines: JsonLine[] = [{ depth: 0, tokens: [] }];
  const levels: Level[] = [];
  const outside = new Set<string>();
  const put = (piece: JsonToken) => lines.at(-1)?.tokens.push(piece);
  const newLine = () => lines.push({ depth: levels.length, tokens: [] });

  const enter = (isArray: boolean) => {
    const above = levels.at(-1);
    const path = placeIn(above);
    levels.push({ isArray, path, isEmpty: true, isOutside: above ? isOutsideAt(above) : false });
  };
  const beforeValue = () => {
    const level = levels.at(-1);
    if (!level?.isEmpty) return;
    level.isEmpty = false;
    newLine();
  };
  const isOutsideAt = (level: Level): boolean =>
    level.isOutside || (!level.isArray && level.key !== undefined && !isKnown(placeIn(level)));

  for (let token = findToken(raw, 0); token; token = findToken(raw, token.end)) {
    const level = levels.at(-1);
    const { kind } = token;
    const text = raw.slice(token.start, token.end);
    if (kind === '{' || kind === '[') {
      beforeValue();
      put({ text, kind: 'mark' });
      enter(kind === '[');
    } else if (kind === '}' || kind === ']') {
      levels.pop();
      if (level && !level.isEmpty) newLine();
      put({ text, kind: 'mark' });
    } else if (kind === ',') {
      put({ text, kind: 'mark' });
      if (level && !level.isArray) delete level.key;
      newLine();
    } else if (kind === ':') {
      put({ text: ': ', kind: 'mark' });
    } else if (level && !level.isArray && level.key === undefined) {
      beforeValue();
      level.key = String(JSON.parse(text));
      const isNew = !level.isOutside && isOutsideAt(level);
      if (isNew) outside.add(placeIn(level));
      put(isNew ? { text, kind: 'key', isOutside: true } : { text, kind: 'key' });
    } else {
      beforeValue();
      put(kind === 'word' ? { text, kind: 'value' } : { text: shortenBase64(text), kind: 'text' });
    }
  }
  return { lines, outside: [...outside] };
}

function placeIn(level: Level | undefined): string {
  if (!level) return '';
  if (level.isArray) return `${level.path}[]`;
  if (level.key === undefined) return level.path;
  return level.path === '' ? level.key : `${level.path}.${level.key}`;
}

function isKnown(path: string): boolean {
  return known.has(path) || open.test(path);
}
