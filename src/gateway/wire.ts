/**
 * The JSON of the API as types, each with its section (§) in documentation/gateway-api.md. These describe what we send and what the
 * specification promises; what arrives is `unknown` until stream-events.ts, models.ts, embeddings.ts
 * or errors.ts has read it.
 */
import type { Json, JsonObject } from '../lib/json.ts';

/** §2.3 */
export type ContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: string } };

/** §2.2; the fields of a call are not in the specification, so they follow the field's convention. */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** Fields that only the provider of a message or call understands: JSON text as it arrived, by name of the field. */
export type OpaqueFields = Record<string, string>;

/** The opaque fields of an assistant message outside of a run, with the model and gateway that wrote it. */
export interface OpaqueRecord {
  model: string;
  /** Absent where it is not known: the fields are then not sent. */
  gatewayId?: string;
  /** Fields of the message itself. */
  fields?: OpaqueFields;
  /** Fields of its calls, in their order. */
  calls?: OpaqueFields[];
  /** True if it came with a file. */
  isImported?: true;
}

/** §2.2; `opaque` is kept with the message and never sent under this name. */
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

/** §2.1. Every field but model and messages is a row of conversation/setup/params.ts, or the person's own extra. */
export interface ChatRequest {
  model: string;
  messages: Message[];
  [field: string]: Json | Message[];
}

/** §2.4, §2.5: counts as reported, each only if it was reported; raw as received. */
export interface Usage {
  promptTokens?: number;
  completionTokens?: number;
  totalTokens?: number;
  reasoningTokens?: number;
  /** Part of the prompt that the provider had in its cache. */
  cachedTokens?: number;
  costUsd?: number;
}

/** §2.6, and further fields of a provider. */
export interface EmbeddingsRequest {
  model: string;
  input: string | number[] | string[] | number[][];
  encoding_format?: 'float' | 'base64';
  dimensions?: number;
  [field: string]: Json;
}

/** §2.4: the values the specification names; a provider may send others. */
export type KnownFinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';
