import { createStore, type StoreApi } from 'zustand/vanilla';

import type { Run } from '../conversation/session/types.ts';
import type { ErrorReport } from '../gateway/errors/errors.ts';
import { readReportedLimit, mergeReportedLimit, type ReportedLimit } from '../gateway/http/reported-limit.ts';

export interface SignalsState {
  /** Epoch milliseconds of the last answer that shows the key is accepted, and of the last 401. */
  keyAcceptedAt?: number;
  keyRejectedAt?: number | undefined;
  /** Epoch milliseconds of the last run whose connection to our own server failed or broke. */
  connectionLostAt?: number;
  /** Why the last list of models did not arrive. It stays while another is asked for. */
  modelsError?: ErrorReport | undefined;
  /** What the gateway last said of its own limit. */
  limit?: ReportedLimit;
}

/** What ordinary requests reveal about the key: the health route may need none. */
export interface GatewaySignals {
  state: StoreApi<SignalsState>;
  onStatus: (status: number) => void;
  /** The list of models arrived, or this came in its place. */
  onModels: (error?: ErrorReport) => void;
  /** An answer of the gateway, which may tell its limit. */
  onResponse: (headers: Headers, status: number) => void;
  /** Another gateway answers from now on. */
  reset: () => void;
  onRunEnd: (run: Run) => void;
}

export function createGatewaySignals(now: () => number): GatewaySignals {
  const state = createStore<SignalsState>(() => ({}));
  const onStatus = (status: number) => {
    if (status === 401) state.setState({ keyRejectedAt: now() });
    else if (status >= 200 && status < 300) state.setState({ keyAcceptedAt: now() });
  };
  const wasRejected = () => state.getState().modelsError?.kind === 'key-rejected';
  return {
    state,
    onStatus,
    onModels: (error) => {
      if (error?.kind === 'key-rejected') onStatus(401);
      else if (!error) onStatus(200);
      // The same request no longer returns 401, so the rejection is outdated.
      else if (wasRejected() && error.status !== undefined && error.source !== 'proxy')
        state.setState({ keyRejectedAt: undefined });
      state.setState({ modelsError: error });
    },
    onResponse: (headers, status) => {
      const limit = readReportedLimit(headers, status, now());
      if (limit) state.setState((current) => ({ limit: mergeReportedLimit(current.limit, limit) }));
    },
    reset: () => state.setState({}, true),
    onRunEnd: (run) => {
      const error = 'error' in run.phase ? run.phase.error : undefined;
      if (error?.kind === 'proxy-unreachable' || error?.kind === 'connection-lost') {
        state.setState({ connectionLostAt: now() });
      }
      // What our own proxy refuses (its password is asked for again) says nothing about the gateway's key.
      const isProxyRejection = run.phase.name === 'failed' && error?.source === 'proxy';
      if (run.status !== undefined && !isProxyRejection) onStatus(run.status);
    },
  };
}
