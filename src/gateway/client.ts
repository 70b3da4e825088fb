import { createPreloadableImport } from '../lib/lazy-import.ts';
import { createChannelClient, type ChannelClient, type OpenSocket } from './channel/channel-client.ts';
import type { EmbeddingsResponse, EmbedOptions } from './embeddings/embed.ts';
import { checkHealth, type HealthReading } from './http/health.ts';
import { createHttp, withGatewayName, type Http, type HttpOptions } from './http/http.ts';
import { login, readStatus, type PlaygroundStatus } from './http/status.ts';
import { listModels, type ModelList } from './models/models.ts';
import { streamChat, type StreamOptions } from './stream/stream-chat.ts';
import type { TapeEntry } from './stream/tape.ts';
import type { ChatRequest, EmbeddingsRequest } from './wire.ts';

/**
 * Network functions for one gateway of the server. They reject only with a GatewayError, or with the signal's reason
 * when aborted.
 */
export interface Gateway {
  /** Returns the complete response whatever its status, for conformance checks. */
  fetchResponse: Http['read'];
  /** Never throws: network events are entries on the tape. */
  streamChat: (body: ChatRequest, options: StreamOptions) => AsyncGenerator<TapeEntry[]>;
  listModels: (signal?: AbortSignal) => Promise<ModelList>;
  embed: (body: EmbeddingsRequest, options: EmbedOptions) => Promise<EmbeddingsResponse>;
  checkHealth: (signal?: AbortSignal) => Promise<HealthReading>;
}

/** Network functions for the server; those of `Gateway` use its first gateway. */
export interface ServerClient extends Gateway {
  /** The shared connection for model requests, on pages that support one. */
  channel: ChannelClient | undefined;
  /** Returns the functions for the gateway with this name. */
  getNamed: (gatewayName: string) => Gateway;
  readStatus: (signal?: AbortSignal) => Promise<PlaygroundStatus>;
  login: (password: string) => Promise<void>;
  /** Routes all requests to the demo gateway, or back to the configured ones. */
  setDemoMode: (isDemo: boolean) => void;
  isDemoMode: () => boolean;
}

// Only the embeddings lab requests vectors.
const loadEmbeddings = createPreloadableImport(() => import('./embeddings/embed.ts'));

export function createServerClient({
  openSocket,
  ...options
}: Omit<HttpOptions, 'channel' | 'isDemo'> & { openSocket?: OpenSocket | undefined }): ServerClient {
  const channel = openSocket && createChannelClient({ openSocket, now: options.monotonicNow });
  let isDemo = false;
  const http = createHttp({ ...options, channel, isDemo: () => isDemo });
  return {
    ...createGateway(http),
    channel,
    getNamed: (gatewayName) => createGateway(withGatewayName(http, gatewayName)),
    isDemoMode: () => isDemo,
    readStatus: (signal) => readStatus(http, signal),
    login: (password) => login(http, password),
    setDemoMode: (isEnabled) => {
      isDemo = isEnabled;
    },
  };
}

function createGateway(http: Http): Gateway {
  return {
    fetchResponse: http.read,
    streamChat: (body, options) => streamChat(http, body, options),
    listModels: (signal) => listModels(http, signal),
    embed: async (body, options) => (await loadEmbeddings()).embed(http, body, options),
    checkHealth: (signal) => checkHealth(http, signal),
  };
}
