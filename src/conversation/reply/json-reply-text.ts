/** Decides which replies are shown as JSON, and which format was requested (§2.1 response_format). */
import { indentJson, withoutDuplicateKeys } from '../../lib/exact-json.ts';
import {
  isDeeperThan,
  isJsonObject,
  maxJsonDepth,
  maxFormattedJsonChars,
  getOwnProperty,
  parseJson,
  type JsonObject,
} from '../../lib/json.ts';
import { getParamState, type Params } from '../setup/params.ts';
import { checkJson, checkLiveJson } from './json-check.ts';

/** Format requested with response_format; `schema` is set for json_schema. */
export interface RequestedFormat {
  type: 'json_object' | 'json_schema';
  schema?: JsonObject;
}

/** Returns `undefined` if the request did not ask for JSON. */
export function getRequestedFormat(params: Params): RequestedFormat | undefined {
  const state = getParamState(params, 'response_format');
  if (state.state !== 'sent') return undefined;
  const format = withoutDuplicateKeys(state.value);
  const type = getOwnProperty(format, 'type');
  if (type === 'json_object') return { type };
  if (type !== 'json_schema') return undefined;
  const wrapper = isJsonObject(format) ? format['json_schema'] : undefined;
  const schema = isJsonObject(wrapper) ? wrapper['schema'] : undefined;
  return isJsonObject(schema) ? { type, schema } : { type };
}

/** JSON text of a reply without its optional code fence. */
export interface JsonReplyText {
  text: string;
  hasCodeFence: boolean;
}

const fencePattern = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/i;
/** Start of a JSON object or list, as opposed to Markdown links and check boxes. */
const jsonStartPattern = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]\d-]|$))/;

/**
 * Returns the reply as JSON, or `undefined` to show it as text. Requested JSON is always shown as JSON; otherwise the
 * whole reply must be one object or list (even while streaming) or one code fence.
 */
export function parseJsonReply(
  text: string,
  isStreaming: boolean,
  isJsonRequested: boolean,
): JsonReplyText | undefined {
  const fencedText = isStreaming ? undefined : fencePattern.exec(text)?.[1];
  if (isJsonRequested) {
    if (text.trim() === '') return undefined;
    return fencedText === undefined
      ? { text, hasCodeFence: false }
      : { text: fencedText, hasCodeFence: true };
  }
  if (isStreaming) {
    const isJson = jsonStartPattern.test(text) && checkLiveJson(text).state !== 'broken';
    return isJson ? { text, hasCodeFence: false } : undefined;
  }
  if (fencedText !== undefined)
    return isComposite(fencedText) ? { text: fencedText, hasCodeFence: true } : undefined;
  return isComposite(text) ? { text, hasCodeFence: false } : undefined;
}

function isComposite(text: string): boolean {
  return jsonStartPattern.test(text) && checkJson(text).state === 'whole';
}

/** Reply formatted for display; single-line JSON is indented. */
export interface FormattedJson {
  text: string;
  /** Offset of `json` in `text`. */
  jsonOffset: number;
  json: string;
  hasCodeFence: boolean;
}

/** Formats a JSON reply for display. `raw` includes the code fence. */
export function formatJsonReply(raw: string, { text, hasCodeFence }: JsonReplyText): FormattedJson {
  const isOneLine = text.length <= maxFormattedJsonChars && !text.trim().includes('\n');
  const reading = isOneLine ? parseJson(text) : undefined;
  const isIndented =
    reading?.ok === true && typeof reading.value === 'object' && !isDeeperThan(maxJsonDepth, reading.value);
  const json = isIndented ? indentJson(text) : text;
  if (!hasCodeFence) return { text: json, jsonOffset: 0, json, hasCodeFence };
  const fencedJson = isIndented ? `\`\`\`json\n${json}\n\`\`\`` : raw.trim();
  return { text: fencedJson, jsonOffset: Math.max(0, fencedJson.indexOf(json)), json, hasCodeFence };
}
