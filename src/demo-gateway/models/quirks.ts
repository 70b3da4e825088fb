/** Rules of real providers about fields that must or must not be sent back, one per value of `demo_quirk`. */
import { sha256 } from '@noble/hashes/sha2.js';

import { isJsonObject, getStringProperty, type Json, type JsonObject } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';
import type { ModelOutput } from '../model.ts';
import { splitTokens } from '../tokens.ts';
import { getObject } from './generate-from-schema.ts';

export interface Quirk {
  /** Returns a sentence for the answer: the rule, or what the request lacked. */
  describe: (body: JsonObject) => string;
  /** Throws an ApiError if the request breaks the rule. */
  check?: (body: JsonObject) => void;
  think?: (thought: string, isStream: boolean) => Iterable<ModelOutput>;
  callIdPrefix?: string;
  /** Returns extra fields for the first of several parallel calls. */
  callFields?: (callId: string) => JsonObject;
  jsonReplacer?: (key: string, value: unknown) => unknown;
}

export const quirkNames = [
  'signed calls',
  'reasoning required',
  'reasoning details',
  'extra fields refused',
  'newer parameters',
  'missing indexes',
] as const;

type QuirkName = (typeof quirkNames)[number];

export const quirks: Record<QuirkName, Quirk> = {
  'signed calls': {
    describe: () => 'My first call is signed, and I reject it without its signature.',
    callFields: (callId) => ({ extra_content: { google: { thought_signature: sign(callId) } } }),
    check: checkSignatures,
  },
  'reasoning required': {
    describe: () => 'I reject my calls without the reasoning that preceded them.',
    *think(thought) {
      for (const thinking of splitTokens(thought)) yield { thinking };
    },
    check: checkReasoning,
  },
  'reasoning details': {
    describe: describeReturnedReasoning,
    think: generateReasoningDetails,
  },
  'extra fields refused': {
    describe: () => 'I reject unknown fields, and call IDs that are not nine letters and digits.',
    callIdPrefix: '',
    check: checkExtraFields,
  },
  'newer parameters': {
    describe: () => 'I reject `max_tokens` and every temperature except 1, and I hide my reasoning.',
    *think(thought) {
      for (const thinking of splitTokens(thought)) yield { thinking, wireFields: {} };
    },
    check: checkParameters,
  },
  'missing indexes': {
    describe: () => 'I omit every `index` of 0, and send `{}` before the arguments of a call.',
    jsonReplacer(key, value) {
      if (key === 'index' && value === 0) return undefined;
      return key === 'arguments' && value === '' ? '{}' : value;
    },
  },
};

/** Signs a text so that the signature can be checked without stored state. */
function sign(text: string): string {
  const digest = sha256(new TextEncoder().encode(`demo/strict ${text}`));
  return btoa(String.fromCharCode(...digest));
}

interface SentMessage {
  index: number;
  message: JsonObject;
  calls: JsonObject[];
}

function listMessages(body: JsonObject): SentMessage[] {
  return listAt(body, 'messages').map((message, index) => ({
    index,
    message,
    calls: listAt(message, 'tool_calls'),
  }));
}

function listAt(value: JsonObject, key: string): JsonObject[] {
  const list = value[key];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Nine letters and digits, the format in which clients send call IDs for calls from other models. */
const portableCallId = /^[A-Za-z0-9]{9}$/;

/** Lists messages with calls from this model; calls from other models lack its signatures and reasoning. */
function listMessagesWithOwnCalls(body: JsonObject): SentMessage[] {
  return listMessages(body).filter(
    ({ calls: [first] }) => first !== undefined && !portableCallId.test(getStringProperty(first, 'id') ?? ''),
  );
}

function checkSignatures(body: JsonObject): void {
  for (const { index, calls } of listMessagesWithOwnCalls(body)) {
    const [first = {}] = calls;
    const signature =
      getObject(getObject(first, 'extra_content'), 'google')['thought_signature'] ?? undefined;
    if (signature === sign(getStringProperty(first, 'id') ?? '')) continue;
    const call = `function call ${JSON.stringify(getObject(first, 'function')['name'])} in messages[${index}]`;
    throw createArgumentError(
      signature === undefined
        ? `The ${call} is missing a thought_signature.`
        : `The thought_signature of the ${call} is not the one that came with it.`,
    );
  }
  for (const { index, message } of listMessages(body)) {
    if (message['role'] === 'tool' && (message['name'] ?? '') === '')
      throw createArgumentError(
        `messages[${index}].name must not be empty: it is the function of this result.`,
      );
  }
}

/** Creates an error whose body is an array. */
function createArgumentError(message: string): ApiError {
  const error = { code: 400, message, status: 'INVALID_ARGUMENT' };
  return new ApiError('invalid_request', message, {}, { status: 400, body: [{ error }] });
}

function checkReasoning(body: JsonObject): void {
  for (const { index, message } of listMessagesWithOwnCalls(body)) {
    const reasoning = message['reasoning_content'];
    if (typeof reasoning === 'string' && reasoning !== '') continue;
    throw new ApiError(
      'invalid_request',
      `reasoning_content is missing in assistant tool call message at index ${index}`,
    );
  }
}

/** Creates the array that must be sent back unchanged. */
function createReasoningDetails(text: string): [text: JsonObject, sealed: JsonObject] {
  const format = 'demo-strict-v1';
  return [
    { type: 'reasoning.text', text, format, index: 0, signature: sign(text) },
    { type: 'reasoning.encrypted', data: sign(`sealed ${text}`), format, index: 1, id: 'rs_1' },
  ];
}

/** Streams the text in pieces, then its signature; without streaming, yields the whole array. */
function* generateReasoningDetails(thought: string, isStream: boolean): Generator<ModelOutput> {
  const [{ text: _, signature = '', ...rest }, sealed] = createReasoningDetails(thought);
  for (const thinking of splitTokens(thought)) {
    const piece = { ...rest, text: thinking };
    yield { thinking, wireFields: isStream ? { reasoning_details: [piece] } : {} };
  }
  const last: Json = isStream
    ? [{ type: 'reasoning.text', index: 0, signature }, sealed]
    : createReasoningDetails(thought);
  yield { thinking: '', wireFields: { reasoning_details: last } };
}

function describeReturnedReasoning(body: JsonObject): string {
  const ownMessages = listMessagesWithOwnCalls(body);
  const completeMessages = ownMessages.filter(({ message }) => {
    const details = listAt(message, 'reasoning_details');
    const { text } = details[0] ?? {};
    return typeof text === 'string' && hasSameMembers(details, createReasoningDetails(text));
  });
  if (ownMessages.length === 0) return 'My reasoning is in `reasoning_details`.';
  if (completeMessages.length === ownMessages.length) return 'I received all of my reasoning.';
  return `Some of my reasoning is missing: ${ownMessages.length - completeMessages.length} of ${ownMessages.length} of my messages with calls came back without their \`reasoning_details\`.`;
}

function hasSameMembers(left: readonly JsonObject[], right: readonly JsonObject[]): boolean {
  const serializeSorted = (list: readonly JsonObject[]) =>
    JSON.stringify(list.map((item) => Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  return serializeSorted(left) === serializeSorted(right);
}

/** Request fields of §2.1 and this gateway's additions. */
const requestFields = new Set(
  `model messages stream stream_options max_tokens temperature top_p frequency_penalty presence_penalty stop
   response_format n tools tool_choice enable_thinking thinking_budget top_k logit_bias repetition_penalty seed
   demo_tokens_per_second demo_quirk`.split(/\s+/),
);
/** Message fields of §2.2. */
const messageFields = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id']);
const callFields = new Set(['id', 'type', 'function', 'index']);
const functionFields = new Set(['name', 'arguments']);

function checkExtraFields(body: JsonObject): void {
  const extras: (string | number)[][] = [];
  const collect = (value: JsonObject, fields: ReadonlySet<string>, ...path: (string | number)[]) => {
    for (const name of Object.keys(value)) if (!fields.has(name)) extras.push(['body', ...path, name]);
  };
  collect(body, requestFields);
  for (const { index, message, calls } of listMessages(body)) {
    const path = ['messages', index, getStringProperty(message, 'role') ?? ''];
    collect(message, messageFields, ...path);
    for (const [position, call] of calls.entries()) {
      const callPath = [...path, 'tool_calls', position];
      collect(call, callFields, ...callPath);
      collect(getObject(call, 'function'), functionFields, ...callPath, 'function');
    }
  }
  if (extras.length > 0) {
    const msg = 'Extra inputs are not permitted';
    const detail = extras.map((loc) => ({ type: 'extra_forbidden', loc, msg }));
    throw new ApiError('invalid_request', msg, {}, { status: 422, body: { detail } });
  }
  for (const { message, calls } of listMessages(body)) {
    const ids = [...calls.map(({ id }) => id), message['tool_call_id']];
    const invalidId = ids.find((id) => typeof id === 'string' && !portableCallId.test(id));
    if (invalidId === undefined) continue;
    const rule = 'must be a-z, A-Z, 0-9, with a length of 9.';
    throw new ApiError('invalid_request', `Tool call id was ${JSON.stringify(invalidId)} but ${rule}`);
  }
}

function checkParameters(body: JsonObject): void {
  const temperature = body['temperature'] ?? 1;
  if ((body['max_tokens'] ?? undefined) !== undefined)
    throw createUnsupportedError(
      'unsupported_parameter',
      'max_tokens',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    );
  if (temperature !== 1)
    throw createUnsupportedError(
      'unsupported_value',
      'temperature',
      `Unsupported value: 'temperature' does not support ${JSON.stringify(temperature)} with this model. Only the default (1) value is supported.`,
    );
}

function createUnsupportedError(code: string, param: string, message: string): ApiError {
  const error = { message, type: 'invalid_request_error', param, code };
  return new ApiError('invalid_request', message, {}, { status: 400, body: { error } });
}
