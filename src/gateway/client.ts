import type { EmbeddingsAnswer, EmbedOptions } from './embeddings/embeddings.ts';
import { checkHealth, type HealthReading } from './http/health.ts';
import { createHttp, type HttpOptions } from './http/http.ts';
import { login, readStatus, type PlaygroundStatus } from './http/status.ts';
import { listModels, type ModelList } from './models/models.ts';
import type { StreamOptions } from './stream/chat.ts';
import type { TapeEntry } from './stream/tape.ts';
import type { ChatRequest, EmbeddingsRequest } from './wire.ts';

/** All that the app asks of the network. The one error these reject with is GatewayError; an abort rejects with the signal's reason. */
export interface Gateway {
  /** Never throws: what happens on the wire is on the tape. */
  streamChat: (body: ChatRequest, options: StreamOptions) => AsyncGenerator<TapeEntry[]>;
  listModels: (signal?: AbortSignal) => Promise<ModelList>;
  embed: (body: EmbeddingsRequest, options: EmbedOptions) => Promise<EmbeddingsAnswer>;
  checkHealth: (signal?: AbortSignal) => Promise<HealthReading>;
  readStatus: (signal?: AbortSignal) => Promise<PlaygroundStatus>;
  login: (password: string) => Promise<void>;
}

export function createGateway(options: HttpOptions): Gateway {
  const http = createHttp(options);
  return {
    // Not needed before something is sent: the decoder is a part of its own, and fetched ahead by the app.
    streamChat: async function* (body, streamOptions) {
      const { streamChat } = await import('./stream/chat.ts');
      yield* streamChat(http, body, streamOptions);
    },
    listModels: (signal) => listModels(http, signal),
    embed: async (body, embedOptions) => {
      const { embed } = await import('./embeddings/embeddings.ts');
      return embed(http, body, embedOptions);
    },
    checkHealth: (signal) => checkHealth(http, signal),
    readStatus: (signal) => readStatus(http, signal),
    login: (password) => login(http, password),
  };
}
