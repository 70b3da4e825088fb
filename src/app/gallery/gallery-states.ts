/** The states of a lane as data, which the gallery shows without any gateway. */
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
  /** What stands over the tile. */
  title: string;
  remark: string;
  data: SessionData;
  ticks: readonly Tick[];
  /** The minute is used up: when the next one may leave, in ms from now. */
  startsInMs?: number;
}

interface Sketch {
  title: string;
  remark: string;
  run: Partial<Run>;
  startsInMs?: number;
}

const model = 'orrery/sextant-70b-think';
const thought = 'If release 412 migrated the orders table, release 411 cannot read it. One check first.';
const said = 'Before anything else, confirm that release 412 did not migrate the orders';

function failed(error: Partial<ErrorReport>): Partial<Run> {
  const report: ErrorReport = { source: 'gateway', kind: 'failed', message: '', ...error };
  return { phase: { name: 'failed', error: report }, endedMs: 1_200 };
}

function choice(text: string, finishReason?: string): Choice {
  return {
    parts: [
      { type: 'thinking', text: thought, startedMs: 958, endedMs: 4_040, deltas: 68 },
      { type: 'text', text },
    ],
    ...(finishReason === undefined ? {} : { finishReason }),
  };
}

const arrived: Partial<Run> = {
  firstTokenMs: 958,
  firstTextMs: 4_058,
  lastEventMs: 6_060,
  deltas: 61,
  status: 200,
};

function ended(finishReason: string | undefined, text = said): Partial<Run> {
  return {
    ...arrived,
    phase: { name: 'complete' },
    choices: [choice(text, finishReason)],
    endedMs: 6_060,
    usage: { promptTokens: 212, completionTokens: 292, totalTokens: 504 },
    done: true,
  };
}

const overloaded = {
  message: 'No capacity for orrery/sextant-70b-think',
  type: 'upstream_unavailable',
  status: 503,
};

/** From the empty lane to long numbers. `now` in epoch milliseconds. */
function sketches(now: number): Sketch[] {
  return [
    {
      title: 'Waiting',
      remark: 'sent, no first token yet',
      run: { phase: { name: 'waiting' }, sentAt: now - 1_400 },
    },
    {
      title: 'Waiting long',
      remark: 'ten seconds and more',
      run: { phase: { name: 'waiting' }, sentAt: now - 14_000 },
    },
    {
      title: 'Streaming',
      remark: 'live numbers, caret',
      run: { ...arrived, phase: { name: 'streaming' }, choices: [choice(said)], sentAt: now - 6_060 },
    },
    {
      title: 'Stopped',
      remark: 'by the user; the text is kept',
      run: { ...arrived, phase: { name: 'stopped' }, choices: [choice(said)], endedMs: 6_060 },
    },
    { title: 'Hit the limit', remark: 'finish_reason length', run: ended('length') },
    { title: 'Filtered', remark: 'finish_reason content_filter', run: ended('content_filter', '') },
    {
      title: 'Tool calls',
      remark: 'results are missing',
      run: {
        ...ended('tool_calls'),
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
    { title: 'Other finish', remark: "the provider's word", run: ended('eos_token') },
    { title: 'No finish reason', remark: 'the end gave none', run: ended(undefined) },
    {
      title: 'Provider error',
      remark: 'before any text',
      run: failed({ source: 'provider', kind: 'overloaded', ...overloaded }),
    },
    {
      title: 'Connection lost',
      remark: 'the network, not the model',
      run: {
        ...arrived,
        phase: {
          name: 'truncated',
          error: { source: 'network', kind: 'connection-lost', message: 'The connection was lost.' },
        },
        choices: [choice(said)],
        endedMs: 3_200,
        deltas: 131,
      },
    },
    {
      title: 'Interrupted',
      remark: 'the page was reloaded',
      run: { ...arrived, phase: { name: 'interrupted' }, choices: [choice(said)] },
    },
    {
      title: 'Wrong key',
      remark: '401, invalid_api_key',
      run: failed({
        kind: 'key-rejected',
        message: 'Incorrect API key provided',
        type: 'invalid_api_key',
        status: 401,
      }),
    },
    {
      title: 'Rate limited',
      remark: 'no requests left this minute',
      run: { phase: { name: 'queued' } },
      startsInMs: 14_000,
    },
    { title: 'Queued', remark: 'four requests are open', run: { phase: { name: 'queued' } } },
    {
      title: 'Refused by the limit',
      remark: 'the gateway refuses anyway',
      run: failed({
        kind: 'rate-limited',
        message: 'Rate limit reached',
        type: 'rate_limit_exceeded',
        status: 429,
      }),
    },
    {
      title: 'Odd error',
      remark: 'in an unknown format',
      run: failed(buildErrorReport({ status: 502, body: '{"fault":{"where":"upstream","again":false}}' })),
    },
    {
      title: 'Missing numbers',
      remark: 'estimated or not reported',
      run: {
        phase: { name: 'complete' },
        choices: [choice('Fine.', 'stop')],
        deltas: 1,
        endedMs: 3_610,
        estimatedPromptTokens: 212,
      },
    },
    {
      title: 'Long numbers',
      remark: 'as long as they get',
      run: {
        ...ended('content_filter', 'Fine.'),
        endedMs: 41_210,
        lastEventMs: 41_210,
        deltas: 9_000,
        usage: { promptTokens: 1_234_567, completionTokens: 9_100_001, totalTokens: 10_334_568 },
      },
    },
  ];
}

/** Every state of a lane, each as a session of its own with one prompt. */
export function laneStates(environment: Environment): LaneState[] {
  return sketches(environment.now()).map(({ run, ...words }) => ({
    ...words,
    ...aSessionWith(environment, run),
  }));
}

function aSessionWith(environment: Environment, changes: Partial<Run>): { data: SessionData; ticks: Tick[] } {
  const params = { ...defaultParams, max_tokens: { sent: true, text: '600' } };
  const empty = createEmptySession(environment, [{ model, system: '', params }]);
  const laneId = empty.session.laneIds[0] ?? '';
  const prompted = addPrompt(empty, environment, {
    messages: [{ role: 'user', content: 'Roll back or wait? Under 120 words.' }],
  });
  const added = addTurn(prompted.data, environment, laneId, { promptId: prompted.promptId, run: true });
  const queued = added.data.runs[added.runId ?? ''];
  if (!queued) throw new Error('The turn has no run');
  const sentAt = environment.now() - 8_000;
  const run: Run = { ...queued, sentAt, requestId: 'req_b1_7c0e92f4', ...changes };
  return { data: setRun(added.data, run), ticks: ticksFor(run) };
}

function ticksFor(run: Run): Tick[] {
  if (run.deltas === 0) return [];
  const endMs = run.endedMs ?? run.lastEventMs ?? 0;
  return Array.from({ length: run.deltas }, (_, index): Tick => {
    const atMs = 958 + ((endMs - 958) * index) / run.deltas;
    return { atMs, kind: atMs < 4_040 ? 'thinking' : 'answer', size: 3 + (index % 5) };
  });
}

/** One lane whose first message was edited twice; the second version is shown. */
export function branchedSession(environment: Environment): SessionData {
  const asked = ['Roll back or wait?', 'Roll back or wait? Under 60 words.', 'Roll back?'];
  let data = createEmptySession(environment, [{ model, system: '', params: defaultParams }]);
  const laneId = data.session.laneIds[0] ?? '';
  const turnIds: string[] = [];
  let replaces: string | undefined;
  for (const content of asked) {
    const messages = [{ role: 'user' as const, content }];
    const said = addPrompt(data, environment, replaces === undefined ? { messages } : { messages, replaces });
    const turn = addTurn(said.data, environment, laneId, { promptId: said.promptId, run: false });
    replaces = said.promptId;
    turnIds.push(turn.turnId);
    data = turn.data;
  }
  const shown = data.turns[turnIds[1] ?? ''];
  return shown ? withShownTurn(data, shown) : data;
}
