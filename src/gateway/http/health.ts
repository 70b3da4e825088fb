import { ownProperty, parseJson, stringProperty } from '../../lib/json.ts';
import { errorReportOf } from '../errors/error-report.ts';
import { GatewayError, type ErrorReport } from '../errors/errors.ts';
import { noAnswerReport } from '../stream/answer.ts';
import { pageOf } from './html-page.ts';
import type { Answer, Http } from './http.ts';

const timeoutMs = 10_000;

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
  error?: ErrorReport;
}

const badWords = /^(?:down|error|fail|failed|failing|unhealthy|not.?ok|unavailable|critical)$/i;
const halfWords = /^(?:degraded|partial|partially.*|warn|warning|limited|maintenance)$/i;

/** GET /healthz (§4; its shape is not specified, F84). Answers within 10 s. Rejects only with the signal's reason. */
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
    const reading = { ...base, ok: !isOwn && status === 429, noRoute, error };
    return saysHalf(text) ? { ...reading, degraded: true } : reading;
  }
  // A console that answers every path with its page says nothing about health.
  if (pageOf(text))
    return { ...base, ok: false, noRoute: true, error: noAnswerReport(text, headers, status) };
  if (badWords.test(statusWordOf(text))) return { ...base, ok: false, noRoute: false };
  return saysHalf(text)
    ? { ...base, ok: true, noRoute: false, degraded: true }
    : { ...base, ok: true, noRoute: false };
}

function statusWordOf(text: string): string {
  const reading = parseJson(text);
  if (!reading.ok) return text.trim();
  const { value } = reading;
  if (typeof value === 'string') return value;
  if (['ok', 'healthy', 'alive', 'status'].some((key) => ownProperty(value, key) === false)) return 'not ok';
  return (
    stringProperty(value, 'status') ?? stringProperty(value, 'health') ?? stringProperty(value, 'state') ?? ''
  );
}

function saysHalf(text: string): boolean {
  return halfWords.test(statusWordOf(text));
}
