/** Request details that the code generators of all languages share. */
import type { ChatRequest, Message } from '../../gateway/wire.ts';
import type { Json } from '../../lib/json.ts';
import { PARAMS } from '../setup/params.ts';
import { findCodeFiles, withFileVariables, type CodeFile } from './code-files.ts';
import type { CodeValue } from './code-literal.ts';

export interface CodeRequest {
  /** All fields in the order sent, with images and files as variables. */
  fields: readonly (readonly [name: string, value: CodeValue])[];
  files: readonly CodeFile[];
  isStreaming: boolean;
  /** True if the request asks for several candidates. */
  hasMultipleCandidates: boolean;
  hasTools: boolean;
}

/**
 * Prepares a request for the code generators. `getVariable` returns the variable name of a file; `mediaTypes` maps
 * hashes of stored files to media types.
 */
export function buildCodeRequest(
  body: ChatRequest,
  getVariable: (file: CodeFile) => string,
  mediaTypes?: ReadonlyMap<string, string>,
): CodeRequest {
  const files = findCodeFiles(body.messages, mediaTypes);
  const fields = Object.entries(body).map(([name, value]): readonly [string, CodeValue] =>
    isMessages(name, value) ? [name, withFileVariables(value, files, getVariable)] : [name, value],
  );
  const { stream, n, tools } = body;
  return {
    fields,
    files,
    isStreaming: stream === true,
    hasMultipleCandidates: typeof n === 'number' && n > 1,
    hasTools: Array.isArray(tools) && tools.length > 0,
  };
}

function isMessages(name: string, _value: Json | Message[]): _value is Message[] {
  return name === 'messages';
}

/**
 * Fields that OpenAI-compatible SDKs have accepted by name for years. All other fields, and listed fields with a value
 * of another type, are passed as extra fields.
 */
const sdkFields: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'frequency_penalty',
  'logit_bias',
  'max_completion_tokens',
  'max_tokens',
  'n',
  'presence_penalty',
  'reasoning_effort',
  'response_format',
  'seed',
  'stop',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
]);

type Fields = CodeRequest['fields'];

/** Splits the fields into those that an SDK accepts by name and the others. */
export function splitSdkFields(fields: Fields): { sdkFields: Fields; extraFields: Fields } {
  const isSdkField = ([name, value]: Fields[number]) =>
    sdkFields.has(name) && value !== null && (name !== 'stream' || typeof value === 'boolean');
  return { sdkFields: fields.filter(isSdkField), extraFields: fields.filter((field) => !isSdkField(field)) };
}

const portableFields = new Set<string>([
  'model',
  'messages',
  ...PARAMS.filter((row) => row.tier === 'portable').map((row) => row.name),
]);

/** Reduces a request to the most portable fields of §2.1 and returns the names of the omitted ones. */
export function toPortableRequest(body: ChatRequest): { body: ChatRequest; omittedFields: string[] } {
  const { model, messages } = body;
  const portableBody: ChatRequest = { model, messages };
  const omittedFields: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (portableFields.has(name)) portableBody[name] = value;
    else omittedFields.push(name);
  }
  return { body: portableBody, omittedFields };
}
