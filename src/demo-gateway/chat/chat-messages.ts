import type { ContentPart, Message, ToolCall } from '../../gateway/wire.ts';
import { isRecord, getOwnProperty } from '../../lib/json.ts';
import { createFieldError } from '../request-fields.ts';

const contentShape = 'a string or an array of content parts';

/** Validates the messages of a request (§2.2). Fields that are not in the specification are dropped. */
export function readRequestMessages(value: unknown): Message[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw createFieldError('messages', value, 'an array of at least one message');
  }
  return value.map((message: unknown, index) => readMessage(message, `messages[${index}]`));
}

function readMessage(message: unknown, path: string): Message {
  if (!isRecord(message)) throw createFieldError(path, message, 'an object with role and content');
  const role = getOwnProperty(message, 'role');
  const name = readName(message, path);
  const content = getOwnProperty(message, 'content');
  // Newer clients send the system prompt with this role.
  if (role === 'developer')
    return { role: 'system', content: readContent(content, `${path}.content`), ...name };
  if (role === 'system' || role === 'user')
    return { role, content: readContent(content, `${path}.content`), ...name };
  if (role === 'assistant') {
    const calls = readToolCalls(message, path);
    if (calls === undefined) return { role, content: readContent(content, `${path}.content`), ...name };
    const contentOrNull =
      content === undefined || content === null ? null : readContent(content, `${path}.content`);
    return { role, content: contentOrNull, ...name, tool_calls: calls };
  }
  if (role === 'tool') {
    if (typeof content !== 'string')
      throw createFieldError(`${path}.content`, content, 'a string in a tool message');
    const callId = getOwnProperty(message, 'tool_call_id');
    if (typeof callId !== 'string' || callId === '') {
      throw createFieldError(
        `${path}.tool_call_id`,
        callId,
        'the id of the tool call that this message answers',
      );
    }
    return { role, content, tool_call_id: callId, ...name };
  }
  throw createFieldError(`${path}.role`, role, '"system", "developer", "user", "assistant" or "tool"');
}

function readName(message: unknown, path: string): { name?: string } {
  const name = getOwnProperty(message, 'name');
  if (name === undefined || name === null) return {};
  if (typeof name !== 'string') throw createFieldError(`${path}.name`, name, 'a string');
  return { name };
}

function readContent(content: unknown, path: string): string | ContentPart[] {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw createFieldError(path, content, contentShape);
  return content.map((part: unknown, index) => readPart(part, `${path}[${index}]`));
}

/** Validates a content part (§2.3). */
function readPart(part: unknown, path: string): ContentPart {
  const type = getOwnProperty(part, 'type');
  if (type === 'text') {
    const text = getOwnProperty(part, 'text');
    if (typeof text !== 'string') throw createFieldError(`${path}.text`, text, 'a string');
    return { type, text };
  }
  if (type === 'image_url') {
    const image = getOwnProperty(part, 'image_url');
    const url = getOwnProperty(image, 'url');
    const detail = getOwnProperty(image, 'detail') ?? undefined;
    if (!isRecord(image)) throw createFieldError(`${path}.image_url`, image, 'an object with url');
    if (typeof url !== 'string' || url === '')
      throw createFieldError(`${path}.image_url.url`, url, 'a string with a URL');
    if (detail === undefined) return { type, image_url: { url } };
    if (typeof detail !== 'string') {
      throw createFieldError(`${path}.image_url.detail`, detail, '"low", "high", "auto" or another string');
    }
    return { type, image_url: { url, detail } };
  }
  if (type === 'file') return readFilePart(part, path);
  if (type === 'input_audio') return readAudioPart(part, path);
  const types = '"text", "image_url", "file" or "input_audio"';
  if (!isRecord(part)) throw createFieldError(path, part, `an object with type ${types}`);
  throw createFieldError(`${path}.type`, type, types);
}

const base64Pattern = /^[A-Za-z0-9+/]+={0,2}$/;

/** Validates a document, which is not in the specification, according to the usual API. */
function readFilePart(part: unknown, path: string): ContentPart {
  const file = getOwnProperty(part, 'file');
  const filename = getOwnProperty(file, 'filename');
  const data = getOwnProperty(file, 'file_data');
  if (!isRecord(file)) throw createFieldError(`${path}.file`, file, 'an object with filename and file_data');
  if (typeof filename !== 'string') throw createFieldError(`${path}.file.filename`, filename, 'a string');
  const [prefix = ''] = typeof data === 'string' ? (/^data:[^,]*;base64,/.exec(data) ?? []) : [];
  if (typeof data !== 'string' || prefix === '' || !base64Pattern.test(data.slice(prefix.length)))
    throw createFieldError(
      `${path}.file.file_data`,
      typeof data === 'string' ? data.slice(0, 80) : data,
      'a data URL with base64',
    );
  return { type: 'file', file: { filename, file_data: data } };
}

/** Validates a sound, which is not in the specification, according to the usual API. */
function readAudioPart(part: unknown, path: string): ContentPart {
  const audio = getOwnProperty(part, 'input_audio');
  const data = getOwnProperty(audio, 'data');
  const format = getOwnProperty(audio, 'format');
  if (!isRecord(audio))
    throw createFieldError(`${path}.input_audio`, audio, 'an object with data and format');
  if (typeof data !== 'string' || !base64Pattern.test(data))
    throw createFieldError(
      `${path}.input_audio.data`,
      typeof data === 'string' ? data.slice(0, 80) : data,
      'base64 without a data URL',
    );
  if (typeof format !== 'string' || format === '')
    throw createFieldError(`${path}.input_audio.format`, format, 'a string such as "wav" or "mp3"');
  return { type: 'input_audio', input_audio: { data, format } };
}

function readToolCalls(message: unknown, path: string): ToolCall[] | undefined {
  const calls = getOwnProperty(message, 'tool_calls') ?? undefined;
  if (calls === undefined) return undefined;
  if (!Array.isArray(calls)) throw createFieldError(`${path}.tool_calls`, calls, 'an array of tool calls');
  if (calls.length === 0) return undefined;
  return calls.map((call: unknown, index) => readToolCall(call, `${path}.tool_calls[${index}]`));
}

function readToolCall(call: unknown, path: string): ToolCall {
  const id = getOwnProperty(call, 'id');
  const type = getOwnProperty(call, 'type');
  const definition = getOwnProperty(call, 'function');
  const name = getOwnProperty(definition, 'name');
  const callArguments = getOwnProperty(definition, 'arguments');
  if (typeof id !== 'string' || id === '') throw createFieldError(`${path}.id`, id, 'a string');
  if (type !== 'function') throw createFieldError(`${path}.type`, type, '"function"');
  if (typeof name !== 'string' || name === '')
    throw createFieldError(`${path}.function.name`, name, 'a string');
  if (typeof callArguments !== 'string') {
    throw createFieldError(`${path}.function.arguments`, callArguments, 'a string that holds JSON');
  }
  return { id, type, function: { name, arguments: callArguments } };
}
