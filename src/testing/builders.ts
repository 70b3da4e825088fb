/** Building blocks of tests: predictable clock and IDs, sessions, streams. */

import type { TimedEvent } from '../conversation/reply/run.ts';
import {
  addPrompt,
  addTurn,
  getNextTurnParent,
  createEmptySession,
  type Environment,
} from '../conversation/session/edit-session.ts';
import type { Run, SessionData, Setup, TurnId } from '../conversation/session/types.ts';
import { defaultParams, type Params } from '../conversation/setup/params.ts';
import type { GatewayStatus } from '../gateway/http/status.ts';
import type { StreamEvent } from '../gateway/stream/stream-events.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';

/** Creates a clock that advances by 1 ms per read and can be set, and sequential IDs. */
export function createTestEnvironment(
  startMs = 1_700_000_000_000,
): Environment & { setClock: (ms: number) => void } {
  let nowMs = startMs;
  let idCount = 0;
  return {
    now: () => (nowMs += 1),
    newId: () => `id${String((idCount += 1)).padStart(4, '0')}`,
    setClock: (ms) => {
      nowMs = ms;
    },
  };
}

export function createTestSetup(changes: Partial<Setup> = {}): Setup {
  return { model: 'demo/guide', system: '', params: defaultParams, ...changes };
}

/** Returns the status of a gateway without a limit. */
export function createTestGatewayStatus(changes: Partial<GatewayStatus> = {}): GatewayStatus {
  return {
    name: 'default',
    label: 'g.example',
    id: '1f',
    host: 'g.example',
    address: 'https://g.example/v1',
    demo: false,
    keyConfigured: true,
    requestsPerMinute: 0,
    ...changes,
  };
}

/** Returns parameters with every given field ticked and set to its text. */
export function createTickedParams(texts: Partial<Record<keyof Params, string>>): Params {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { sent: true, text }]));
}

export function createTestSession(
  environment: Environment,
  setups: readonly Setup[] = [createTestSetup()],
): SessionData {
  return createEmptySession(environment, setups);
}

/** Returns the first lane of the session. */
export function getFirstLane(data: SessionData): SessionData['lanes'][string] {
  const lane = data.lanes[data.session.laneIds[0] ?? ''];
  if (!lane) throw new Error('The session has no lane');
  return lane;
}

/** Adds a prompt at the end of the first lane, with this answer as if it had been streamed. */
export function addTestTurn(
  data: SessionData,
  environment: Environment,
  text: string,
  runChanges?: Partial<Run>,
): { data: SessionData; turnId: TurnId; runId: string } {
  const withPrompt = addPrompt(data, environment, { messages: [{ role: 'user', content: text }] });
  return addTestReply(withPrompt.data, environment, withPrompt.promptId, runChanges);
}

/** Creates a session with one turn, which has this prompt and answer. */
export function createTestTurn(
  environment: Environment,
  text: string,
  runChanges?: Partial<Run>,
): ReturnType<typeof addTestTurn> {
  return addTestTurn(createTestSession(environment), environment, text, runChanges);
}

/** Adds a reply to an existing prompt. */
export function addTestReply(
  data: SessionData,
  environment: Environment,
  promptId: string,
  runChanges?: Partial<Run>,
): { data: SessionData; turnId: TurnId; runId: string } {
  const laneId = getFirstLane(data).id;
  const parent = getNextTurnParent(data, laneId);
  const withTurn = addTurn(data, environment, laneId, { promptId, run: true, ...(parent ? { parent } : {}) });
  const run = withTurn.data.runs[withTurn.runId ?? ''];
  if (!run) throw new Error('The turn has no run');
  const endedRun: Run = { ...run, phase: { name: 'complete' }, ...runChanges };
  return {
    data: { ...withTurn.data, runs: { ...withTurn.data.runs, [run.id]: endedRun } },
    turnId: withTurn.turnId,
    runId: run.id,
  };
}

/** Returns choices that contain only these texts. */
export function createTextChoices(...texts: string[]): Pick<Run, 'choices' | 'deltas'> {
  return {
    choices: texts.map((text) => ({ parts: [{ type: 'text', text }], finishReason: 'stop' })),
    deltas: texts.length,
  };
}

/** Gives events times that are 1 ms apart. */
export function withTimes(events: readonly StreamEvent[]): TimedEvent[] {
  return events.map((event, index) => ({ atMs: index + 1, event }));
}

/** First entry of a tape. */
export const statusEntry: TapeEntry = {
  at: 1,
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
};

/** Returns a tape entry with this text. */
export function createDeltaEntry(at: number, content: string): TapeEntry {
  return {
    at,
    data: JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  };
}

/** Returns one stream event with this text (§2.5). */
export function formatTextChunk(text: string, choice = 0): string {
  return formatSseEvent({ choices: [{ index: choice, delta: { content: text }, finish_reason: null }] });
}

export function formatFinishChunk(reason = 'stop', choice = 0): string {
  return formatSseEvent({ choices: [{ index: choice, delta: {}, finish_reason: reason }] });
}

export function formatSseEvent(chunk: object): string {
  return `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', ...chunk })}\n\n`;
}

export const doneEvent = 'data: [DONE]\n\n';

/**
 * Returns a 200 response whose body arrives in the pieces that the generator yields; cancelling the body ends the
 * generator.
 */
export function createStreamResponse(pieces: AsyncGenerator<string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next: IteratorResult<string, unknown> = await pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** Creates a promise together with the function that resolves it. */
export function createGate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Creates a prompt with one user message. */
export function createUserPrompt(text: string): { messages: { role: 'user'; content: string }[] } {
  return { messages: [{ role: 'user', content: text }] };
}
