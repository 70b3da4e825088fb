import { createStore, type StoreApi } from 'zustand/vanilla';

import type { Run } from '../conversation/session/types.ts';
import type { ErrorReport } from '../gateway/errors/errors.ts';
import { readReportedLimit, mergeReportedLimit, type ReportedLimit } from '../gateway/http/reported-limit.ts';

export interface SignalsState {
  /** Epoch milliseconds of the last response that shows that the key is accepted, and of the last 401. */
  keyAcceptedAt?: number;
  keyRejectedAt?: number | undefined;
  /** Epoch milliseconds of the last run whose connection to our own server failed. */
  connectionLostAt?: number;
  /** Error from the last model list request; kept while another list is loading. */
  modelsError?: ErrorReport | undefined;
  /** Limit that the gateway last reported. */
  limit?: ReportedLimit;
}

/** Evidence about the key from ordinary requests, since the health route may not require a key. */
export interface GatewaySignals {
  state: StoreApi<SignalsState>;
  onStatus: (status: number) => void;
  /** Called when the model list has loaded or failed. */
  onModels: (error?: ErrorReport) => void;
  /** Called with every gateway response, whose headers may report a limit. */
  onResponse: (headers: Headers, status: number) => void;
  /** Called when the gateway is switched. */
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
      // Rejections by our own proxy (expired login) say nothing about the gateway key.
      const isProxyRejection = run.phase.name === 'failed' && error?.source === 'proxy';
      if (run.status !== undefined && !isProxyRejection) onStatus(run.status);
    },
  };
}
