import { createElement } from 'react';
/** A model that refuses fields of the request: from the error card over one press to what is remembered, and back. */
import { describe, expect, it } from 'vitest';

import { Parameters } from '../features/playground/parameters.tsx';
import type { Bench } from '../testing/bench.ts';
import {
  ask,
  aTalk,
  lastTurnIds,
  reloaded,
  runOf,
  setUp,
  shownTurn,
  talkIn,
} from '../testing/conversation-driver.ts';
import { drawnReplies, markupOf, wordsIn } from '../testing/render-views.tsx';
import type { ScriptedAnswer } from '../testing/scripted-gateway.ts';
import { until } from '../testing/wait-until.ts';

const refuse = (answer: ScriptedAnswer, message: string, param: string, code = 'unsupported_parameter') =>
  answer.json(400, { error: { message, type: 'invalid_request_error', param, code } });

/** Takes `max_completion_tokens` in place of `max_tokens`, and no temperature but 1. */
const newerModel = () =>
  aTalk((answer, { body }) => {
    if (body['max_tokens'] !== undefined)
      return refuse(
        answer,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'max_tokens',
      );
    if (body['temperature'] !== undefined && body['temperature'] !== 1)
      return refuse(
        answer,
        "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
        'temperature',
        'unsupported_value',
      );
    answer.whole('The answer');
  });

const fix = (bench: Bench, lane = 0) => bench.actions.fixFields(lastTurnIds(bench)[lane] ?? '');
const phaseIn = (bench: Bench, lane = 0) => runOf(bench, shownTurn(bench, undefined, lane)).phase.name;
function sidebar(bench: Bench): string {
  bench.view.setState({ isParametersOverlayOpen: true });
  return wordsIn(markupOf(bench, createElement(Parameters)));
}
/** The words of the first reply, without the raw response. */
const card = (bench: Bench) => drawnReplies(bench).at(0)?.words.split('Raw response')[0] ?? '';

describe('a model that wants other fields', () => {
  it('fixes each refused field in one press, keeps the earlier answers and applies the fixes from then on', async () => {
    const { bench, gateway } = await newerModel();
    setUp(bench, { model: 'north/one', fields: { max_tokens: '200', temperature: '0.3' } });
    await ask(bench, 'Go');
    expect(card(bench)).toContain('The gateway did not accept max_tokens');
    expect(card(bench)).toMatch(/Send as max_completion_tokens\n+Retry/);
    expect(card(bench).match(/Use 'max_completion_tokens' instead/g)).toHaveLength(1);
    expect(sidebar(bench)).toContain('refused by north/one in the last answer');
    await fix(bench);
    expect(gateway.posts.at(-1)?.body).toMatchObject({ max_completion_tokens: 200, temperature: 0.3 });
    expect(gateway.posts.at(-1)?.body).not.toHaveProperty('max_tokens');
    expect(card(bench)).toMatch(/Leave temperature out\n+Retry/);
    await fix(bench);
    expect(talkIn(bench)).toEqual([['Go', 'The answer']]);
    expect(sidebar(bench)).toContain('sent as max_completion_tokens');
    expect(sidebar(bench)).toContain('not accepted by north/one');
    bench.actions.stepAnswer(lastTurnIds(bench)[0] ?? '', -1);
    expect(phaseIn(bench)).toBe('failed');
    expect(card(bench)).not.toContain('Leave temperature out');

    const next = await reloaded(bench);
    await next.actions.createSession();
    setUp(next, { fields: { max_tokens: '300', temperature: '0.7' } });
    await ask(next, 'Elsewhere');
    expect(gateway.posts).toHaveLength(4);
    expect(gateway.posts.at(-1)?.body).toMatchObject({ max_completion_tokens: 300 });
    expect(gateway.posts.at(-1)?.body).not.toHaveProperty('temperature');
    setUp(next, { model: 'north/two' });
    await ask(next, 'Another model');
    expect(gateway.posts.at(-1)?.body).toMatchObject({ max_tokens: 300, temperature: 0.7 });
  });

  it('retries all lanes of the model with one press, and no other lane', async () => {
    const { bench, gateway } = await newerModel();
    setUp(bench, { model: 'north/one', fields: { temperature: '0.3' } });
    bench.actions.addLane();
    bench.actions.addLane();
    setUp(bench, { model: 'north/two' }, 2);
    await ask(bench, 'Go');
    expect(gateway.posts).toHaveLength(3);
    await fix(bench, 1);
    expect([0, 1, 2].map((lane) => phaseIn(bench, lane))).toEqual(['complete', 'complete', 'failed']);
    expect(gateway.posts).toHaveLength(5);
    expect(sidebar(bench)).toContain('not accepted by north/one');
  });

  it('sends refused fields again after Undo and keeps the new answer', async () => {
    const { bench, gateway } = await newerModel();
    setUp(bench, { model: 'north/one', fields: { max_tokens: '200' } });
    await ask(bench, 'Go');
    await fix(bench);
    const undo = bench.session.getState().undo;
    expect(undo?.text).toBe('max_tokens is now sent to north/one as max_completion_tokens.');
    undo?.restore();
    expect(talkIn(bench)).toEqual([['Go', 'The answer']]);
    expect(sidebar(bench)).not.toContain('sent as');
    await ask(bench, 'And on');
    expect(gateway.posts.at(-1)?.body).toHaveProperty('max_tokens', 200);
    expect(phaseIn(bench)).toBe('failed');
  });

  it('sends a refused field again if the user allows it under its row', async () => {
    const { bench, gateway } = await newerModel();
    setUp(bench, { model: 'north/one', fields: { temperature: '0.3' } });
    await ask(bench, 'Go');
    await fix(bench);
    bench.actions.clearRefusedField(bench.current().session.laneIds, 'temperature');
    await ask(bench, 'And on');
    expect(gateway.posts.at(-1)?.body).toHaveProperty('temperature', 0.3);
  });

  it('does not overwrite a set field with a renamed one', async () => {
    const { bench, gateway } = await newerModel();
    setUp(bench, { model: 'north/one', fields: { max_tokens: '200' } });
    await ask(bench, 'Go');
    await fix(bench);
    setUp(bench, { fields: { max_completion_tokens: '50' } });
    await ask(bench, 'And on');
    expect(gateway.posts.at(-1)?.body).toHaveProperty('max_completion_tokens', 50);
  });
});

describe('other refusals', () => {
  it('unticks a row whose value was wrong, until Undo', async () => {
    const { bench, gateway } = await aTalk((answer, { body }) => {
      if (body['reasoning_effort'] === 'minimal')
        return refuse(answer, "Invalid value: 'minimal'.", 'reasoning_effort', 'invalid_value');
      answer.whole('The answer');
    });
    setUp(bench, { fields: { reasoning_effort: 'minimal' } });
    await ask(bench, 'Go');
    expect(card(bench)).toContain('The gateway did not accept this value of reasoning_effort');
    await fix(bench);
    expect(gateway.posts.at(-1)?.body).not.toHaveProperty('reasoning_effort');
    expect(sidebar(bench)).not.toContain('not accepted');
    bench.session.getState().undo?.restore();
    expect(
      bench.current().lanes[bench.current().session.laneIds[0] ?? '']?.setup.params.reasoning_effort,
    ).toEqual({
      sent: true,
      text: 'minimal',
    });
  });

  it('leaves several extra fields out by name and notes it under their row', async () => {
    const { bench, gateway } = await aTalk((answer, { body }) => {
      const extra = ['min_p', 'typo'].filter((name) => body[name] !== undefined);
      if (extra.length === 0) return answer.whole('The answer');
      answer.json(422, {
        detail: extra.map((name) => ({ loc: ['body', name], msg: 'Extra inputs are not permitted' })),
      });
    });
    setUp(bench, {
      model: 'north/one',
      fields: { 'Extra provider fields': '{"min_p": 0.1, "typo": 1, "kept": 2}' },
    });
    await ask(bench, 'Go');
    expect(card(bench)).toContain('The gateway did not accept 2 fields');
    expect(card(bench)).toContain('Leave min_p and typo out');
    await fix(bench);
    expect(gateway.posts.at(-1)?.body).toMatchObject({ kept: 2 });
    expect(phaseIn(bench)).toBe('complete');
    expect(sidebar(bench)).toContain('min_p and typo: not accepted by north/one');
  });

  it('sends a row that the provider requires', async () => {
    const { bench, gateway } = await aTalk((answer, { body }) => {
      if (body['max_tokens'] !== undefined) return answer.whole('The answer');
      answer.json(400, { error: { message: "Missing required parameter: 'max_tokens'." } });
    });
    await ask(bench, 'Go');
    expect(card(bench)).toContain('The gateway requires max_tokens');
    expect(card(bench)).toContain('Send max_tokens');
    await fix(bench);
    expect(gateway.posts.at(-1)?.body).toHaveProperty('max_tokens', 1024);
  });

  it('offers no fix for an error that names no field', async () => {
    const { bench } = await aTalk((answer) =>
      answer.json(400, { error: { message: 'The conversation is too long.' } }),
    );
    setUp(bench, { model: 'north/one', fields: { max_tokens: '200' } });
    await ask(bench, 'Go');
    await until(() => phaseIn(bench) === 'failed');
    expect(card(bench)).toContain('The gateway did not accept the request');
    expect(card(bench)).not.toMatch(/Leave|Send /);
  });
});
