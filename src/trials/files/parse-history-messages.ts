/** Parses messages of imported files as the history of a case. */
import * as v from 'valibot';

import { markImportedMessages } from '../../conversation/files/imported-fields.ts';
import { messageSchema } from '../../conversation/session/session-schemas.ts';
import { countRecordFields, listOpaqueFields } from '../../gateway/opaque-fields.ts';
import type { Message, OpaqueRecord } from '../../gateway/wire.ts';
import { writeExactJson } from '../../lib/exact-json.ts';
import { isRecord, getStringProperty } from '../../lib/json.ts';

const historySchema = v.array(messageSchema);

/** Maps roles of older APIs and other tools to current ones. */
const roles: Readonly<Record<string, Message['role']>> = {
  function: 'tool',
  human: 'user',
  ai: 'assistant',
  model: 'assistant',
};

/** Parses a list of messages; `undefined` if any of them is unreadable. */
export function parseHistoryMessages(value: unknown): Message[] | undefined {
  if (!Array.isArray(value)) return undefined;
  let callCount = 0;
  let lastCallId = '';
  const createCallId = (): string => {
    callCount += 1;
    // Every provider accepts an ID of nine letters and digits.
    return `call${String(callCount).padStart(5, '0')}`;
  };
  const messages = value.map((message: unknown): unknown => {
    if (!isRecord(message)) return message;
    const { role, function_call: functionCall, tool_calls: toolCalls, content, ...rest } = message;
    const normalizedRole =
      typeof role === 'string' ? (Object.hasOwn(roles, role) ? roles[role] : role) : undefined;
    const rawCalls: unknown[] = Array.isArray(toolCalls) ? toolCalls : [];
    const allCalls = isRecord(functionCall) ? [...rawCalls, { function: functionCall }] : rawCalls;
    const parsedCalls = allCalls.map((call) => readToolCall(call, createCallId));
    if (normalizedRole === 'tool' && rest['tool_call_id'] === undefined) rest['tool_call_id'] = lastCallId;
    lastCallId = getStringProperty(parsedCalls.at(-1), 'id') ?? lastCallId;
    const isForeign = normalizedRole === 'assistant' && rest['opaque'] === undefined;
    return {
      ...rest,
      ...(isForeign ? readForeignFields(message, rawCalls) : {}),
      role: normalizedRole,
      content: normalizedRole === 'tool' ? readToolText(content) : readContent(content, normalizedRole),
      ...(parsedCalls.length > 0 ? { tool_calls: parsedCalls } : {}),
    };
  });
  const result = v.safeParse(historySchema, messages);
  return result.success ? markImportedMessages(result.output) : undefined;
}

/**
 * Keeps provider fields for the model named in the message. They are not sent, because files do not name the gateway.
 */
function readForeignFields(
  message: Record<string, unknown>,
  rawCalls: readonly unknown[],
): { opaque?: OpaqueRecord } {
  const { opaque: _, ...plain } = message;
  const fields = listOpaqueFields(plain);
  const calls = rawCalls.map((call) => (isRecord(call) ? listOpaqueFields(call) : {}));
  if (countRecordFields({ fields, calls }) === 0) return {};
  return { opaque: { model: getStringProperty(message, 'model') ?? '', fields, calls } };
}

/** Adds the ID and type, which `function_call` lacks, and converts arguments given as an object to text. */
function readToolCall(call: unknown, createCallId: () => string): unknown {
  if (!isRecord(call) || !isRecord(call['function'])) return call;
  const { arguments: rawArguments } = call['function'];
  const text =
    typeof rawArguments === 'string'
      ? rawArguments
      : rawArguments === undefined
        ? '{}'
        : writeExactJson(rawArguments);
  return {
    ...call,
    id: call['id'] ?? createCallId(),
    type: 'function',
    function: { ...call['function'], arguments: text },
  };
}

function readContent(content: unknown, role: string | undefined): unknown {
  if (content === undefined && role === 'assistant') return null;
  return Array.isArray(content) ? content.map(readPart) : content;
}

/** Converts parts in the format of the Responses API, which uses other names. */
function readPart(part: unknown): unknown {
  const type = getStringProperty(part, 'type');
  if (!isRecord(part)) return typeof part === 'string' ? { type: 'text', text: part } : part;
  if (type === 'input_text' || type === 'output_text') return { ...part, type: 'text' };
  const url = part['image_url'];
  if ((type === 'image_url' || type === 'input_image') && typeof url === 'string')
    return { type: 'image_url', image_url: { url } };
  return part;
}

function readToolText(content: unknown): unknown {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  const texts = Array.isArray(content)
    ? content.map((part) => getStringProperty(readPart(part), 'text'))
    : [];
  return texts.length > 0 && texts.every((text) => text !== undefined)
    ? texts.join('')
    : writeExactJson(content);
}
