/**
 * The JSON of the API as types, each with its section (§) of documentation/gateway-api.md. They describe what is sent
 * and what the specification promises; received data is `unknown` until parsed by stream-events.ts, models.ts,
 * parse-embeddings.ts or error-report.ts.
 */
import type { Json, JsonObject } from '../lib/json.ts';

/** Attached text file. */
export interface FileInfo {
  name: string;
  /** Size of the original file in bytes. */
  bytes: number;
  /** Name of the encoding if it was not UTF-8. */
  encoding?: string;
}

/**
 * §2.3, with parts for documents and sounds, which are not in the specification and follow the OpenAI API. `file` of a
 * text part that contains an attached file and `name` of a sound are stored, and never sent.
 */
export type ContentPart =
  | { type: 'text'; text: string; file?: FileInfo }
  | { type: 'image_url'; image_url: { url: string; detail?: string } }
  | { type: 'file'; file: { filename: string; file_data: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: string }; name?: string };

/** §2.2; the fields of a call are not in the specification and follow the OpenAI API. */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** Fields that only the provider of a message or call understands, as JSON text by field name. */
export type OpaqueFields = Record<string, string>;

/** Opaque fields of an assistant message that is not part of a run, with the model and gateway that wrote it. */
export interface OpaqueRecord {
  model: string;
  /** Absent if unknown; the fields are then not sent. */
  gatewayId?: string;
  /** Fields of the message itself. */
  fields?: OpaqueFields;
  /** Fields of its calls, in their order. */
  calls?: OpaqueFields[];
  /** True if it came from a file. */
  isImported?: true;
}

/** §2.2; `opaque` is stored with the message and is never sent under this name. */
export type Message =
  | { role: 'system' | 'developer' | 'user'; content: string | ContentPart[]; name?: string }
  | {
      role: 'assistant';
      content: string | ContentPart[] | null;
      name?: string;
      tool_calls?: ToolCall[];
      opaque?: OpaqueRecord;
    }
  | { role: 'tool'; content: string; tool_call_id: string; name?: string };

/** §2.1 tools */
export interface Tool {
  type: 'function';
  function: { name: string; description?: string; parameters?: JsonObject };
}

/** §2.1. Every field except model and messages is a row of conversation/setup/params.ts or an extra provider field. */
export interface ChatRequest {
  model: string;
  messages: Message[];
  [field: string]: Json | Message[];
}

/** Counts as reported (§2.4, §2.5), each present only if reported; `raw` is unchanged. */
export interface Usage {
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  reasoningTokens?: number;
  /** Part of the prompt that came from the provider's cache. */
  cachedTokens?: number;
  costUsd?: number;
}

/** §2.6, with additional provider fields. */
export interface EmbeddingsRequest {
  model: string;
  input: string | number[] | string[] | number[][];
  encoding_format?: 'float' | 'base64';
  dimensions?: number;
  [field: string]: Json;
}

/** §2.4: values named in the specification; providers may send others. */
export type KnownFinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';
