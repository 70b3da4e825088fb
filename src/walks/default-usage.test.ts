/** The one request that Bench repeats by itself: `stream_options`, which it had added, was refused. */
import { describe, expect, it } from 'vitest';

import { withSent } from '../conversation/setup/params.ts';
import type { Bench } from '../testing/bench.ts';
import { aGate } from '../testing/builders.ts';
import {
  ask,
  aTalk,
  lastTurnIds,
  reloaded,
  runOf,
  setUp,
  shownTurns,
  talkIn,
} from '../testing/conversation-driver.ts';
import { drawnReplies } from '../testing/render-views.tsx';
import type { ScriptedAnswer } from '../testing/scripted-gateway.ts';
import { until } from '../testing/wait-until.ts';

/** How each lane's last answer ended. */
const phases = (bench: Bench) =>
  bench.current().session.laneIds.flatMap((_, lane) => {
    const turn = shownTurns(bench, lane).at(-1);
    return turn ? [runOf(bench, turn).phase.name] : [];
  });

type Refuse = (answer: ScriptedAnswer) => void;

/** A gateway that refuses `stream_options`, and answers everything else. */
const refusing = (refuse: Refuse) =>
  aTalk((answer, { body }) => {
    if (body['stream_options'] === undefined) answer.whole('The answer');
    else refuse(answer);
  });

const byMessage: Refuse = (answer) =>
  answer.json(400, {
    error: { message: 'Unknown parameter: stream_options', type: 'invalid_request_error' },
  });

const refusals: readonly [what: string, refuse: Refuse][] = [
  ['the message of a 400', byMessage],
  [
    'a code',
    (answer) => answer.json(400, { error: { message: 'Bad request', code: 'stream_options_unsupported' } }),
  ],
  [
    'a param',
    (answer) =>
      answer.json(400, { error: { message: 'Unknown parameter', param: 'stream_options.include_usage' } }),
  ],
  [
    'a field of a 422',
    (answer) =>
      answer.json(422, {
        detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
      }),
  ],
];

describe('a gateway that refuses stream_options', () => {
  for (const [what, refuse] of refusals)
    it(`is asked once more without it where the refusal is named by ${what}; what it said first is kept as a version`, async () => {
      const { bench, gateway } = await refusing(refuse);
      await ask(bench, 'Go');
      await until(() => phases(bench)[0] === 'complete');
      expect(talkIn(bench)).toEqual([['Go', 'The answer']]);
      expect(gateway.posts.map(({ body }) => body['stream_options'])).toEqual([
        { include_usage: true },
        undefined,
      ]);
      expect(drawnReplies(bench)[0]?.words).toContain('so Bench asked again without it');
      const [turnId = ''] = lastTurnIds(bench);
      bench.actions.stepAnswer(turnId, -1);
      expect(phases(bench)).toEqual(['failed']);
      const { entries } = await bench.library.readTapeFrom(runOf(bench).id, 0);
      expect(entries.some((entry) => 'status' in entry && entry.status >= 400)).toBe(true);
    });

  it('is not asked for it again, by the next message, another session and the next visit, but by other models', async () => {
    const { bench, gateway } = await refusing(byMessage);
    await ask(bench, 'Go');
    await until(() => phases(bench)[0] === 'complete');
    await ask(bench, 'And on');
    await bench.actions.createSession();
    await ask(bench, 'Elsewhere');
    const next = await reloaded(bench);
    await ask(next, 'Later');
    const asked = () => gateway.posts.map(({ body }) => body['stream_options'] !== undefined);
    expect(asked()).toEqual([true, false, false, false, false]);
    setUp(next, { model: 'north/two' });
    await ask(next, 'Another model');
    await until(() => gateway.posts.length === 7);
    expect(asked().slice(5)).toEqual([true, false]);
  });

  it('is asked again by nobody where a person had ticked it', async () => {
    const { bench, gateway } = await refusing(byMessage);
    const tick = (sent: boolean) =>
      bench.actions.changeSetups(bench.current().session.laneIds, (setup) => ({
        ...setup,
        params: withSent(setup.params, 'stream_options', sent),
      }));
    tick(false);
    tick(true);
    await ask(bench, 'Go');
    expect(phases(bench)).toEqual(['failed']);
    expect(gateway.posts).toHaveLength(1);
  });

  it('is asked again by nobody where the person has gone on meanwhile', async () => {
    const gate = aGate();
    const { bench, gateway } = await aTalk(async (answer) => {
      if (gateway.posts.length > 1) return answer.whole('The answer');
      await gate.opened;
      byMessage(answer);
    });
    const first = ask(bench, 'Go');
    await until(() => gateway.posts.length === 1);
    await ask(bench, 'And on');
    gate.open();
    await first;
    await ask(bench, 'Further');
    expect(gateway.posts.map(({ body }) => body['stream_options'] !== undefined)).toEqual([
      true,
      true,
      false,
    ]);
    expect(talkIn(bench).map(([said]) => said)).toEqual(['Go', 'And on', 'Further']);
  });

  it('is asked again in each lane on its own, and both requests count in the minute', async () => {
    const { bench, gateway } = await refusing(byMessage);
    bench.actions.addLane();
    await ask(bench, 'Go');
    await until(() => phases(bench).every((phase) => phase === 'complete'));
    expect(gateway.posts).toHaveLength(4);
    expect(bench.queue.state.getState().sentAt).toHaveLength(4);
  });
});

describe('any other refusal', () => {
  const others: readonly [what: string, refuse: Refuse][] = [
    [
      'a 400 about something else',
      (answer) => answer.json(400, { error: { message: 'temperature is too high' } }),
    ],
    ['a 500 that names it', (answer) => answer.json(500, { error: { message: 'stream_options broke us' } })],
    [
      'a 401 that names it',
      (answer) => answer.json(401, { error: { message: 'No stream_options for this key' } }),
    ],
  ];
  for (const [what, refuse] of others)
    it(`is one POST: ${what}`, async () => {
      const { bench, gateway } = await refusing(refuse);
      await ask(bench, 'Go');
      expect(phases(bench)).toEqual(['failed']);
      expect(gateway.posts).toHaveLength(1);
    });
});
