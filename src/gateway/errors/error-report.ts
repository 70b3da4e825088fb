import { parseJson } from '../../lib/json.ts';
import { formatOf, isBinary } from '../http/body-format.ts';
import { requestIdOf } from '../http/headers.ts';
import { retryAfterMsOf } from '../http/retry-after.ts';
import { pageOf } from '../http/web-page.ts';
import { valueOfCutJson } from '../stream/partial-json.ts';
import { errorWordsOf, holdsMore, type ErrorWords } from './error-details.ts';
import { errorKindOf, isProxyError, isRedirect } from './error-kind.ts';
import type { ErrorReport, ErrorSource } from './errors.ts';

const longestMessage = 4096;
const longestRaw = 64 * 1024;

export interface FailedAnswer {
  /** HTTP status; absent for an error inside an answer that began well. */
  status?: number | undefined;
  headers?: Record<string, string>;
  /** The body as text, of any shape, or the data of an error event. */
  body: string;
  /** Who speaks where the words do not tell. */
  source?: ErrorSource;
  /** It is the gateway's own answer, passed through the proxy. */
  proxied?: boolean;
  /** When it came, in epoch milliseconds by our own clock. */
  cameAt?: number | undefined;
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1)) ? longest - 1 : longest;
  return text.slice(0, end);
}

/** Event streams may carry the error of an HTTP error status, too. */
function valueOf(body: string): unknown {
  const whole = parseJson(body);
  if (whole.ok) return whole.value;
  // Only the first part of a very long error was read.
  if (body.trimStart().startsWith('{')) return valueOfCutJson(body);
  const data = /^(?:data|error): ?(\{.*)$/m.exec(body)?.[1];
  const reading = data === undefined ? undefined : parseJson(data);
  return reading?.ok ? reading.value : undefined;
}

/** An error of any shape that real gateways send, as plain data (§7). `raw` is what came, cut at 64 KiB. */
export function errorReportOf({
  status,
  headers = {},
  body,
  source,
  proxied = false,
  cameAt,
}: FailedAnswer): ErrorReport {
  const value = valueOf(body);
  const page = value === undefined ? pageOf(body) : undefined;
  const words = errorWordsOf(value) ?? {};
  const isProxy = isProxyError(words.type, status, proxied);
  const kind = errorKindOf(status, words, isProxy);
  const text = value === undefined ? body.trim() : '';
  const message = words.message ?? (holdsMore(value) ? unknownForm : ownMessage(status, headers, page, text));
  const report: ErrorReport = {
    source: sourceOf(words, isProxy, source),
    kind,
    message: cut(message, longestMessage),
  };
  if (page && Object.hasOwn(headers, 'cf-ray')) report.source = 'network';
  if (status !== undefined) report.status = status;
  if (words.type !== undefined) report.type = cut(words.type, 200);
  if (words.code !== undefined) report.code = cut(words.code, 200);
  if (words.fields)
    report.fields = words.fields.map((field) => ({ ...field, message: cut(field.message, longestMessage) }));
  const requestId = requestIdOf(headers);
  if (requestId !== undefined) report.requestId = requestId;
  const retryAfterMs = retryAfterMsOf(status, headers, cameAt);
  if (retryAfterMs !== undefined) report.retryAfterMs = retryAfterMs;
  if (body.trim() !== '') report.raw = cut(body, longestRaw);
  return report;
}

const unknownForm = 'The gateway sent an error in an unknown format.';

function sourceOf(words: ErrorWords, isProxy: boolean, source: ErrorSource = 'gateway'): ErrorSource {
  if (isProxy) return 'proxy';
  return words.isProvider ? 'provider' : source;
}

function ownMessage(
  status: number | undefined,
  headers: Record<string, string>,
  page: { title?: string } | undefined,
  text: string,
): string {
  const what = status === undefined ? 'an error' : `status ${status}`;
  if (page) {
    const titled = page.title ? `titled "${page.title}"` : 'without a title';
    const isBlocked = status === 403 && Object.hasOwn(headers, 'cf-ray');
    if (isBlocked)
      return `The request was blocked before it reached the gateway. The answer is a page ${titled}.`;
    return `The answer was ${what} with a web page ${titled}.`;
  }
  if (status !== undefined && isRedirect(status)) {
    return `The gateway answered with a redirect (${status}), which Bench does not follow.`;
  }
  if (status === 304) {
    return 'The gateway answered with status 304 (not modified), but Bench has no earlier answer.';
  }
  if (isBinary(text)) return `The answer was ${what} with ${formatOf(text, headers['content-type'])}.`;
  return text === '' ? `The gateway answered with ${what} and sent no details.` : text;
}
