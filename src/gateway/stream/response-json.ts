import { parseJson } from '../../lib/json.ts';
import { buildErrorReport } from '../errors/error-report.ts';
import { GatewayError, type ErrorReport } from '../errors/errors.ts';
import { detectBodyFormat } from '../http/body-format.ts';
import { findRequestId } from '../http/headers.ts';
import type { HttpResponse } from '../http/http.ts';
import { parseWebPage } from '../http/web-page.ts';

/**
 * Builds the report for a success status whose body is not an answer: it is empty or in another format, which the
 * report names.
 */
export function buildInvalidResponseReport(
  body: string,
  headers: Record<string, string>,
  status?: number,
): ErrorReport {
  const report: ErrorReport = { source: 'gateway', kind: 'not-an-answer', message: '' };
  const requestId = findRequestId(headers);
  if (requestId !== undefined) report.requestId = requestId;
  if (status !== undefined) report.status = status;
  if (body.trim() === '') {
    return { ...report, kind: 'no-answer', message: 'The gateway returned an empty answer.' };
  }
  const title = parseWebPage(body)?.title;
  const message = `The gateway returned ${detectBodyFormat(body, headers['content-type'])} instead of an answer.`;
  report.message = title === undefined ? message : `${message} Its title is "${title}".`;
  return { ...report, raw: body.slice(0, 64 * 1024) };
}

/** Returns the JSON of a successful response. Throws a GatewayError for any other status or body. */
export async function parseResponseJson(response: HttpResponse): Promise<unknown> {
  const { status, headers, text } = response;
  if (!response.ok) {
    throw new GatewayError(buildErrorReport({ ...response, body: text }));
  }
  const parsed = response.isTruncated ? undefined : parseJson(text);
  if (!parsed?.ok) throw new GatewayError(buildInvalidResponseReport(text, headers, status));
  return parsed.value;
}
