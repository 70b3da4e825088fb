/**
 * Tests the only automatic retry: after the gateway rejects the `stream_options` that Bench
 * added.
 */
import { describe, expect, it } from 'vitest';

import { withSent } from '../conversation/setup/params.ts';
import type { Bench } from '../testing/bench.ts';
import { createGate } from '../testing/builders.ts';
import {
  sendAndWait,
  createConversation,
  getLastTurnIds,
  reloadPage,
  getTurnRun,
  configureLane,
  getLaneTurns,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderReplies } from '../testing/render-turns.tsx';
import type { ScriptedResponse } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

/** Returns the phase of each lane's last answer. */
const listPhases = (bench: Bench) =>
  bench.getOpenSession().session.laneIds.flatMap((_, lane) => {
    const turn = getLaneTurns(bench, lane).at(-1);
    return turn ? [getTurnRun(bench, turn).phase.name] : [];
  });

type Refuse = (answer: ScriptedResponse) => void;

/** Creates a conversation with a gateway that rejects `stream_options` and answers everything else. */
const createRejectingConversation = (refuse: Refuse) =>
  createConversation((answer, { body }) => {
    if (body['stream_options'] === undefined) answer.sendAnswer('The answer');
    else refuse(answer);
  });

const rejectByMessage: Refuse = (answer) =>
  answer.sendJson(400, {
    error: { message: 'Unknown parameter: stream_options', type: 'invalid_request_error' },
  });

const refusals: readonly [what: string, refuse: Refuse][] = [
  ['the message of a 400', rejectByMessage],
  [
    'an error code',
    (answer) =>
      answer.sendJson(400, { error: { message: 'Bad request', code: 'stream_options_unsupported' } }),
  ],
  [
    'the param of an error',
    (answer) =>
      answer.sendJson(400, {
        error: { message: 'Unknown parameter', param: 'stream_options.include_usage' },
      }),
  ],
  [
    'a field of a 422',
    (answer) =>
      answer.sendJson(422, {
        detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }],
      }),
  ],
];

describe('gateway that rejects stream_options', () => {
  for (const [title, refuse] of refusals)
    it(`retries without stream_options if ${title} names the field, and keeps the rejected run as a version`, async () => {
      const { bench, gateway } = await createRejectingConversation(refuse);
      await sendAndWait(bench, 'Go');
      await waitUntil(() => listPhases(bench)[0] === 'complete');
      expect(getLaneTranscript(bench)).toEqual([['Go', 'The answer']]);
      expect(gateway.posts.map(({ body }) => body['stream_options'])).toEqual([
        { include_usage: true },
        undefined,
      ]);
      expect(renderReplies(bench)[0]?.text).toContain('so Bench retried without it');
      const [turnId = ''] = getLastTurnIds(bench);
      bench.actions.stepAnswer(turnId, -1);
      expect(listPhases(bench)).toEqual(['failed']);
      const { entries } = await bench.library.readTapeFrom(getTurnRun(bench).id, 0);
      expect(entries.some((entry) => 'status' in entry && entry.status >= 400)).toBe(true);
    });

  it('omits stream_options for this model in later messages, sessions and visits, but not for other models', async () => {
    const { bench, gateway } = await createRejectingConversation(rejectByMessage);
    await sendAndWait(bench, 'Go');
    await waitUntil(() => listPhases(bench)[0] === 'complete');
    await sendAndWait(bench, 'And on');
    await bench.actions.createSession();
    await sendAndWait(bench, 'Elsewhere');
    const reloadedBench = await reloadPage(bench);
    await sendAndWait(reloadedBench, 'Later');
    const listUsageRequests = () => gateway.posts.map(({ body }) => body['stream_options'] !== undefined);
    expect(listUsageRequests()).toEqual([true, false, false, false, false]);
    configureLane(reloadedBench, { model: 'north/two' });
    await sendAndWait(reloadedBench, 'Another model');
    await waitUntil(() => gateway.posts.length === 7);
    expect(listUsageRequests().slice(5)).toEqual([true, false]);
  });

  it('does not retry if the user enabled stream_options', async () => {
    const { bench, gateway } = await createRejectingConversation(rejectByMessage);
    const setSent = (isSent: boolean) =>
      bench.actions.changeSetups(bench.getOpenSession().session.laneIds, (setup) => ({
        ...setup,
        params: withSent(setup.params, 'stream_options', isSent),
      }));
    setSent(false);
    setSent(true);
    await sendAndWait(bench, 'Go');
    expect(listPhases(bench)).toEqual(['failed']);
    expect(gateway.posts).toHaveLength(1);
  });

  it('does not retry without stream_options if the user has sent another message in the meantime', async () => {
    const gate = createGate();
    const { bench, gateway } = await createConversation(async (answer) => {
      if (gateway.posts.length > 1) return answer.sendAnswer('The answer');
      await gate.opened;
      rejectByMessage(answer);
    });
    const firstRequest = sendAndWait(bench, 'Go');
    await waitUntil(() => gateway.posts.length === 1);
    await sendAndWait(bench, 'And on');
    gate.open();
    await firstRequest;
    await sendAndWait(bench, 'Further');
    expect(gateway.posts.map(({ body }) => body['stream_options'] !== undefined)).toEqual([
      true,
      true,
      false,
    ]);
    expect(getLaneTranscript(bench).map(([prompt]) => prompt)).toEqual(['Go', 'And on', 'Further']);
  });

  it('retries each lane separately and counts both requests in the rate limit', async () => {
    const { bench, gateway } = await createRejectingConversation(rejectByMessage);
    bench.actions.addLane();
    await sendAndWait(bench, 'Go');
    await waitUntil(() => listPhases(bench).every((phase) => phase === 'complete'));
    expect(gateway.posts).toHaveLength(4);
    expect(bench.getQueue().state.getState().sentAt).toHaveLength(4);
  });
});

describe('rejection for another reason', () => {
  const otherRefusals: readonly [what: string, refuse: Refuse][] = [
    [
      'a 400 about another field',
      (answer) => answer.sendJson(400, { error: { message: 'temperature is too high' } }),
    ],
    [
      'a 500 that names stream_options',
      (answer) => answer.sendJson(500, { error: { message: 'stream_options broke us' } }),
    ],
    [
      'a 401 that names stream_options',
      (answer) => answer.sendJson(401, { error: { message: 'No stream_options for this key' } }),
    ],
  ];
  for (const [title, refuse] of otherRefusals)
    it(`does not retry after ${title}`, async () => {
      const { bench, gateway } = await createRejectingConversation(refuse);
      await sendAndWait(bench, 'Go');
      expect(listPhases(bench)).toEqual(['failed']);
      expect(gateway.posts).toHaveLength(1);
    });
});
