/**
 * Tests models that reject request fields: the error card, the one-click fix, the remembered rule and how to undo it.
 */
import { describe, expect, it } from 'vitest';

import { Parameters } from '../features/parameters/parameters.tsx';
import type { Bench } from '../testing/bench.ts';
import {
  sendAndWait,
  createConversation,
  getLastTurnIds,
  reloadPage,
  getTurnRun,
  configureLane,
  getLaneTurn,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderReplies } from '../testing/render-turns.tsx';
import { renderText } from '../testing/render-with-playground.tsx';
import type { ScriptedResponse } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

const rejectField = (
  answer: ScriptedResponse,
  message: string,
  param: string,
  code = 'unsupported_parameter',
) => answer.sendJson(400, { error: { message, type: 'invalid_request_error', param, code } });

/**
 * Simulates a newer model that requires `max_completion_tokens` instead of `max_tokens` and accepts only temperature 1.
 */
const createNewerModel = () =>
  createConversation((answer, { body }) => {
    if (body['max_tokens'] !== undefined)
      return rejectField(
        answer,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'max_tokens',
      );
    if (body['temperature'] !== undefined && body['temperature'] !== 1)
      return rejectField(
        answer,
        "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
        'temperature',
        'unsupported_value',
      );
    answer.sendAnswer('The answer');
  });

const retryWithFixedFields = (bench: Bench, lane = 0) =>
  bench.actions.retryWithFixedFields(getLastTurnIds(bench)[lane] ?? '');
const getPhase = (bench: Bench, lane = 0) =>
  getTurnRun(bench, getLaneTurn(bench, undefined, lane)).phase.name;
function renderSidebar(bench: Bench): string {
  bench.view.setState({ isParametersOverlayOpen: true });
  return renderText(bench, <Parameters />);
}
/** Returns the text of the first reply without the raw response. */
const getErrorText = (bench: Bench) => renderReplies(bench).at(0)?.text.split('Raw response')[0] ?? '';

describe('model that requires other fields', () => {
  it('fixes each rejected field with one click, keeps the earlier answers and remembers the fixes', async () => {
    const { bench, gateway } = await createNewerModel();
    configureLane(bench, { model: 'north/one', fields: { max_tokens: '200', temperature: '0.3' } });
    await sendAndWait(bench, 'Go');
    expect(getErrorText(bench)).toContain('The gateway rejected max_tokens');
    expect(getErrorText(bench)).toMatch(/Send as max_completion_tokens\n+Retry/);
    expect(getErrorText(bench).match(/Use 'max_completion_tokens' instead/g)).toHaveLength(1);
    expect(renderSidebar(bench)).toContain('rejected by north/one in the last request');
    await retryWithFixedFields(bench);
    expect(gateway.posts.at(-1)?.body).toMatchObject({ max_completion_tokens: 200, temperature: 0.3 });
    expect(gateway.posts.at(-1)?.body).not.toHaveProperty('max_tokens');
    expect(getErrorText(bench)).toMatch(/Leave temperature out\n+Retry/);
    await retryWithFixedFields(bench);
    expect(getLaneTranscript(bench)).toEqual([['Go', 'The answer']]);
    expect(renderSidebar(bench)).toContain('sent as max_completion_tokens');
    expect(renderSidebar(bench)).toContain('not accepted by north/one');
    bench.actions.stepAnswer(getLastTurnIds(bench)[0] ?? '', -1);
    expect(getPhase(bench)).toBe('failed');
    expect(getErrorText(bench)).not.toContain('Leave temperature out');

    const reloadedBench = await reloadPage(bench);
    await reloadedBench.actions.createSession();
    configureLane(reloadedBench, { fields: { max_tokens: '300', temperature: '0.7' } });
    await sendAndWait(reloadedBench, 'Elsewhere');
    expect(gateway.posts).toHaveLength(4);
    expect(gateway.posts.at(-1)?.body).toMatchObject({ max_completion_tokens: 300 });
    expect(gateway.posts.at(-1)?.body).not.toHaveProperty('temperature');
    configureLane(reloadedBench, { model: 'north/two' });
    await sendAndWait(reloadedBench, 'Another model');
    expect(gateway.posts.at(-1)?.body).toMatchObject({ max_tokens: 300, temperature: 0.7 });
  });

  it('retries all lanes of the model with one click, but no lane of another model', async () => {
    const { bench, gateway } = await createNewerModel();
    configureLane(bench, { model: 'north/one', fields: { temperature: '0.3' } });
    bench.actions.addLane();
    bench.actions.addLane();
    configureLane(bench, { model: 'north/two' }, 2);
    // The only gateway, by its name.
    const [firstLaneId = ''] = bench.getOpenSession().session.laneIds;
    bench.actions.changeSetup(firstLaneId, { gateway: 'default' });
    await sendAndWait(bench, 'Go');
    expect(gateway.posts).toHaveLength(3);
    await retryWithFixedFields(bench, 1);
    expect([0, 1, 2].map((lane) => getPhase(bench, lane))).toEqual(['complete', 'complete', 'failed']);
    expect(gateway.posts).toHaveLength(5);
    expect(renderSidebar(bench)).toContain('not accepted by north/one');
  });

  it('sends rejected fields again after Undo and keeps the new answer', async () => {
    const { bench, gateway } = await createNewerModel();
    configureLane(bench, { model: 'north/one', fields: { max_tokens: '200' } });
    await sendAndWait(bench, 'Go');
    await retryWithFixedFields(bench);
    const undo = bench.session.getState().undo;
    expect(undo?.text).toBe('max_tokens is now sent to north/one as max_completion_tokens.');
    undo?.restore();
    expect(getLaneTranscript(bench)).toEqual([['Go', 'The answer']]);
    expect(renderSidebar(bench)).not.toContain('sent as');
    await sendAndWait(bench, 'And on');
    expect(gateway.posts.at(-1)?.body).toHaveProperty('max_tokens', 200);
    expect(getPhase(bench)).toBe('failed');
  });

  it("sends a rejected field again if the user allows it in the field's row", async () => {
    const { bench, gateway } = await createNewerModel();
    configureLane(bench, { model: 'north/one', fields: { temperature: '0.3' } });
    await sendAndWait(bench, 'Go');
    await retryWithFixedFields(bench);
    bench.actions.clearRefusedField(bench.getOpenSession().session.laneIds, 'temperature');
    await sendAndWait(bench, 'And on');
    expect(gateway.posts.at(-1)?.body).toHaveProperty('temperature', 0.3);
  });

  it('does not overwrite a field set by the user with a renamed one', async () => {
    const { bench, gateway } = await createNewerModel();
    configureLane(bench, { model: 'north/one', fields: { max_tokens: '200' } });
    await sendAndWait(bench, 'Go');
    await retryWithFixedFields(bench);
    configureLane(bench, { fields: { max_completion_tokens: '50' } });
    await sendAndWait(bench, 'And on');
    expect(gateway.posts.at(-1)?.body).toHaveProperty('max_completion_tokens', 50);
  });
});

describe('other rejections', () => {
  it('unchecks a parameter with a rejected value until Undo', async () => {
    const { bench, gateway } = await createConversation((answer, { body }) => {
      if (body['reasoning_effort'] === 'minimal')
        return rejectField(answer, "Invalid value: 'minimal'.", 'reasoning_effort', 'invalid_value');
      answer.sendAnswer('The answer');
    });
    configureLane(bench, { fields: { reasoning_effort: 'minimal' } });
    await sendAndWait(bench, 'Go');
    expect(getErrorText(bench)).toContain('The gateway rejected this value of reasoning_effort');
    await retryWithFixedFields(bench);
    expect(gateway.posts.at(-1)?.body).not.toHaveProperty('reasoning_effort');
    expect(renderSidebar(bench)).not.toContain('not accepted');
    bench.session.getState().undo?.restore();
    expect(
      bench.getOpenSession().lanes[bench.getOpenSession().session.laneIds[0] ?? '']?.setup.params
        .reasoning_effort,
    ).toEqual({
      sent: true,
      text: 'minimal',
    });
  });

  it('omits several rejected extra fields by name and notes them in the row of extra fields', async () => {
    const { bench, gateway } = await createConversation((answer, { body }) => {
      const extraFields = ['min_p', 'typo'].filter((name) => body[name] !== undefined);
      if (extraFields.length === 0) return answer.sendAnswer('The answer');
      answer.sendJson(422, {
        detail: extraFields.map((name) => ({ loc: ['body', name], msg: 'Extra inputs are not permitted' })),
      });
    });
    configureLane(bench, {
      model: 'north/one',
      fields: { 'Extra provider fields': '{"min_p": 0.1, "typo": 1, "kept": 2}' },
    });
    await sendAndWait(bench, 'Go');
    expect(getErrorText(bench)).toContain('The gateway rejected 2 fields');
    expect(getErrorText(bench)).toContain('Leave min_p and typo out');
    await retryWithFixedFields(bench);
    expect(gateway.posts.at(-1)?.body).toMatchObject({ kept: 2 });
    expect(getPhase(bench)).toBe('complete');
    expect(renderSidebar(bench)).toContain('min_p and typo: not accepted by north/one');
  });

  it('sends a parameter that the provider requires', async () => {
    const { bench, gateway } = await createConversation((answer, { body }) => {
      if (body['max_tokens'] !== undefined) return answer.sendAnswer('The answer');
      answer.sendJson(400, { error: { message: "Missing required parameter: 'max_tokens'." } });
    });
    await sendAndWait(bench, 'Go');
    expect(getErrorText(bench)).toContain('The gateway requires max_tokens');
    expect(getErrorText(bench)).toContain('Send max_tokens');
    await retryWithFixedFields(bench);
    expect(gateway.posts.at(-1)?.body).toHaveProperty('max_tokens', 1024);
  });

  it('offers no fix for an error that names no field', async () => {
    const { bench } = await createConversation((answer) =>
      answer.sendJson(400, { error: { message: 'The conversation is too long.' } }),
    );
    configureLane(bench, { model: 'north/one', fields: { max_tokens: '200' } });
    await sendAndWait(bench, 'Go');
    await waitUntil(() => getPhase(bench) === 'failed');
    expect(getErrorText(bench)).toContain('The gateway rejected the request');
    expect(getErrorText(bench)).not.toMatch(/Leave|Send /);
  });
});
