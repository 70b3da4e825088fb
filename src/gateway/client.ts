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

/** All that the app asks of the network. The one error these reject with is GatewayError; an abort rejects with the signal's reason. */
export interface Gateway {
  /** The one connection for all requests to models, on pages that can have one. */
  channel: ChannelClient | undefined;
  /** One whole answer as it is, whatever its status: for what judges answers. */
  fetchResponse: Http['read'];
  /** Never throws: what happens on the wire is on the tape. */
  streamChat: (body: ChatRequest, options: StreamOptions) => AsyncGenerator<TapeEntry[]>;
  listModels: (signal?: AbortSignal) => Promise<ModelList>;
  embed: (body: EmbeddingsRequest, options: EmbedOptions) => Promise<EmbeddingsResponse>;
  checkHealth: (signal?: AbortSignal) => Promise<HealthReading>;
  readStatus: (signal?: AbortSignal) => Promise<PlaygroundStatus>;
  login: (password: string) => Promise<void>;
  /** From now on requests go to the demo gateway, or to the configured one again. */
  setDemoMode: (isDemo: boolean) => void;
  isDemoMode: () => boolean;
}

// Only the lab asks for vectors.
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
