import { buildErrorReport } from '../errors/error-report.ts';
import { GatewayError, type ErrorReport } from '../errors/errors.ts';
import { buildInvalidResponseReport } from '../stream/response-json.ts';
import { readHealthBody } from './health-body.ts';
import type { HttpResponse, Http } from './http.ts';
import { parseWebPage } from './web-page.ts';

/** Timeout in ms; a gateway may check each of its models before it responds. */
const timeoutMs = 45_000;

/** One reading of the health route. */
export interface HealthReading {
  /** HTTP status; absent without a response. */
  status?: number;
  latencyMs: number;
  body: string;
  /** The gateway reports that it is healthy. */
  ok: boolean;
  /** The response is not about health: no such route, or it requires a key. */
  hasNoRoute: boolean;
  /** The gateway responds and reports a problem itself. */
  isDegraded?: boolean;
  /** The reported problem as a sentence. */
  detail?: string;
  /** Time of arrival in epoch ms. */
  checkedAt?: number;
  error?: ErrorReport;
}

/** Sends GET /healthz (§4; shape not specified) with a timeout of 45 s. Rejects only with the signal's reason. */
export async function checkHealth(http: Http, signal?: AbortSignal): Promise<HealthReading> {
  const sentAt = http.monotonicNow();
  const request = {
    method: 'GET' as const,
    path: '/healthz',
    accept: 'application/json, text/plain, */*',
    timeoutMs,
  };
  try {
    return await readHealthResponse(await http.read(signal ? { ...request, signal } : request));
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return {
      latencyMs: http.monotonicNow() - sentAt,
      body: '',
      ok: false,
      hasNoRoute: false,
      error: error.report,
    };
  }
}

async function readHealthResponse(response: HttpResponse): Promise<HealthReading> {
  const { status, ok, headers, text, latencyMs } = response;
  const common = { status, latencyMs, body: text.slice(0, 4096) };
  if (!ok) {
    const error = buildErrorReport({ ...response, body: text });
    const isFromProxy = error.source === 'proxy';
    const hasNoRoute = !isFromProxy && [401, 403, 404, 405, 501].includes(status);
    const report = isFromProxy || hasNoRoute ? undefined : readHealthBody(text);
    const detail = report?.detail === undefined ? {} : { detail: report.detail };
    const reading = { ...common, ok: !isFromProxy && status === 429, hasNoRoute, error, ...detail };
    return report?.verdict === 'degraded' ? { ...reading, isDegraded: true } : reading;
  }
  // A console that serves its page on every path reveals nothing about health.
  if (parseWebPage(text))
    return {
      ...common,
      ok: false,
      hasNoRoute: true,
      error: buildInvalidResponseReport(text, headers, status),
    };
  const { verdict, detail } = readHealthBody(text);
  const reading = { ...common, ok: verdict !== 'failed', hasNoRoute: false, ...(detail ? { detail } : {}) };
  return verdict === 'degraded' ? { ...reading, isDegraded: true } : reading;
}
