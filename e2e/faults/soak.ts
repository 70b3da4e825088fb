/**
 * Rows of the catalogue in any order and many at a time, through the app's own client and fold: what L10 of faults.md
 * asks of everything but the page. `npm run benchmark -- load` bundles this and runs it.
 */
import { applyEvents, newRun, sendRun } from '../../src/conversation/reply/run.ts';
import { createGateway } from '../../src/gateway/client.ts';
import { createAnsweredMark } from '../../src/gateway/stream/answered-mark.ts';
import { createTapeReader } from '../../src/gateway/stream/stream-events.ts';
import { isRecord, parseJson } from '../../src/lib/json.ts';
import { canaryKey } from '../../src/testing/canary-key.ts';
import { allFaultRows } from '../../src/testing/faults/all-rows.ts';
import { startFaultGateway } from '../../src/testing/faults/fault-gateway.ts';
import { wholeFaultRows } from '../../src/testing/faults/stream-rows.ts';
import { unlike } from '../../src/testing/faults/unlike.ts';

const whole = new Set(wholeFaultRows);

/** Rows of silence must end; no other row may run into it where 50 of them share two cores. */
const patienceMs = '15000';
export const settings = {
  GATEWAY_API_KEY: canaryKey,
  GATEWAY_HEADERS_TIMEOUT_MS: patienceMs,
  GATEWAY_IDLE_TIMEOUT_MS: patienceMs,
};
export const rowCount = allFaultRows.length;

/** A gateway that answers each request with the row whose number its message is. */
export async function startRows() {
  const gateway = await startFaultGateway();
  const open = new Set<object>();
  gateway.answerWith((body) => allFaultRows[numberIn(body)]?.answer ?? { body: [] });
  return {
    url: gateway.url,
    close: gateway.close,
    posts: () => gateway.posts.length,
    /** Connections whose row never ends by itself, and that nobody has closed yet. */
    async stillHeld(): Promise<number> {
      for (const post of gateway.posts) {
        if (allFaultRows[numberIn(post.body)]?.answer.end !== 'hold') continue;
        open.add(post);
        void post.closed.then(() => open.delete(post));
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return open.size;
    },
  };
}

/** Sends one message that is answered with this row; what is not as it should be then. */
export async function walkRow(serverUrl: string, number: number): Promise<string[]> {
  const row = allFaultRows[number];
  if (row === undefined) return [`There is no row ${number}`];
  const client = createGateway({
    now: () => performance.now(),
    base: `${serverUrl}/gateway`,
    // A browser sends its own.
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('origin', serverUrl);
      headers.set('sec-fetch-site', 'same-origin');
      return fetch(input, { ...init, headers });
    },
  });
  const read = createTapeReader();
  let run = sendRun(newRun('r', 's', { model: 'north/one', system: '', params: {} }), {
    sentAt: 0,
    requestId: 'soak',
    estimatedPromptTokens: 0,
  });
  let hasSecret = false;
  const body = {
    model: 'north/one',
    messages: [{ role: 'user' as const, content: String(number) }],
    stream: !whole.has(row),
  };
  const { see, isAnswered } = createAnsweredMark(1);
  for await (const entries of client.streamChat(body, { requestId: 'soak', isAnswered })) {
    hasSecret ||= JSON.stringify(entries).includes(canaryKey);
    for (const entry of entries) {
      const events = read(entry);
      events.forEach(see);
      run = applyEvents(
        run,
        events.map((event) => ({ atMs: entry.at, event })),
      );
    }
  }
  const { error } = run.phase.name === 'failed' || run.phase.name === 'truncated' ? run.phase : {};
  const stored = {
    phase: { name: run.phase.name, ...(error === undefined ? {} : { error: { ...error } }) },
    choices: run.choices.map((choice) => ({ ...choice, parts: choice.parts.map((part) => ({ ...part })) })),
    notes: run.notes,
  };
  const wrong = unlike(stored, row.outcome);
  if (hasSecret) wrong.push('the key reached the client (I8)');
  return wrong.map((what) => `${row.name}: ${what}`);
}

function numberIn(body: string): number {
  const reading = parseJson(body);
  const messages = reading.ok && isRecord(reading.value) ? reading.value['messages'] : undefined;
  const message: unknown = Array.isArray(messages) ? messages[0] : undefined;
  return isRecord(message) ? Number(message['content']) : Number.NaN;
}
