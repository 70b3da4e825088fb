import { parseJson } from '../../lib/json.ts';
import { errorReportOf } from '../errors/error-report.ts';
import { GatewayError, type ErrorReport } from '../errors/errors.ts';
import { formatOf } from '../http/body-format.ts';
import { requestIdOf } from '../http/headers.ts';
import type { Answer } from '../http/http.ts';
import { pageOf } from '../http/web-page.ts';

/** The report for a status of success whose body is not an answer: empty, or of another format, which is named. */
export function noAnswerReport(body: string, headers: Record<string, string>, status?: number): ErrorReport {
  const report: ErrorReport = { source: 'gateway', kind: 'not-an-answer', message: '' };
  const requestId = requestIdOf(headers);
  if (requestId !== undefined) report.requestId = requestId;
  if (status !== undefined) report.status = status;
  if (body.trim() === '') {
    return { ...report, kind: 'no-answer', message: 'The gateway sent an empty answer.' };
  }
  const title = pageOf(body)?.title;
  const message = `The gateway sent ${formatOf(body, headers['content-type'])} instead of an answer.`;
  report.message = title === undefined ? message : `${message} Its title is "${title}".`;
  return { ...report, raw: body.slice(0, 64 * 1024) };
}

/** The JSON of an answer with a status of success. Throws a GatewayError for any other status or body. */
export async function jsonOf(answer: Answer): Promise<unknown> {
  const { status, headers, text } = answer;
  if (!answer.ok) {
    throw new GatewayError(errorReportOf({ ...answer, body: text }));
  }
  const reading = answer.cut ? undefined : parseJson(text);
  if (!reading?.ok) throw new GatewayError(noAnswerReport(text, headers, status));
  return reading.value;
}
