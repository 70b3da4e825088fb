/** Formats raw JSON on several lines, with literals as received and unknown fields marked. */
import { findToken } from '../../lib/json-scan.ts';
import { shortenBase64 } from '../../lib/text/shorten-base64.ts';
import { isKnownField } from './known-response-fields.ts';

export interface TraceJsonToken {
  text: string;
  kind: 'mark' | 'key' | 'text' | 'value';
  /** True if the API description does not specify the field. */
  isUnknownField?: true;
}

export interface JsonLine {
  /** Indentation level. */
  depth: number;
  tokens: TraceJsonToken[];
}

export interface TraceJson {
  lines: JsonLine[];
  /** Paths of fields outside the specification, without duplicates, such as `choices[].delta.reasoning_content`. */
  unknownPaths: string[];
}

interface Level {
  isArray: boolean;
  path: string;
  /** True while the object or list has no content. */
  isEmpty: boolean;
  /** Key of the next value. */
  key?: string;
  /** True inside an unknown field, so that nested fields are not reported again. */
  isUnknown: boolean;
}

/** Formats valid JSON. */
export function formatTraceJson(raw: string): TraceJson {
  const lines: JsonLine[] = [{ depth: 0, tokens: [] }];
  const levels: Level[] = [];
  const unknownPaths = new Set<string>();
  const addToken = (token: TraceJsonToken) => lines.at(-1)?.tokens.push(token);
  const addLine = () => lines.push({ depth: levels.length, tokens: [] });

  const openLevel = (isArray: boolean) => {
    const parentLevel = levels.at(-1);
    const path = getLevelPath(parentLevel);
    levels.push({ isArray, path, isEmpty: true, isUnknown: parentLevel ? isUnknownAt(parentLevel) : false });
  };
  const startValue = () => {
    const level = levels.at(-1);
    if (!level?.isEmpty) return;
    level.isEmpty = false;
    addLine();
  };
  const isUnknownAt = (level: Level): boolean =>
    level.isUnknown || (!level.isArray && level.key !== undefined && !isKnownField(getLevelPath(level)));

  for (let token = findToken(raw, 0); token; token = findToken(raw, token.end)) {
    const level = levels.at(-1);
    const { kind } = token;
    const text = raw.slice(token.start, token.end);
    if (kind === '{' || kind === '[') {
      startValue();
      addToken({ text, kind: 'mark' });
      openLevel(kind === '[');
    } else if (kind === '}' || kind === ']') {
      levels.pop();
      if (level && !level.isEmpty) addLine();
      addToken({ text, kind: 'mark' });
    } else if (kind === ',') {
      addToken({ text, kind: 'mark' });
      if (level && !level.isArray) delete level.key;
      addLine();
    } else if (kind === ':') {
      addToken({ text: ': ', kind: 'mark' });
    } else if (level && !level.isArray && level.key === undefined) {
      startValue();
      level.key = String(JSON.parse(text));
      const isUnknownField = !level.isUnknown && isUnknownAt(level);
      if (isUnknownField) unknownPaths.add(getLevelPath(level));
      addToken(isUnknownField ? { text, kind: 'key', isUnknownField: true } : { text, kind: 'key' });
    } else {
      startValue();
      addToken(kind === 'word' ? { text, kind: 'value' } : { text: shortenBase64(text), kind: 'text' });
    }
  }
  return { lines, unknownPaths: [...unknownPaths] };
}

function getLevelPath(level: Level | undefined): string {
  if (!level) return '';
  if (level.isArray) return `${level.path}[]`;
  if (level.key === undefined) return level.path;
  return level.path === '' ? level.key : `${level.path}.${level.key}`;
}
