/** Origin of an error: the app, the proxy, the gateway, the provider behind it, or the network. */
export type ErrorSource = 'app' | 'proxy' | 'gateway' | 'provider' | 'network';

/** Error kinds; each has one message and one next step on screen. */
export type ErrorKind =
  | 'key-rejected'
  | 'login-required'
  | 'forbidden'
  /** The server has no gateway with the name that the setup contains. Nothing was sent. */
  | 'unknown-gateway'
  | 'not-found'
  | 'invalid-request'
  | 'too-large'
  | 'rate-limited'
  | 'overloaded'
  | 'unreachable'
  /** The gateway responded, but the proxy could not read the response. */
  | 'unreadable'
  | 'redirected'
  | 'timeout'
  | 'connection-lost'
  | 'offline'
  | 'proxy-unreachable'
  | 'no-answer'
  | 'not-an-answer'
  | 'event-too-large'
  /** One answer exceeds the size that Bench keeps. */
  | 'answer-too-large'
  | 'failed';

/** An error as plain data, to save, export and show. Never contains a key. */
export interface ErrorReport {
  source: ErrorSource;
  kind: ErrorKind;
  /** Message from the other side, or our own if there is none. */
  message: string;
  /** HTTP status. */
  status?: number;
  type?: string;
  code?: string;
  /** Field errors of the request (FastAPI's `detail`): the path without `body`, and the message. */
  fields?: { path: string; message: string }[];
  requestId?: string;
  retryAfterMs?: number;
  /** Size of the request, if it was too large. */
  requestBytes?: number;
  /** Received text, at most 64 KiB. */
  raw?: string;
}

/** The only error that gateway/ throws. */
export class GatewayError extends Error {
  readonly report: ErrorReport;
  constructor(report: ErrorReport) {
    super(report.message);
    this.name = 'GatewayError';
    this.report = report;
  }
}
