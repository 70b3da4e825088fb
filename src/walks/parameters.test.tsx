/** Tests setting parameters and the resulting requests. */
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { createParamsEdit } from '../conversation/session/lanes.ts';
import { defaultParams, PARAMS, withSent, withText, type Params } from '../conversation/setup/params.ts';
import { TurnView } from '../features/conversation/reply/turn-view.tsx';
import { LaneFooter } from '../features/lanes/lane-footer.tsx';
import { Parameters } from '../features/parameters/parameters.tsx';
import type { Bench } from '../testing/bench.ts';
import {
  sendAndWait,
  createConversation,
  getLastTurnIds,
  getTurnRun,
  getLaneTurn,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderReplies } from '../testing/render-turns.tsx';
import { renderText, renderWithPlayground } from '../testing/render-with-playground.tsx';

const getParams = (bench: Bench): Params =>
  bench.getOpenSession().lanes[bench.getOpenSession().session.laneIds[0] ?? '']?.setup.params ?? {};

/** Edits the parameters as the sidebar does. */
function editParams(bench: Bench, change: (params: Params) => Params): void {
  const previousParams = getParams(bench);
  bench.actions.changeSetups(
    bench.getOpenSession().session.laneIds,
    createParamsEdit(previousParams, change(previousParams)),
  );
}

function renderSidebar(bench: Bench): string {
  bench.view.setState({ isParametersOverlayOpen: true });
  return renderText(bench, <Parameters />);
}

function renderMetrics(bench: Bench): string {
  const [laneId = ''] = bench.getOpenSession().session.laneIds;
  return renderText(bench, <LaneFooter laneId={laneId} index={0} />);
}

describe('single parameter', () => {
  it('omits an unchecked parameter and remembers its last value', async () => {
    const { bench, gateway } = await createConversation();
    editParams(bench, (params) => withText(params, 'temperature', '0.3'));
    await sendAndWait(bench, 'Go');
    editParams(bench, (params) => withSent(params, 'temperature', false));
    await bench.actions.regenerateLastTurns();
    editParams(bench, (params) => withSent(params, 'temperature', true));
    await bench.actions.regenerateLastTurns();
    expect(gateway.posts.map(({ body }) => body['temperature'])).toEqual([0.3, undefined, 0.3]);
  });

  it('flags an out-of-range value in its field and does not send it', async () => {
    const { bench, gateway } = await createConversation();
    editParams(bench, (params) => withText(params, 'thinking_budget', '64'));
    expect(renderSidebar(bench)).toContain('Must be between 128 and 32,768. Not sent.');
    await sendAndWait(bench, 'Go');
    expect(gateway.posts[0]?.body).not.toHaveProperty('thinking_budget');
  });
});

describe('reset of all parameters', () => {
  it('resets all parameters together and undoes the reset', async () => {
    const { bench } = await createConversation();
    editParams(bench, (params) => withText(withText(params, 'top_k', '12'), 'seed', '7'));
    const previousParams = getParams(bench);
    expect(renderSidebar(bench)).toContain(`4 of ${PARAMS.length} sent`);
    const { laneIds } = bench.getOpenSession().session;
    bench.actions.replaceSetups(
      laneIds,
      createParamsEdit(previousParams, defaultParams),
      'Reset all parameters.',
    );
    expect(renderSidebar(bench)).toContain(`2 of ${PARAMS.length} sent`);
    const { undo } = bench.session.getState();
    expect(undo?.text).toBe('Reset all parameters.');
    undo?.restore();
    expect(getParams(bench)).toEqual(previousParams);
  });
});

describe('request without streaming', () => {
  it('handles a complete response in the same way as a streamed one', async () => {
    const { bench, gateway } = await createConversation((answer) =>
      answer.sendJson(200, {
        id: 'whole-1',
        object: 'chat.completion',
        created: 1,
        model: 'north/one',
        choices: [
          { index: 0, message: { role: 'assistant', content: 'In one piece' }, finish_reason: 'stop' },
        ],
        usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
      }),
    );
    editParams(bench, (params) => withSent(params, 'stream', false));
    await sendAndWait(bench, 'Go');
    expect(getLaneTranscript(bench)).toEqual([['Go', 'In one piece']]);
    expect(getTurnRun(bench).phase.name).toBe('complete');
    expect(gateway.posts[0]?.body).not.toHaveProperty('stream');
    expect(renderMetrics(bench)).toContain('11 / 3');
  });
});

describe('stream without usage', () => {
  it('estimates missing usage and offers stream_options for the next request', async () => {
    const { bench, gateway } = await createConversation((answer, { body }) => {
      answer.sendText('Counted');
      answer.sendFinishReason();
      if (body['stream_options']) answer.sendUsage(21, 1);
      answer.sendDone();
    });
    editParams(bench, (params) => withSent(params, 'stream_options', false));
    await sendAndWait(bench, 'Go');
    expect(renderMetrics(bench)).toMatch(/~\d+ \/ ~\d+/);
    expect(renderReplies(bench)[0]?.text).toContain('Request token counts');
    const reply = <TurnView turnId={getLaneTurn(bench).id} laneIndex={0} turnNumber={1} />;
    const { user } = renderWithPlayground(reply, { playground: bench });
    await user.click(screen.getByRole('button', { name: 'Request token counts' }));
    expect(renderReplies(bench)[0]?.text).not.toContain('Request token counts');
    await bench.actions.regenerate(getLastTurnIds(bench));
    expect(gateway.posts[1]?.body).toMatchObject({ stream_options: { include_usage: true } });
    expect(renderMetrics(bench)).toContain('21 / 1');
  });
});
