/** Parameters as a person sets them, and what then goes over the wire. */
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { createParamsEdit } from '../conversation/session/lanes.ts';
import { defaultParams, PARAMS, withSent, withText, type Params } from '../conversation/setup/params.ts';
import { LaneFooter } from '../features/playground/lane/lane-footer.tsx';
import { Parameters } from '../features/playground/parameters.tsx';
import { TurnView } from '../features/playground/reply/turn-view.tsx';
import type { Bench } from '../testing/bench.ts';
import { ask, aTalk, lastTurnIds, runOf, shownTurn, talkIn } from '../testing/conversation-driver.ts';
import { press } from '../testing/react-driver.ts';
import { drawnReplies, markupOf, wordsIn } from '../testing/render-views.tsx';

const paramsOf = (bench: Bench): Params =>
  bench.current().lanes[bench.current().session.laneIds[0] ?? '']?.setup.params ?? {};

/** Edits the parameters as the sidebar does. */
function edit(bench: Bench, change: (params: Params) => Params): void {
  const before = paramsOf(bench);
  bench.actions.changeSetups(bench.current().session.laneIds, createParamsEdit(before, change(before)));
}

/** Without a page the sidebar is drawn as on a narrow one, where it is opened on purpose. */
function sidebarOf(bench: Bench): string {
  bench.view.setState({ isParametersOverlayOpen: true });
  return markupOf(bench, createElement(Parameters));
}

function metricsOf(bench: Bench): string {
  const [laneId = ''] = bench.current().session.laneIds;
  return wordsIn(markupOf(bench, createElement(LaneFooter, { laneId, index: 0 })));
}

describe('a parameter', () => {
  it('that is unticked is not sent, and its last value is remembered', async () => {
    const { bench, gateway } = await aTalk();
    edit(bench, (params) => withText(params, 'temperature', '0.3'));
    await ask(bench, 'Go');
    edit(bench, (params) => withSent(params, 'temperature', false));
    await bench.actions.regenerateLastTurns();
    edit(bench, (params) => withSent(params, 'temperature', true));
    await bench.actions.regenerateLastTurns();
    expect(gateway.posts.map(({ body }) => body['temperature'])).toEqual([0.3, undefined, 0.3]);
  });

  it('with a value out of range is flagged at its place and not sent', async () => {
    const { bench, gateway } = await aTalk();
    edit(bench, (params) => withText(params, 'thinking_budget', '64'));
    expect(sidebarOf(bench)).toContain('Must be 128 to 32,768. Not sent.');
    await ask(bench, 'Go');
    expect(gateway.posts[0]?.body).not.toHaveProperty('thinking_budget');
  });
});

describe('all parameters', () => {
  it('are reset at once, which can be undone', async () => {
    const { bench } = await aTalk();
    edit(bench, (params) => withText(withText(params, 'top_k', '12'), 'seed', '7'));
    const before = paramsOf(bench);
    expect(sidebarOf(bench)).toContain(`4 of ${PARAMS.length} sent`);
    const { laneIds } = bench.current().session;
    bench.actions.replaceSetups(laneIds, createParamsEdit(before, defaultParams), 'Reset all parameters.');
    expect(sidebarOf(bench)).toContain(`2 of ${PARAMS.length} sent`);
    const { undo } = bench.session.getState();
    expect(undo?.text).toBe('Reset all parameters.');
    undo?.restore();
    expect(paramsOf(bench)).toEqual(before);
  });
});

describe('without stream', () => {
  it('the whole answer takes the same road', async () => {
    const { bench, gateway } = await aTalk((answer) =>
      answer.json(200, {
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
    edit(bench, (params) => withSent(params, 'stream', false));
    await ask(bench, 'Go');
    expect(talkIn(bench)).toEqual([['Go', 'In one piece']]);
    expect(runOf(bench).phase.name).toBe('complete');
    expect(gateway.posts[0]?.body).not.toHaveProperty('stream');
    expect(metricsOf(bench)).toContain('11 / 3');
  });
});

describe('a stream that brought no usage', () => {
  it('is counted here, with an offer to ask for it, which is taken up by the next request', async () => {
    const { bench, gateway } = await aTalk((answer, { body }) => {
      answer.text('Counted');
      answer.finish();
      if (body['stream_options']) answer.usage(21, 1);
      answer.done();
    });
    edit(bench, (params) => withSent(params, 'stream_options', false));
    await ask(bench, 'Go');
    expect(metricsOf(bench)).toMatch(/~\d+ \/ ~\d+/);
    expect(drawnReplies(bench)[0]?.words).toContain('Request token counts');
    const reply = createElement(TurnView, { turnId: shownTurn(bench).id, laneIndex: 0, number: 1 });
    press(bench, reply, 'Request token counts');
    expect(drawnReplies(bench)[0]?.words).not.toContain('Request token counts');
    await bench.actions.regenerate(lastTurnIds(bench));
    expect(gateway.posts[1]?.body).toMatchObject({ stream_options: { include_usage: true } });
    expect(metricsOf(bench)).toContain('21 / 1');
  });
});
