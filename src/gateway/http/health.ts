import { errorReportOf } from '../errors/error-report.ts';
import { GatewayError, type ErrorReport } from '../errors/errors.ts';
import { noAnswerReport } from '../stream/response-json.ts';
import { readHealthBody } from './health-body.ts';
import type { Answer, Http } from './http.ts';
import { pageOf } from './web-page.ts';

/** A gateway may ask each of its models before it answers. */
const timeoutMs = 45_000;

/** One look at the health route. */
export interface HealthReading {
  /** HTTP status; absent when there was no answer. */
  status?: number;
  latencyMs: number;
  body: string;
  /** The gateway says that it works. */
  ok: boolean;
  /** It answers, but not about its health: no such route, or a key is asked for it. */
  noRoute: boolean;
  /** It answers and says itself that something is wrong. */
  degraded?: boolean;
  /** Problem that its body reports, as a sentence. */
  detail?: string;
  /** Epoch milliseconds at which it arrived. */
  at?: number;
  error?: ErrorReport;
}

/** GET /healthz (§4; its shape is not specified). Answers within 45 s. Rejects only with the signal's reason. */
export async function checkHealth(http: Http, signal?: AbortSignal): Promise<HealthReading> {
  const sentAt = http.now();
  const request = {
    method: 'GET' as const,
    path: '/healthz',
    accept: 'application/json, text/plain, */*',
    timeoutMs,
  };
  try {
    return await readingOf(await http.read(signal ? { ...request, signal } : request));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { latencyMs: http.now() - sentAt, body: '', ok: false, noRoute: false, error: error.report };
  }
}

async function readingOf(answer: Answer): Promise<HealthReading> {
  const { status, ok, headers, text, latencyMs } = answer;
  const base = { status, latencyMs, body: text.slice(0, 4096) };
  if (!ok) {
    const error = errorReportOf({ ...answer, body: text });
    const isOwn = error.source === 'proxy';
    const noRoute = !isOwn && [401, 403, 404, 405, 501].includes(status);
    const report = isOwn || noRoute ? undefined : readHealthBody(text);
    const detail = report?.detail === undefined ? {} : { detail: report.detail };
    const reading = { ...base, ok: !isOwn && status === 429, noRoute, error, ...detail };
    return report?.verdict === 'degraded' ? { ...reading, degraded: true } : reading;
  }
  // A console that answers every path with its page says nothing about health.
  if (pageOf(text))
    return { ...base, ok: false, noRoute: true, error: noAnswerReport(text, headers, status) };
  const { verdict, detail } = readHealthBody(text);
  const reading = { ...base, ok: verdict !== 'failed', noRoute: false, ...(detail ? { detail } : {}) };
  return verdict === 'degraded' ? { ...reading, degraded: true } : reading;
}
