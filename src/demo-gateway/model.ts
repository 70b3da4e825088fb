import type { Message } from '../gateway/wire.ts';
import type { JsonObject } from '../lib/json.ts';
import type { ApiError } from './api-error.ts';

/**
 * What a demo model says next. Text and thinking come token by token: each piece counts as one token.
 * A tool call is streamed by the gateway in fragments.
 */
export type ModelOutput =
  | { text: string }
  | {
      thinking: string;
      /** Fields of the message that carry it in place of `reasoning_content`; {} hides it. */
      wireFields?: JsonObject;
    }
  | {
      toolCall: {
        name: string;
        arguments: string;
        /** The gateway makes one where none is given. */
        id?: string;
        /** Further fields of the call. */
        fields?: JsonObject;
      };
    };

/** The validated §2.1 request as a model sees it; fields holds every further field as received. */
export interface DemoRequest {
  messages: Message[];
  fields: JsonObject;
  /** Which of the n candidates this is, from 0. */
  candidate: number;
  /** Uniform numbers in [0, 1): seeded by `seed` and the candidate where a seed was sent. */
  random: () => number;
  /** response_format asks for a JSON object: the text must be one. */
  isJsonMode: boolean;
}

/** What comes before the first token: how long it takes, in milliseconds, or an error instead of an answer. */
export type ResponseStart = { firstTokenMs: number } | { error: ApiError };

/** A small honest program behind a model id. stop, max_tokens, n, timing and usage are the gateway's work, not its own. */
export interface DemoModel {
  id: string;
  /** One sentence of what it really does, for the model list. */
  description: string;
  abilities: { vision: boolean; tools: boolean; thinking: boolean };
  reply: (request: DemoRequest) => Iterable<ModelOutput>;
  /** Asked before `reply`, with the same random numbers from their start; without it the gateway's own pace counts. */
  getResponseStart?: (request: DemoRequest) => ResponseStart;
  /** Returns the model that answers this body, which has passed the gateway's own checks. Throws an ApiError to refuse it. */
  createForRequest?: (body: JsonObject) => DemoModel;
  /** Changes the JSON of its answers where it is written, as `JSON.stringify` calls it. */
  jsonReplacer?: (key: string, value: unknown) => unknown;
}
