import { createPreloadableImport } from '../lib/lazy-import.ts';
import { createChannelClient, type ChannelClient, type OpenSocket } from './channel/channel-client.ts';
import type { EmbeddingsResponse, EmbedOptions } from './embeddings/embed.ts';
import { checkHealth, type HealthReading } from './http/health.ts';
import { createHttp, type Http, type HttpOptions } from './http/http.ts';
import { withDemoGateway, login, readStatus, type PlaygroundStatus } from './http/status.ts';
import { listModels, type ModelList } from './models/models.ts';
import { streamChat, type StreamOptions } from './stream/stream-chat.ts';
import type { TapeEntry } from './stream/tape.ts';
import type { ChatRequest, EmbeddingsRequest } from './wire.ts';

/** All network functions of the app. They reject only with a GatewayError, or with the signal's reason when aborted. */
export interface Gateway {
  /** The shared connection for model requests, on pages that support one. */
  channel: ChannelClient | undefined;
  /** Returns the complete response whatever its status, for conformance checks. */
  fetchResponse: Http['read'];
  /** Never throws: network events are entries on the tape. */
  streamChat: (body: ChatRequest, options: StreamOptions) => AsyncGenerator<TapeEntry[]>;
  listModels: (signal?: AbortSignal) => Promise<ModelList>;
  embed: (body: EmbeddingsRequest, options: EmbedOptions) => Promise<EmbeddingsResponse>;
  checkHealth: (signal?: AbortSignal) => Promise<HealthReading>;
  readStatus: (signal?: AbortSignal) => Promise<PlaygroundStatus>;
  login: (password: string) => Promise<void>;
  /** Routes requests to the demo gateway, or back to the configured one. */
  setDemoMode: (isDemo: boolean) => void;
  isDemoMode: () => boolean;
}

// Only the embeddings lab requests vectors.
const loadEmbeddings = createPreloadableImport(() => import('./embeddings/embed.ts'));

export function createGateway({
  openSocket,
  ...options
}: Omit<HttpOptions, 'channel' | 'isDemo'> & { openSocket?: OpenSocket | undefined }): Gateway {
  const channel = openSocket && createChannelClient({ openSocket, now: options.monotonicNow });
  let isDemo = false;
  const http = createHttp({ ...options, channel, isDemo: () => isDemo });
  return {
    channel,
    fetchResponse: http.read,
    isDemoMode: () => isDemo,
    streamChat: (body, streamOptions) => streamChat(http, body, streamOptions),
    listModels: (signal) => listModels(http, signal),
    embed: async (body, embedOptions) => (await loadEmbeddings()).embed(http, body, embedOptions),
    checkHealth: (signal) => checkHealth(http, signal),
    readStatus: async (signal) => {
      const status = await readStatus(http, signal);
      return isDemo ? withDemoGateway(status) : status;
    },
    login: (password) => login(http, password),
    setDemoMode: (isEnabled) => {
      isDemo = isEnabled;
    },
  };
}
