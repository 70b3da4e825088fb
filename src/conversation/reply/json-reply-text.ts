/** Which replies are shown as JSON, and what was asked of them (§2.1 response_format). */
import { indentJson, withoutDoubledKeys } from '../../lib/exact-json.ts';
import {
  isDeeperThan,
  isJsonObject,
  maxJsonDepth,
  maxFormattedJsonChars,
  getOwnProperty,
  parseJson,
  type JsonObject,
} from '../../lib/json.ts';
import { paramState, type Params } from '../setup/params.ts';
import { checkJson, checkLiveJson } from './json-check.ts';

/** What response_format asked for. `schema` where it is a json_schema with one. */
export interface AskedFormat {
  type: 'json_object' | 'json_schema';
  schema?: JsonObject;
}

/** Undefined where the request did not ask for JSON. */
export function askedFormat(params: Params): AskedFormat | undefined {
  const state = paramState(params, 'response_format');
  if (state.state !== 'sent') return undefined;
  const format = withoutDoubledKeys(state.value);
  const type = getOwnProperty(format, 'type');
  if (type === 'json_object') return { type };
  if (type !== 'json_schema') return undefined;
  const wrapper = isJsonObject(format) ? format['json_schema'] : undefined;
  const schema = isJsonObject(wrapper) ? wrapper['schema'] : undefined;
  return isJsonObject(schema) ? { type, schema } : { type };
}

/** The JSON text of a reply, without the code fence that it may stand in. */
export interface JsonReply {
  text: string;
  isFenced: boolean;
}

const fence = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/i;
/** How a JSON object or list begins; links and check boxes of markdown begin otherwise. */
const opening = /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]\d-]|$))/;

/**
 * The reply as JSON, or undefined where it is to be read as words. Asked for, it always is; else where the
 * whole text is one object or list, also while it streams, or one code fence with nothing beside it.
 */
export function jsonReplyOf(text: string, live: boolean, isAsked: boolean): JsonReply | undefined {
  const fenced = live ? undefined : fence.exec(text)?.[1];
  if (isAsked) {
    if (text.trim() === '') return undefined;
    return fenced === undefined ? { text, isFenced: false } : { text: fenced, isFenced: true };
  }
  if (live) {
    const isJson = opening.test(text) && checkLiveJson(text).state !== 'broken';
    return isJson ? { text, isFenced: false } : undefined;
  }
  if (fenced !== undefined) return isComposite(fenced) ? { text: fenced, isFenced: true } : undefined;
  return isComposite(text) ? { text, isFenced: false } : undefined;
}

function isComposite(text: string): boolean {
  return opening.test(text) && checkJson(text).state === 'whole';
}

/** A reply as it is shown for reading: on lines of its own where it came on one. */
export interface ShownJson {
  text: string;
  /** Where the JSON begins in it, and the JSON. */
  from: number;
  json: string;
  isFenced: boolean;
}

/** `raw`: with the fence around it. */
export function shownJson(raw: string, { text, isFenced }: JsonReply): ShownJson {
  const isOneLine = text.length <= maxFormattedJsonChars && !text.trim().includes('\n');
  const reading = isOneLine ? parseJson(text) : undefined;
  const isLaidOut =
    reading?.ok === true && typeof reading.value === 'object' && !isDeeperThan(maxJsonDepth, reading.value);
  const json = isLaidOut ? indentJson(text) : text;
  if (!isFenced) return { text: json, from: 0, json, isFenced };
  const shown = isLaidOut ? `\`\`\`json\n${json}\n\`\`\`` : raw.trim();
  return { text: shown, from: Math.max(0, shown.indexOf(json)), json, isFenced };
}
