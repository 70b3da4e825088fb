/** Formats everything that a bug report about one answer needs as Markdown, without the key or the gateway's address. */
import { readRequestBody, type TapeEntry } from '../../gateway/stream/tape.ts';
import { formatDuration } from '../../lib/format.ts';
import { shortenBase64 } from '../../lib/text/shorten-base64.ts';
import { buildCodeSnippet } from '../code/code-snippet.ts';
import { getEnding } from '../reply/ending.ts';
import { getRunGatewayLabel, withoutHosts, type GatewayName } from '../reply/run-gateway.ts';
import type { Run } from '../session/types.ts';
import { listResponseTimes } from './response-times.ts';
import { buildTraceEvents, findErrorEvent, getEntryText } from './trace-events.ts';

/** Maximum characters of the error event in a report. */
const maxErrorChars = 20_000;

/** Returns the report. An answer without a recording has no headers and no command. */
export function formatAnswerReport(
  run: Run,
  tape: readonly TapeEntry[],
  gateways: readonly GatewayName[],
): string {
  const error = 'error' in run.phase ? run.phase.error : undefined;
  const requestEntry = tape.find((entry) => 'request' in entry);
  const responseEntry = tape.find((entry) => 'status' in entry);
  const endEntry = tape.find((entry) => 'end' in entry);
  const hideHosts = (text: string) =>
    gateways.reduce(
      (hidden, { host, name }) => (isAddress(host) ? hidden.replaceAll(host, name) : hidden),
      text,
    );
  const facts: [string, string | undefined][] = [
    ['Time', run.sentAt === undefined ? undefined : formatUtcTime(run.sentAt)],
    ['Gateway', getRunGatewayLabel(run, withoutHosts(gateways))],
    ['Model', run.setup.model],
    ['Model in the response', run.model === run.setup.model ? undefined : run.model],
    ['Request ID sent', run.requestId],
    ['Request ID returned', error?.requestId ?? run.returnedRequestId ?? 'not returned'],
    ['Status', `${responseEntry?.status ?? run.status ?? 'none received'}`],
    ['Ending', getEnding(run)?.title ?? run.phase.name],
    ['Error type', error?.type],
    ['Error code', error?.code],
    ['Error message', error && hideHosts(error.message)],
    ['Timed', run.timedBy === 'server' ? 'on the Bench server' : 'in the browser'],
    ...listResponseTimes(run, responseEntry, endEntry).map(([name, ms]): [string, string] => {
      const { number, unit } = formatDuration(ms);
      return [name, `${number} ${unit}`];
    }),
  ];
  const headers = Object.entries(responseEntry?.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  const errorText = findErrorText(run, tape);
  const curl = requestEntry && buildCodeSnippet('curl', readRequestBody(requestEntry)).code;
  return [
    '## Report of an answer in Bench',
    facts.flatMap(([name, value]) => (value ? [`- ${name}: ${toSingleLine(value)}`] : [])).join('\n'),
    ...formatSection('Response headers', '', hideHosts(headers.join('\n'))),
    ...formatSection('Error as received', '', errorText && hideHosts(errorText)),
    ...formatSection('Request', 'sh', curl),
  ].join('\n\n');
}

/** Returns whether the name of a host could be more than a word of the report. */
function isAddress(host: string): boolean {
  return /[.:]/.test(host);
}

/** Returns a time such as "2026-11-27 17:48:22 UTC". */
function formatUtcTime(epochMs: number): string {
  return new Date(epochMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}

/** Returns the error event of the stream, else the text that the error contains. */
function findErrorText(run: Run, tape: readonly TapeEntry[]): string | undefined {
  const event = findErrorEvent(buildTraceEvents(tape));
  const entry = event && tape[event.entryIndex];
  const text = entry ? getEntryText(entry) : 'error' in run.phase ? run.phase.error?.raw : undefined;
  return text === undefined ? undefined : shortenBase64(text.slice(0, maxErrorChars));
}

function toSingleLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Returns a heading and a code block whose fence is longer than any in the text; nothing without text. */
function formatSection(title: string, language: string, text: string | undefined): string[] {
  if (!text) return [];
  const runLengths = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = '`'.repeat(Math.max(3, ...runLengths.map((length) => length + 1)));
  return [`### ${title}`, `${fence}${language}\n${text.trimEnd()}\n${fence}`];
}
