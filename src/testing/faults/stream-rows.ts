/** The rows of the unit tests (src/gateway/__fixtures__), as a gateway sends them and as the app must end. */
import { errorRows } from '../../gateway/__fixtures__/error-rows.ts';
import { streamRows, type Outcome, type StreamRow } from '../../gateway/__fixtures__/stream-rows.ts';
import type { FaultOutcome, FaultRow } from './fault-row.ts';

/** F12 to F62, F77, F78 for requests that ask for a stream. */
export const streamFaultRows: FaultRow[] = streamRows
  .filter((row) => row.whole === undefined)
  .map(faultRowOf);

/** The same for requests that ask for one whole reply. */
export const wholeFaultRows: FaultRow[] = streamRows.filter((row) => row.whole).map(faultRowOf);

/**
 * F63 to F80 for HTTP answers; errors that only our own proxy makes are left to its own tests, and those that came at a
 * certain time to Node.
 */
export const errorFaultRows: FaultRow[] = errorRows.flatMap(({ name, answer, report }): FaultRow[] => {
  const { status, headers, body, cameAt } = answer;
  const isOurs = report.source === 'proxy' || name.startsWith('the proxy');
  if (status === undefined || answer.proxied || isOurs || cameAt !== undefined) return [];
  const { requestId: _, ...error } = report;
  return [
    {
      name,
      answer: {
        status,
        contentType: null,
        ...(headers ? { headers } : {}),
        framing: 'chunked',
        body: body === '' ? [] : [body],
      },
      outcome: {
        status: 'failed',
        group: 'Error',
        says: [report.message, report.type ?? '', report.code ?? '', report.requestId ?? ''].filter(isPlain),
        text: {},
        error: report.requestId === undefined ? error : report,
      },
    },
  ];
});

function faultRowOf({ name, bytes, status, contentType, outcome, says = [] }: StreamRow): FaultRow {
  return {
    name,
    answer: {
      ...(status === undefined ? {} : { status }),
      ...(contentType === undefined ? {} : { contentType }),
      body: bytes,
    },
    outcome: faultOutcomeOf(outcome, says),
  };
}

/** Rule (a) of faults.md: an error anywhere is an error, an end signal completes, a clean end alone proves nothing. */
function faultOutcomeOf(
  { errors, blocked, done, ends, text = {}, thinking = {}, refusal = {}, tools = [], notes = {} }: Outcome,
  says: readonly string[],
): FaultOutcome {
  const choices = new Set([
    ...Object.keys(text),
    ...Object.keys(thinking),
    ...tools.map(([place]) => place.slice(0, 1)),
  ]);
  const ended = new Set((ends ?? []).map(([choice]) => String(choice)));
  const hasEnded =
    done === true ||
    blocked !== undefined ||
    (ended.size > 0 && [...choices].every((choice) => ended.has(choice)));
  const isComplete = hasEnded && notes['outside-text'] === undefined;
  const status = errors ? 'failed' : isComplete ? 'complete' : 'truncated';
  const reason = ends?.findLast(([choice]) => choice === 0)?.[1];
  return {
    status,
    ...(errors ? { group: 'Error' } : status === 'truncated' ? { group: 'Note' } : {}),
    says: [...[text[0] ?? '', ...(errors ?? []).map(([, , message]) => message)].filter(isPlain), ...says],
    text,
    thinking,
    refusal,
    tools,
    notes,
    ...(reason === undefined ? {} : { finishReason: reason }),
    ...(errors?.[0] ? { error: { source: errors[0][0], kind: errors[0][1] } } : {}),
  };
}

/** What can be looked for on screen as it is: hidden characters are marked there, and long texts are drawn in parts. */
function isPlain(text: string): boolean {
  return (
    text !== '' &&
    text.length < 300 &&
    /^[\p{L}\p{N}\p{P}\p{S}\p{Emoji} ]+$/u.test(text) &&
    !/[\u200D`*_~[\]]/.test(text)
  );
}
