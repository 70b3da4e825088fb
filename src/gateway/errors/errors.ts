/** Who says that it failed: the app, our proxy, the gateway, the provider behind it, or the network. */
export type ErrorSource = 'app' | 'proxy' | 'gateway' | 'provider' | 'network';

/** Few kinds; each has one sentence and one next step on screen. */
export type ErrorKind =
  | 'key-rejected'
  | 'login-required'
  | 'forbidden'
  | 'not-found'
  | 'invalid-request'
  | 'too-large'
  | 'rate-limited'
  | 'overloaded'
  | 'unreachable'
  /** The gateway answered, and our proxy could make nothing of it. */
  | 'unreadable'
  | 'redirected'
  | 'timeout'
  | 'connection-lost'
  | 'offline'
  | 'proxy-unreachable'
  | 'no-answer'
  | 'not-an-answer'
  | 'event-too-large'
  /** One answer is longer than Bench keeps. */
  | 'answer-too-large'
  | 'failed';

/** An error as plain data: it can be saved, exported and shown. Never holds a key. */
export interface ErrorReport {
  source: ErrorSource;
  kind: ErrorKind;
  /** The other side's own words where it sent any, else ours. */
  message: string;
  /** HTTP status. */
  status?: number;
  type?: string;
  code?: string;
  /** Field errors of the request (FastAPI's `detail`): the path without `body`, and its words. */
  fields?: { path: string; message: string }[];
  requestId?: string;
  retryAfterMs?: number;
  /** The request, if it was too large. */
  requestBytes?: number;
  /** What came, as text, at most 64 KiB. */
  raw?: string;
}

/** The only thing gateway/ throws. */
export class GatewayError extends Error {
  readonly report: ErrorReport;
  constructor(report: ErrorReport) {
    super(report.message);
    this.name = 'GatewayError';
    this.report = report;
  }
}
