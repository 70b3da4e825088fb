import { parseJson } from '../../lib/json.ts';
import { detectBodyFormat, isBinary } from '../http/body-format.ts';
import { findRequestId } from '../http/headers.ts';
import { parseRetryAfterMs } from '../http/retry-after.ts';
import { parseWebPage } from '../http/web-page.ts';
import { parsePartialJson } from '../stream/partial-json.ts';
import { readErrorDetails, hasUnknownErrorFields, type ErrorDetails } from './error-details.ts';
import { getErrorKind, isProxyError, isRedirect } from './error-kind.ts';
import type { ErrorReport, ErrorSource } from './errors.ts';

const maxMessageChars = 4096;
const maxRawChars = 64 * 1024;

export interface FailedResponse {
  /** HTTP status; absent for an error inside a response that began successfully. */
  status?: number | undefined;
  headers?: Record<string, string>;
  /** The body as text in any shape, or the data of an error event. */
  body: string;
  /** Source to assume if the text does not reveal it. */
  source?: ErrorSource;
  /** The gateway's own response, passed through by the proxy. */
  isProxied?: boolean;
  /** Time of arrival in epoch ms by the page's clock. */
  receivedAt?: number | undefined;
}

function truncateText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
  return text.slice(0, end);
}

/** A response with an HTTP error status may also be an event stream. */
function readErrorValue(body: string): unknown {
  const parsed = parseJson(body);
  if (parsed.ok) return parsed.value;
  // Only the first part of a very long error is available.
  if (body.trimStart().startsWith('{')) return parsePartialJson(body);
  const data = /^(?:data|error): ?(\{.*)$/m.exec(body)?.[1];
  const dataResult = data === undefined ? undefined : parseJson(data);
  return dataResult?.ok ? dataResult.value : undefined;
}

/** Builds the report of an error of any shape (§7). `raw` is the received text, cut at 64 KiB. */
export function buildErrorReport({
  status,
  headers = {},
  body,
  source,
  isProxied = false,
  receivedAt,
}: FailedResponse): ErrorReport {
  const value = readErrorValue(body);
  const page = value === undefined ? parseWebPage(body) : undefined;
  const details = readErrorDetails(value) ?? {};
  const isFromProxy = isProxyError(details.type, status, isProxied);
  const kind = getErrorKind(status, details, isFromProxy);
  const text = value === undefined ? body.trim() : '';
  const message =
    details.message ??
    (hasUnknownErrorFields(value) ? unknownFormatMessage : describeResponse(status, headers, page, text));
  const report: ErrorReport = {
    source: resolveSource(details, isFromProxy, source),
    kind,
    message: truncateText(message, maxMessageChars),
  };
  if (page && Object.hasOwn(headers, 'cf-ray')) report.source = 'network';
  if (status !== undefined) report.status = status;
  if (details.type !== undefined) report.type = truncateText(details.type, 200);
  if (details.code !== undefined) report.code = truncateText(details.code, 200);
  if (details.fields)
    report.fields = details.fields.map((field) => ({
      ...field,
      message: truncateText(field.message, maxMessageChars),
    }));
  const requestId = findRequestId(headers);
  if (requestId !== undefined) report.requestId = requestId;
  const retryAfterMs = parseRetryAfterMs(status, headers, receivedAt);
  if (retryAfterMs !== undefined) report.retryAfterMs = retryAfterMs;
  if (body.trim() !== '') report.raw = truncateText(body, maxRawChars);
  return report;
}

const unknownFormatMessage = 'The gateway returned an error in an unknown format.';

function resolveSource(
  details: ErrorDetails,
  isFromProxy: boolean,
  source: ErrorSource = 'gateway',
): ErrorSource {
  if (isFromProxy) return 'proxy';
  return details.isFromProvider ? 'provider' : source;
}

function describeResponse(
  status: number | undefined,
  headers: Record<string, string>,
  page: { title?: string } | undefined,
  text: string,
): string {
  const subject = status === undefined ? 'an error' : `status ${status}`;
  if (page) {
    const titleText = page.title ? `titled "${page.title}"` : 'without a title';
    const isBlocked = status === 403 && Object.hasOwn(headers, 'cf-ray');
    if (isBlocked)
      return `The request was blocked before reaching the gateway. The response is a web page ${titleText}.`;
    return `The response was ${subject} with a web page ${titleText}.`;
  }
  if (status !== undefined && isRedirect(status)) {
    return `The gateway returned a redirect (${status}), which Bench does not follow.`;
  }
  if (status === 304) {
    return 'The gateway returned status 304 (not modified), but Bench has no earlier response.';
  }
  if (isBinary(text))
    return `The response was ${subject} with ${detectBodyFormat(text, headers['content-type'])}.`;
  return text === '' ? `The gateway returned ${subject} without details.` : text;
}
