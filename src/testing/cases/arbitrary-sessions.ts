/** Generates realistic sessions: several lanes, edits, answers of every kind, hostile texts. */
import * as fc from 'fast-check';

import {
  addPrompt,
  addTurn,
  changeTurn,
  getNextTurnParent,
  createEmptySession,
  summarizeForHistory,
} from '../../conversation/session/edit-session.ts';
import { renameLane } from '../../conversation/session/lanes.ts';
import type { Part, Run, SessionData } from '../../conversation/session/types.ts';
import { PARAMS, type Params } from '../../conversation/setup/params.ts';
import type { Message } from '../../gateway/wire.ts';
import { createTestEnvironment } from '../builders.ts';

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '</script><img src=x onerror=alert(1)>',
    '__proto__',
    'constructor',
    'line\nline\r\n\ttab',
    '"\\',
    '\ud800',
    '',
    ' ',
  ),
);
/** Numbers as clocks and counters produce them. */
const time = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e9 })
  .map((value) => (value === 0 ? 0 : value));

const params: fc.Arbitrary<Params> = fc
  .array(fc.tuple(fc.constantFrom(...PARAMS.map((row) => row.name)), fc.boolean(), text))
  .map((settings) =>
    Object.fromEntries(settings.map(([name, sent, value]) => [name, { sent, text: value }])),
  );

const setup = fc.record({ model: text, system: text, params });

const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constantFrom('user' as const, 'system' as const), content: text }),
  fc.record({ role: fc.constant('user' as const), content: text, name: text }),
  fc.record({
    role: fc.constant('user' as const),
    content: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('text' as const), text }),
        fc.record({
          type: fc.constant('text' as const),
          text,
          file: fc.record(
            { name: text, bytes: fc.nat(), encoding: text },
            { requiredKeys: ['name', 'bytes'] },
          ),
        }),
        fc.record({
          type: fc.constant('file' as const),
          file: fc.record({ filename: text, file_data: text }),
        }),
        fc.record(
          {
            type: fc.constant('input_audio' as const),
            input_audio: fc.record({ data: text, format: text }),
            name: text,
          },
          { requiredKeys: ['type', 'input_audio'] },
        ),
        fc.record({
          type: fc.constant('image_url' as const),
          image_url: fc.record({ url: text, detail: text }, { requiredKeys: ['url'] }),
        }),
      ),
    ),
  }),
  fc.record({ role: fc.constant('tool' as const), content: text, tool_call_id: text }),
);

const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constantFrom('text' as const, 'refusal' as const), text }),
  fc.record({
    type: fc.constant('thinking' as const),
    text,
    startedMs: time,
    endedMs: time,
    deltas: fc.nat(),
  }),
  fc.record(
    { type: fc.constant('tool-call' as const), slot: fc.nat(9), id: text, name: text, arguments: text },
    { requiredKeys: ['type', 'slot', 'name', 'arguments'] },
  ),
);

const answer: fc.Arbitrary<Partial<Run>> = fc.record(
  {
    phase: fc.oneof(
      fc.record({ name: fc.constantFrom('complete' as const, 'stopped' as const, 'interrupted' as const) }),
      fc.record(
        {
          name: fc.constantFrom('failed' as const, 'truncated' as const),
          error: fc.record({
            source: fc.constant('gateway' as const),
            kind: fc.constant('failed' as const),
            message: text,
            raw: text,
          }),
        },
        { requiredKeys: ['name'] },
      ),
    ),
    choices: fc.array(fc.record({ parts: fc.array(part), finishReason: text }, { requiredKeys: ['parts'] }), {
      maxLength: 3,
    }),
    deltas: fc.nat(),
    notes: fc.array(
      fc.record({
        kind: fc.constantFrom('after-done' as const, 'joined-events' as const),
        count: fc.nat(),
        detail: text,
      }),
      { maxLength: 2 },
    ),
    usage: fc.record(
      { promptTokens: fc.nat(), completionTokens: fc.nat(), totalTokens: fc.nat() },
      { requiredKeys: [] },
    ),
    sentAt: time,
    firstTokenMs: time,
    lastEventMs: time,
    endedMs: time,
    requestId: text,
    returnedRequestId: text,
    status: fc.nat(599),
    done: fc.constant(true as const),
  },
  { requiredKeys: ['phase', 'choices', 'deltas', 'notes'] },
);

const step = fc.record({
  lane: fc.nat(5),
  message,
  answer: fc.option(answer),
  written: fc.boolean(),
  regenerated: fc.boolean(),
  remark: fc.option(
    fc.record({ mark: fc.constantFrom('good' as const, 'bad' as const, 'star' as const), text }),
  ),
});

/** Generates a session from a series of edits; none of its runs is live. */
export const arbitrarySession: fc.Arbitrary<SessionData> = fc
  .record({
    setups: fc.array(setup, { minLength: 1, maxLength: 6 }),
    title: text,
    name: text,
    steps: fc.array(step, { maxLength: 6 }),
    seed: fc.nat(),
  })
  .map(({ setups, title, name, steps, seed }) => {
    const clock = createTestEnvironment();
    const environment = { ...clock, newId: () => `${seed}-${clock.newId()}` };
    const unnamed = createEmptySession(environment, setups);
    let data = renameLane(unnamed, unnamed.session.laneIds[0] ?? '', name);
    for (const { lane, message: inputMessage, answer: run, written, regenerated, remark } of steps) {
      const laneId = data.session.laneIds[lane % data.session.laneIds.length] ?? '';
      const withPrompt = addPrompt(data, environment, { messages: [inputMessage] });
      const parent = getNextTurnParent(withPrompt.data, laneId);
      data = withPrompt.data;
      for (const _ of regenerated ? [1, 2] : [1]) {
        const turnOptions = {
          promptId: withPrompt.promptId,
          run: run !== null,
          ...(parent ? { parent } : {}),
        };
        const withTurn = addTurn(data, environment, laneId, turnOptions);
        const addedRun = withTurn.data.runs[withTurn.runId ?? ''];
        data = addedRun
          ? { ...withTurn.data, runs: { ...withTurn.data.runs, [addedRun.id]: { ...addedRun, ...run } } }
          : withTurn.data;
        data = changeTurn(data, withTurn.turnId, (turn) => ({
          ...turn,
          ...(written && run === null ? { reply: { kind: 'written', message: inputMessage } } : {}),
          ...(remark ? { remark } : {}),
        }));
      }
    }
    return { ...data, session: { ...data.session, title, summary: summarizeForHistory(data) } };
  });
