/** Lane states as data, shown by the gallery without a gateway. */
import {
  addPrompt,
  addTurn,
  createEmptySession,
  setRun,
  withShownTurn,
  type Environment,
} from '../../conversation/session/edit-session.ts';
import type { Choice, Run, SessionData } from '../../conversation/session/types.ts';
import { defaultParams } from '../../conversation/setup/params.ts';
import type { Tick } from '../../conversation/trace/trace.ts';
import { buildErrorReport } from '../../gateway/errors/error-report.ts';
import type { ErrorReport } from '../../gateway/errors/errors.ts';

export interface LaneState {
  /** Title above the tile. */
  title: string;
  description: string;
  data: SessionData;
  ticks: readonly Tick[];
  /** Time until the rate limit allows the next request, in ms. */
  startsInMs?: number;
}

interface LaneStateSpec {
  title: string;
  description: string;
  run: Partial<Run>;
  startsInMs?: number;
}

const model = 'orrery/sextant-70b-think';
const sampleReasoning =
  'If release 412 migrated the orders table, release 411 cannot read it. One check first.';
const sampleText = 'Before anything else, confirm that release 412 did not migrate the orders';

function createFailedRun(error: Partial<ErrorReport>): Partial<Run> {
  const report: ErrorReport = { source: 'gateway', kind: 'failed', message: '', ...error };
  return { phase: { name: 'failed', error: report }, endedMs: 1_200 };
}

function createChoice(text: string, finishReason?: string): Choice {
  return {
    parts: [
      { type: 'thinking', text: sampleReasoning, startedMs: 958, endedMs: 4_040, deltas: 68 },
      { type: 'text', text },
    ],
    ...(finishReason === undefined ? {} : { finishReason }),
  };
}

const receivedFields: Partial<Run> = {
  firstTokenMs: 958,
  firstTextMs: 4_058,
  lastEventMs: 6_060,
  deltas: 61,
  status: 200,
};

function createEndedRun(finishReason: string | undefined, text = sampleText): Partial<Run> {
  return {
    ...receivedFields,
    phase: { name: 'complete' },
    choices: [createChoice(text, finishReason)],
    endedMs: 6_060,
    usage: { promptTokens: 212, completionTokens: 292, totalTokens: 504 },
    done: true,
  };
}

const overloadedError = {
  message: 'No capacity for orrery/sextant-70b-think',
  type: 'upstream_unavailable',
  status: 503,
};

/** Returns the states, from an empty lane to very long numbers. `now` is in epoch ms. */
function createStateSpecs(now: number): LaneStateSpec[] {
  return [
    {
      title: 'Waiting',
      description: 'sent, no first token yet',
      run: { phase: { name: 'waiting' }, sentAt: now - 1_400 },
    },
    {
      title: 'Long wait',
      description: '10 s or more',
      run: { phase: { name: 'waiting' }, sentAt: now - 14_000 },
    },
    {
      title: 'Streaming',
      description: 'live numbers, caret',
      run: {
        ...receivedFields,
        phase: { name: 'streaming' },
        choices: [createChoice(sampleText)],
        sentAt: now - 6_060,
      },
    },
    {
      title: 'Stopped',
      description: 'by you; the text is kept',
      run: {
        ...receivedFields,
        phase: { name: 'stopped' },
        choices: [createChoice(sampleText)],
        endedMs: 6_060,
      },
    },
    { title: 'Hit the limit', description: 'finish_reason length', run: createEndedRun('length') },
    {
      title: 'Filtered',
      description: 'finish_reason content_filter',
      run: createEndedRun('content_filter', ''),
    },
    {
      title: 'Tool calls',
      description: 'results are missing',
      run: {
        ...createEndedRun('tool_calls'),
        choices: [
          {
            parts: [
              {
                type: 'tool-call',
                slot: 0,
                id: 'call_1',
                name: 'lookup_order',
                arguments: '{"order_id":"48213"}',
              },
            ],
            finishReason: 'tool_calls',
          },
        ],
      },
    },
    { title: 'Other finish', description: 'provider-specific reason', run: createEndedRun('eos_token') },
    { title: 'No finish reason', description: 'none was sent', run: createEndedRun(undefined) },
    {
      title: 'Provider error',
      description: 'before any text',
      run: createFailedRun({ source: 'provider', kind: 'overloaded', ...overloadedError }),
    },
    {
      title: 'Connection lost',
      description: 'the network, not the model',
      run: {
        ...receivedFields,
        phase: {
          name: 'truncated',
          error: { source: 'network', kind: 'connection-lost', message: 'The connection was lost.' },
        },
        choices: [createChoice(sampleText)],
        endedMs: 3_200,
        deltas: 131,
      },
    },
    {
      title: 'Interrupted',
      description: 'the page was reloaded',
      run: { ...receivedFields, phase: { name: 'interrupted' }, choices: [createChoice(sampleText)] },
    },
    {
      title: 'Wrong key',
      description: '401, invalid_api_key',
      run: createFailedRun({
        kind: 'key-rejected',
        message: 'Incorrect API key provided',
        type: 'invalid_api_key',
        status: 401,
      }),
    },
    {
      title: 'Rate limited',
      description: 'no requests left this minute',
      run: { phase: { name: 'queued' } },
      startsInMs: 14_000,
    },
    { title: 'Queued', description: 'four requests are open', run: { phase: { name: 'queued' } } },
    {
      title: 'Rejected by the limit',
      description: 'the gateway rejects it anyway',
      run: createFailedRun({
        kind: 'rate-limited',
        message: 'Rate limit reached',
        type: 'rate_limit_exceeded',
        status: 429,
      }),
    },
    {
      title: 'Unknown error',
      description: 'in an unknown format',
      run: createFailedRun(
        buildErrorReport({ status: 502, body: '{"fault":{"where":"upstream","again":false}}' }),
      ),
    },
    {
      title: 'Missing numbers',
      description: 'estimated or not reported',
      run: {
        phase: { name: 'complete' },
        choices: [createChoice('Fine.', 'stop')],
        deltas: 1,
        endedMs: 3_610,
        estimatedPromptTokens: 212,
      },
    },
    {
      title: 'Long numbers',
      description: 'maximum length',
      run: {
        ...createEndedRun('content_filter', 'Fine.'),
        endedMs: 41_210,
        lastEventMs: 41_210,
        deltas: 9_000,
        usage: { promptTokens: 1_234_567, completionTokens: 9_100_001, totalTokens: 10_334_568 },
      },
    },
  ];
}

/** Returns every lane state as a session with one prompt. */
export function createLaneStates(environment: Environment): LaneState[] {
  return createStateSpecs(environment.now()).map(({ run, ...rest }) => ({
    ...rest,
    ...createSampleSession(environment, run),
  }));
}

function createSampleSession(
  environment: Environment,
  changes: Partial<Run>,
): { data: SessionData; ticks: Tick[] } {
  const params = { ...defaultParams, max_tokens: { sent: true, text: '600' } };
  const emptySession = createEmptySession(environment, [{ model, system: '', params }]);
  const laneId = emptySession.session.laneIds[0] ?? '';
  const withPrompt = addPrompt(emptySession, environment, {
    messages: [{ role: 'user', content: 'Roll back or wait? Under 120 words.' }],
  });
  const addedTurn = addTurn(withPrompt.data, environment, laneId, {
    promptId: withPrompt.promptId,
    run: true,
  });
  const queuedRun = addedTurn.data.runs[addedTurn.runId ?? ''];
  if (!queuedRun) throw new Error('The turn has no run');
  const sentAt = environment.now() - 8_000;
  const run: Run = { ...queuedRun, sentAt, requestId: 'req_b1_7c0e92f4', ...changes };
  return { data: setRun(addedTurn.data, run), ticks: buildTicks(run) };
}

function buildTicks(run: Run): Tick[] {
  if (run.deltas === 0) return [];
  const endMs = run.endedMs ?? run.lastEventMs ?? 0;
  return Array.from({ length: run.deltas }, (_, index): Tick => {
    const atMs = 958 + ((endMs - 958) * index) / run.deltas;
    return { atMs, kind: atMs < 4_040 ? 'thinking' : 'answer', size: 3 + (index % 5) };
  });
}

/** Returns a session with one lane whose first message was edited twice; the second version is selected. */
export function createBranchedSession(environment: Environment): SessionData {
  const promptTexts = ['Roll back or wait?', 'Roll back or wait? Under 60 words.', 'Roll back?'];
  let data = createEmptySession(environment, [{ model, system: '', params: defaultParams }]);
  const laneId = data.session.laneIds[0] ?? '';
  const turnIds: string[] = [];
  let replaces: string | undefined;
  for (const content of promptTexts) {
    const messages = [{ role: 'user' as const, content }];
    const prompted = addPrompt(
      data,
      environment,
      replaces === undefined ? { messages } : { messages, replaces },
    );
    const turn = addTurn(prompted.data, environment, laneId, { promptId: prompted.promptId, run: false });
    replaces = prompted.promptId;
    turnIds.push(turn.turnId);
    data = turn.data;
  }
  const selectedTurn = data.turns[turnIds[1] ?? ''];
  return selectedTurn ? withShownTurn(data, selectedTurn) : data;
}
