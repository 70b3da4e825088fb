import { parseJson } from '../lib/json.ts';
import { GatewayError, type ErrorReport } from './errors.ts';
import { requestIdOf } from './headers.ts';
import { pageOf } from './html-page.ts';
import type { Answer } from './http.ts';

/** The report for a status of success whose body is no answer: empty, a web page, or something else (F27, F28). */
export function noAnswerReport(body: string, headers: Record<string, string>, status?: number): ErrorReport {
  const report: ErrorReport = { source: 'gateway', kind: 'not-an-answer', message: '' };
  const requestId = requestIdOf(headers);
  if (requestId !== undefined) report.requestId = requestId;
  if (status !== undefined) report.status = status;
  if (body.trim() === '') {
    return { ...report, kind: 'no-answer', message: 'The gateway sent an empty answer.' };
  }
  const page = pageOf(body);
  const isText = !/[\p{Cc}\uFFFD]/u.test(body.slice(0, 1024).replace(/\s/g, ''));
  if (page?.title)
    report.message = `The gateway sent a web page instead of an answer. Its title: "${page.title}".`;
  else if (page) report.message = 'The gateway sent a web page instead of an answer.';
  else if (isText)
    report.message = 'The gateway sent something that is not an answer. It is kept under the details.';
  else
    report.message =
      'The gateway sent bytes that are not text. They may be compressed in a way Bench did not ask for.';
  return isText ? { ...report, raw: body.slice(0, 64 * 1024) } : report;
}

/** The JSON of an answer with a status of success. Throws a GatewayError for any other status or body. */
export async function jsonOf(answer: Answer): Promise<unknown> {
  const { status, headers, text } = answer;
  if (!answer.ok) {
    const { errorReportOf } = await import('./error-report.ts');
    throw new GatewayError(errorReportOf({ ...answer, body: text }));
  }
  const reading = answer.cut ? undefined : parseJson(text);
  if (!reading?.ok) throw new GatewayError(noAnswerReport(text, headers, status));
  return reading.value;
}
