/** Converts messages to editor fields and back (§2.2). */
import * as v from 'valibot';

import type { Message, ToolCall } from '../../gateway/wire.ts';
import { parseJson } from '../../lib/json.ts';
import { messageSchema } from '../session/session-schemas.ts';
import { getWrittenText, listFiles, type FilePart } from './message-files.ts';
import { buildContent, type ImagePart } from './message-images.ts';

export type Role = Message['role'];

export interface MessageFields {
  role: Role;
  text: string;
  files: readonly FilePart[];
  images: readonly ImagePart[];
  name: string;
  toolCallId: string;
  /** JSON list of tool calls; empty for none. */
  toolCalls: string;
}

export type MessageParseResult = { ok: true; message: Message } | { ok: false; problem: string };

export function toMessageFields(message: Message): MessageFields {
  const parts = Array.isArray(message.content) ? message.content : [];
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return {
    role: message.role,
    text: getWrittenText(message.content),
    files: listFiles(message.content),
    images: parts.flatMap((part) => (part.type === 'image_url' ? [part] : [])),
    name: message.name ?? '',
    toolCallId: message.role === 'tool' ? message.tool_call_id : '',
    toolCalls: calls.length === 0 ? '' : JSON.stringify(calls, null, 2),
  };
}

/** Returns the message, or a sentence that describes the invalid field. Text precedes files, and files images. */
export function parseMessageFields(fields: MessageFields): MessageParseResult {
  const { role, text, files, images } = fields;
  const name = fields.name.trim() === '' ? {} : { name: fields.name.trim() };
  if (role === 'tool') {
    const toolCallId = fields.toolCallId.trim();
    if (toolCallId === '')
      return createParseFailure('Enter the tool_call_id of the call that this message answers.');
    return { ok: true, message: { role, content: text, tool_call_id: toolCallId, ...name } };
  }
  const attachments = [...files, ...images];
  const content = buildContent(text, attachments);
  if (role === 'assistant') {
    const calls = parseToolCalls(fields.toolCalls);
    if (calls === undefined) return createParseFailure(callsFormatMessage);
    if (calls.length > 0) {
      const messageContent = text === '' && attachments.length === 0 ? null : content;
      return { ok: true, message: { role, content: messageContent, tool_calls: calls, ...name } };
    }
  }
  if (text.trim() === '' && attachments.length === 0) return createParseFailure('Write a message first.');
  return { ok: true, message: { role, content, ...name } };
}

function createParseFailure(problem: string): MessageParseResult {
  return { ok: false, problem };
}

const callsFormatMessage =
  'Tool calls must be a JSON array of {"id", "type": "function", "function": {"name", "arguments"}}, with arguments as a string.';

/** Returns `undefined` if the text is not a list of tool calls. */
function parseToolCalls(text: string): ToolCall[] | undefined {
  if (text.trim() === '') return [];
  const parsed = parseJson(text);
  const calls = parsed.ok
    ? v.safeParse(messageSchema, { role: 'assistant', content: null, tool_calls: parsed.value })
    : undefined;
  return calls?.success && calls.output.role === 'assistant' ? calls.output.tool_calls : undefined;
}
