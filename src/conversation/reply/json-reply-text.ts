/** Which replies are shown as JSON, and what was asked of them (§2.1 response_format). */
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

/** What response_format asked for. `schema` where it is a json_schema with one. */
export interface RequestedFormat {
  type: 'json_object' | 'json_schema';
  schema?: JsonObject;
}

/** Undefined where the request did not ask for JSON. */
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

/** The JSON text of a reply, without the code fence that it may stand in. */
export interface JsonReplyText {
  text: string;
  hasCodeFence: boolean;
}

const fencePattern = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/i;
/** How a JSON object or list begins; links and check boxes of markdown begin otherwise. */
const jsonStartPattern = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]\d-]|$))/;

/**
 * The reply as JSON, or undefined where it is to be read as words. Asked for, it always is; else where the
 * whole text is one object or list, also while it streams, or one code fence with nothing beside it.
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

/** A reply as it is shown for reading: on lines of its own where it came on one. */
export interface FormattedJson {
  text: string;
  /** Where the JSON begins in it, and the JSON. */
  jsonOffset: number;
  json: string;
  hasCodeFence: boolean;
}

/** `raw`: with the fence around it. */
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
