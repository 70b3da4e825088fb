/**
 * The check of the gateway from the page: what `npm run conformance` asks, through the proxy and the one queue. The proxy
 * adds key and request ID by itself, so what happens without them is for the command line to check.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

import {
  checkTimeoutMs,
  type CheckClient,
  type CheckRow,
} from '../conversation/conformance/conformance-check-client.ts';
import { checkGateway, countCheckRequests } from '../conversation/conformance/conformance-check.ts';
import type { Gateway } from '../gateway/client.ts';
import { buildErrorReport } from '../gateway/errors/error-report.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';
import { parseJson } from '../lib/json.ts';
import type { Playground } from './create-playground.ts';
import { isServerRateLimitEntry, getRateLimitWaitMs } from './runs/run-driver.ts';

/** What is checked. */
export interface CheckSubject {
  /** As people know the gateway. */
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
  /** Requests that were answered, of so many at most. */
  answeredCount: number;
  plannedCount: number;
  /** The next request is not sent before the minute allows it. */
  isWaiting: boolean;
}

export interface GatewayCheck {
  state: StoreApi<CheckState>;
  /** Resolves when it is over, to its end or stopped. */
  start: (subject: CheckSubject) => Promise<void>;
  /** Nothing more is sent. What was found stays. */
  stop: () => void;
}

const initialState: CheckState = {
  phase: 'new',
  rows: [],
  answeredCount: 0,
  plannedCount: 0,
  isWaiting: false,
};

const checksByGateway = new WeakMap<Gateway, GatewayCheck>();

/** The check of this page's gateway, with what it found last. */
export function getGatewayCheck(playground: GatewayCheckDeps): GatewayCheck {
  const existing = checksByGateway.get(playground.gateway);
  if (existing) return existing;
  const check = createGatewayCheck(playground);
  checksByGateway.set(playground.gateway, check);
  return check;
}

type GatewayCheckDeps = Pick<Playground, 'gateway' | 'queue' | 'environment'>;

function createGatewayCheck({ gateway, queue, environment }: GatewayCheckDeps): GatewayCheck {
  const state = createStore<CheckState>(() => initialState);
  let controller = new AbortController();

  function createCheckCalls(signal: AbortSignal): CheckClient {
    const isDemo = gateway.isDemoMode();
    const countResponse = (): void => {
      // Another gateway answers from now on: what it says is nothing about this one.
      if (gateway.isDemoMode() !== isDemo) controller.abort();
      if (!signal.aborted) state.setState(({ answeredCount }) => ({ answeredCount: answeredCount + 1 }));
    };

    /** In its turn, with a distance, and behind people; again where our own server held it back. */
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
        // Something between us and the gateway answered in its place.
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
        // A check that was begun again meanwhile has this state for itself.
        if (controller.signal === signal)
          state.setState({ phase: signal.aborted ? 'stopped' : 'done', isWaiting: false });
      }
    },
    stop: () => controller.abort(),
  };
}
