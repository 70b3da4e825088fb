/**
 * Gateway check in the page: sends the same requests as `npm run conformance` through the proxy and the shared queue.
 * The proxy adds key and request ID, so only the command line can test requests without them.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

import {
  checkTimeoutMs,
  type CheckClient,
  type CheckRow,
} from '../conversation/conformance/conformance-check-client.ts';
import { checkGateway, countCheckRequests } from '../conversation/conformance/conformance-check.ts';
import { buildErrorReport } from '../gateway/errors/error-report.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';
import { parseJson } from '../lib/json.ts';
import type { Playground } from './create-playground.ts';
import { isServerRateLimitEntry, getRateLimitWaitMs } from './runs/run-driver.ts';
import type { RunQueue } from './runs/run-queue.ts';

/** Gateway and models to check. */
export interface CheckSubject {
  /** Display name of the gateway. */
  name: string;
  model?: string | undefined;
  embeddingModel?: string | undefined;
  isKeyConfigured: boolean;
}

export interface CheckState {
  phase: 'new' | 'running' | 'done' | 'stopped';
  subject?: CheckSubject;
  /** Epoch milliseconds. */
  startedAt?: number;
  rows: readonly CheckRow[];
  /** Number of requests answered so far; at most `plannedCount`. */
  answeredCount: number;
  plannedCount: number;
  /** True while the next request waits for the rate limit. */
  isWaiting: boolean;
}

export interface GatewayCheck {
  state: StoreApi<CheckState>;
  /** Starts the check; resolves when it has finished or was stopped. */
  start: (subject: CheckSubject) => Promise<void>;
  /** Stops sending requests and keeps the results. */
  stop: () => void;
}

const initialState: CheckState = {
  phase: 'new',
  rows: [],
  answeredCount: 0,
  plannedCount: 0,
  isWaiting: false,
};

const checksByQueue = new WeakMap<RunQueue, GatewayCheck>();

/** Returns the check of a gateway, by default of the first one, with its last results. */
export function getGatewayCheck(deps: GatewayCheckDeps, gatewayName?: string): GatewayCheck {
  const queue = deps.gateways.getQueue(gatewayName);
  const check = checksByQueue.get(queue) ?? createGatewayCheck(deps, gatewayName);
  checksByQueue.set(queue, check);
  return check;
}

type GatewayCheckDeps = Pick<Playground, 'serverClient' | 'gateways' | 'environment'>;

function createGatewayCheck(
  { serverClient, gateways, environment }: GatewayCheckDeps,
  gatewayName: string | undefined,
): GatewayCheck {
  const gateway = gateways.getClient(gatewayName);
  const queue = gateways.getQueue(gatewayName);
  const state = createStore<CheckState>(() => initialState);
  let controller = new AbortController();

  function createCheckCalls(signal: AbortSignal): CheckClient {
    const isDemo = serverClient.isDemoMode();
    const countResponse = (): void => {
      // The gateway was switched, so later responses do not belong to this check.
      if (serverClient.isDemoMode() !== isDemo) controller.abort();
      if (!signal.aborted) state.setState(({ answeredCount }) => ({ answeredCount: answeredCount + 1 }));
    };

    /** Sends a request through the queue at low priority, and retries it if our own server's rate limit rejects it. */
    async function runQueued<T>(
      send: () => Promise<T>,
      getHead: (response: T) => TapeEntry | undefined,
    ): Promise<T> {
      for (;;) {
        state.setState({ isWaiting: true });
        const releaseSlot = await queue.acquire(environment.newId(), signal, 'cell');
        state.setState({ isWaiting: false });
        try {
          const response = await send();
          const head = getHead(response);
          if (head && isServerRateLimitEntry(head))
            queue.pauseUntil(environment.now() + getRateLimitWaitMs(head));
          else {
            countResponse();
            return response;
          }
        } finally {
          releaseSlot();
        }
      }
    }

    return {
      isDirect: false,
      call: async (path, { body } = {}) => {
        const request = { path, requestId: environment.newId(), signal, timeoutMs: checkTimeoutMs };
        const response =
          body === undefined
            ? await gateway.fetchResponse({ ...request, method: 'GET' })
            : await runQueued(
                () => gateway.fetchResponse({ ...request, method: 'POST', body }),
                ({ status, headers, isProxied }) => ({
                  at: 0,
                  status,
                  headers,
                  ...(isProxied ? { proxied: isProxied } : {}),
                }),
              );
        if (body === undefined) countResponse();
        // The response did not come from the gateway, but from our own server or something in front of it.
        if (!response.isProxied)
          throw new Error(buildErrorReport({ ...response, body: response.text }).message);
        const reading = parseJson(response.text);
        const { status, headers, text } = response;
        return { status, headers, text, value: reading.ok ? reading.value : undefined };
      },
      chat: (body) =>
        runQueued(
          async () => {
            const tape: TapeEntry[] = [];
            const options = { requestId: environment.newId(), signal, idleTimeoutMs: checkTimeoutMs };
            for await (const entries of gateway.streamChat(body, options)) tape.push(...entries);
            return tape;
          },
          (tape) => tape.find((entry) => 'status' in entry),
        ),
    };
  }

  return {
    state,
    start: async (subject) => {
      controller.abort();
      controller = new AbortController();
      const { signal } = controller;
      const { model, embeddingModel, isKeyConfigured } = subject;
      const { reads, posts } = countCheckRequests(embeddingModel !== undefined);
      const startedAt = environment.now();
      state.setState(
        { ...initialState, phase: 'running', subject, startedAt, plannedCount: reads + posts },
        true,
      );
      const keyRejectedText = isKeyConfigured
        ? 'The gateway rejected the key in GATEWAY_API_KEY.'
        : 'No key. Set GATEWAY_API_KEY.';
      try {
        const models = { model, embeddingModel, keyRejectedText };
        for await (const row of checkGateway(createCheckCalls(signal), models)) {
          if (signal.aborted) break;
          state.setState(({ rows }) => ({ rows: [...rows, row] }));
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        // A check started in the meantime owns this state.
        if (controller.signal === signal)
          state.setState({ phase: signal.aborted ? 'stopped' : 'done', isWaiting: false });
      }
    },
    stop: () => controller.abort(),
  };
}
