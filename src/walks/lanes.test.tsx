/** Tests working with several lanes side by side. */
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { defaultDraftView } from '../conversation/session/draft.ts';
import { createParamsEdit } from '../conversation/session/lanes.ts';
import { withText, type ParamName } from '../conversation/setup/params.ts';
import { CompareTexts } from '../features/compare/compare-texts.tsx';
import { useTargetLanes } from '../features/composer/composer-targets.tsx';
import { LaneChips } from '../features/lanes/lane-chips.tsx';
import { DifferencesStrip } from '../features/playground/differences-strip.tsx';
import { SessionBar } from '../features/session/session-bar.tsx';
import type { Bench } from '../testing/bench.ts';
import { createGate, createUserPrompt } from '../testing/builders.ts';
import {
  sendAndWait,
  createConversation,
  getLastTurnIds,
  reloadPage,
  getTurnRun,
  getLaneTurn,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderReplies } from '../testing/render-turns.tsx';
import {
  getVisibleText,
  readHook,
  renderText,
  renderWithPlayground,
} from '../testing/render-with-playground.tsx';
import { sendHello } from '../testing/scripted-gateway.ts';
import { waitUntil } from '../testing/wait-until.ts';

const models = ['north/one', 'north/two', 'north/three', 'north/four', 'north/five', 'north/six'];

/** Creates a session with `count` lanes, each with a different model. */
async function createLanes(count: number, ...conversationArgs: Parameters<typeof createConversation>) {
  const conversation = await createConversation(...conversationArgs);
  for (let laneCount = 1; laneCount < count; laneCount += 1) conversation.bench.actions.addLane();
  const { laneIds } = conversation.bench.getOpenSession().session;
  for (const [index, laneId] of laneIds.entries())
    conversation.bench.actions.changeSetup(laneId, { model: models[index] ?? '' });
  return { ...conversation, laneIds };
}

const listLaneModels = ({ getOpenSession }: Bench) =>
  getOpenSession().session.laneIds.map((laneId) => getOpenSession().lanes[laneId]?.setup.model);

/** Sets one parameter in these lanes, as the sidebar does when they are in scope. */
function setParameter(bench: Bench, laneIds: readonly string[], name: ParamName, text: string): void {
  const params = bench.getOpenSession().lanes[laneIds[0] ?? '']?.setup.params ?? {};
  bench.actions.changeSetups(laneIds, createParamsEdit(params, withText(params, name, text)));
}

const renderStrip = (bench: Bench) => renderText(bench, <DifferencesStrip />);
const listPhases = (bench: Bench) =>
  Object.values(bench.getOpenSession().runs).map(({ phase }) => phase.name);
const getPhase = (bench: Bench, lane: number) =>
  getTurnRun(bench, getLaneTurn(bench, undefined, lane)).phase.name;

describe('message to several lanes', () => {
  it('sends a message to every lane with its model and setup', async () => {
    const { bench, gateway, laneIds } = await createLanes(2);
    setParameter(bench, laneIds.slice(1), 'temperature', '0.2');
    await sendAndWait(bench, 'Hello to both');
    const messages = [{ role: 'user', content: 'Hello to both' }];
    const streamedBody = { messages, stream: true, stream_options: { include_usage: true } };
    expect(gateway.posts.map(({ body }) => body)).toEqual(
      expect.arrayContaining([
        { model: 'north/one', ...streamedBody },
        { model: 'north/two', ...streamedBody, temperature: 0.2 },
      ]),
    );
    expect(gateway.posts).toHaveLength(2);
    expect(listPhases(bench)).toEqual(['complete', 'complete']);
  });

  it('sends to the lanes chosen in To and shows separate prompts for lanes that diverge', async () => {
    const { bench, gateway, laneIds } = await createLanes(2);
    await sendAndWait(bench, 'To both');
    bench.view.setState({ notTo: laneIds.slice(0, 1) });
    await bench.actions.sendPrompt(createUserPrompt('Only to B'), readHook(bench, useTargetLanes));
    expect(gateway.posts).toHaveLength(3);
    expect(gateway.posts[2]?.body).toMatchObject({ model: 'north/two', messages: { length: 3 } });
    expect(getLaneTranscript(bench, 0).map(([prompt]) => prompt)).toEqual(['To both']);
    expect(getLaneTranscript(bench, 1).map(([prompt]) => prompt)).toEqual(['To both', 'Only to B']);
    expect(renderReplies(bench)).toHaveLength(3);
  });

  it('restores excluded lanes, hidden names and the author of a draft after a reload', async () => {
    const { bench, laneIds } = await createLanes(3);
    const { id } = bench.getOpenSession().session;
    bench.view.setState({ notTo: laneIds.slice(2), author: 'ada', namesHidden: true });
    bench.drafts.change(id, (draft) => ({ ...draft, text: 'Not for all' }));
    const reloadedBench = await reloadPage(bench);
    await waitUntil(() => reloadedBench.drafts.state.getState()[id]?.text === 'Not for all');
    expect(readHook(reloadedBench, useTargetLanes)).toEqual(laneIds.slice(0, 2));
    expect(reloadedBench.view.getState()).toMatchObject({ author: 'ada', namesHidden: true });

    await sendAndWait(reloadedBench, 'Said, so that another session can be begun');
    await reloadedBench.actions.createSession();
    expect(reloadedBench.getOpenSession().session.id).not.toBe(id);
    expect(reloadedBench.view.getState()).toMatchObject(defaultDraftView);
  });
});

describe('differences strip', () => {
  it('lists the differences between lanes and shows nothing for equal requests', async () => {
    const { bench, laneIds } = await createLanes(2);
    const [a = '', b = ''] = laneIds;
    bench.actions.changeSetup(b, { model: 'north/one' });
    expect(renderStrip(bench)).toBe('');
    setParameter(bench, [a], 'temperature', '0.2');
    setParameter(bench, [b], 'temperature', '0.9');
    bench.actions.changeSetup(b, { system: 'Be brief.\nName the trade-off.' });
    expect(renderStrip(bench)).toContain('temperature 0.2 / 0.9');
    expect(renderStrip(bench)).toContain('system prompt');
    expect(renderText(bench, <LaneChips laneId={a} />)).toContain('temperature 0.2');
    setParameter(bench, laneIds, 'temperature', '0.5');
    bench.actions.changeSetup(b, { system: '' });
    expect(renderStrip(bench)).toBe('');
  });
});

describe('edit in All lanes', () => {
  it('writes one parameter to every lane and leaves their other parameters unchanged', async () => {
    const { bench, gateway, laneIds } = await createLanes(2);
    setParameter(bench, laneIds.slice(1), 'seed', '7');
    setParameter(bench, laneIds, 'max_tokens', '50');
    await sendAndWait(bench, 'Go');
    expect(gateway.posts.map(({ body }) => [body['model'], body['max_tokens'], body['seed']])).toEqual(
      expect.arrayContaining([
        ['north/one', 50, undefined],
        ['north/two', 50, 7],
      ]),
    );
  });
});

describe('single lane among several', () => {
  it('retries a failed lane without affecting the others', async () => {
    let isFailing = true;
    const { bench, gateway } = await createLanes(2, (answer, { body }) => {
      if (body['model'] !== 'north/two' || !isFailing) return answer.sendAnswer('Fine');
      const error = { message: 'No capacity', type: 'upstream_unavailable', code: '503' };
      return answer.sendJson(503, { error });
    });
    await sendAndWait(bench, 'Go');
    expect([getPhase(bench, 0), getPhase(bench, 1)]).toEqual(['complete', 'failed']);
    const [completeReply, failedReply] = renderReplies(bench);
    expect(completeReply?.text).not.toContain('Retry');
    expect(failedReply?.text).toContain('No capacity');
    expect(failedReply?.text).toContain('Retry');
    isFailing = false;
    await bench.actions.regenerate(getLastTurnIds(bench).slice(1));
    expect(getPhase(bench, 1)).toBe('complete');
    expect(gateway.posts.filter(({ body }) => body['model'] === 'north/one')).toHaveLength(1);
  });

  it('stops one lane while the other continues', async () => {
    const gate = createGate();
    const { bench, gateway } = await createLanes(2, async (answer, { body }) => {
      answer.sendText(`${String(body['model'])} begins`);
      await gate.opened;
      answer.sendAnswer(' and ends');
    });
    const sendPromise = sendAndWait(bench, 'Go');
    await waitUntil(() => getLaneTranscript(bench, 0)[0]?.[1] === 'north/one begins');
    await bench.actions.stop(getTurnRun(bench, getLaneTurn(bench, undefined, 0)).id);
    expect(getPhase(bench, 0)).toBe('stopped');
    await gateway.posts.find(({ body }) => body['model'] === 'north/one')?.disconnection;
    gate.open();
    await sendPromise;
    expect(getPhase(bench, 1)).toBe('complete');
    expect(getLaneTranscript(bench, 0)).toEqual([['Go', 'north/one begins']]);
    expect(getLaneTranscript(bench, 1)).toEqual([['Go', 'north/two begins and ends']]);
  });

  it('duplicates a lane with its history, moves it, removes it and restores it, also after a reload', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'Said before');
    bench.actions.addLane();
    expect(getLaneTranscript(bench, 1)).toEqual([['Said before', 'Answer 1']]);
    const [a = '', b = ''] = bench.getOpenSession().session.laneIds;
    bench.actions.changeSetup(a, { model: 'north/one' });
    bench.actions.changeSetup(b, { model: 'north/two' });
    bench.actions.moveLane(b, -1);
    expect(listLaneModels(bench)).toEqual(['north/two', 'north/one']);
    await bench.actions.removeLane(a);
    expect(listLaneModels(bench)).toEqual(['north/two']);
    expect(bench.session.getState().undo?.text).toBe('Removed lane B.');
    bench.session.getState().undo?.restore();
    const reloadedBench = await reloadPage(bench);
    expect(listLaneModels(reloadedBench)).toEqual(['north/two', 'north/one']);
    for (const lane of [0, 1])
      expect(getLaneTranscript(reloadedBench, lane)).toEqual([['Said before', 'Answer 1']]);
  });

  it("copies a lane's setup to all lanes and undoes the copy", async () => {
    const { bench, laneIds } = await createLanes(3);
    const [a = '', b = ''] = laneIds;
    bench.actions.changeSetup(b, { system: 'Only in B' });
    const previousLanes = bench.getOpenSession().lanes;
    bench.actions.copySetupToAll(a);
    expect(listLaneModels(bench)).toEqual(['north/one', 'north/one', 'north/one']);
    expect(bench.getOpenSession().lanes[b]?.setup.system).toBe('');
    const { undo } = bench.session.getState();
    expect(undo?.text).toBe('Copied the setup of lane A to 2 lanes.');
    undo?.restore();
    expect(bench.getOpenSession().lanes).toEqual(previousLanes);
  });
});

describe('six lanes', () => {
  it('allows six lanes and four concurrent requests, also while another screen is open', async () => {
    let openRequests = 0;
    let peakOpenRequests = 0;
    const gate = createGate();
    const { bench } = await createLanes(6, async (answer) => {
      openRequests += 1;
      peakOpenRequests = Math.max(peakOpenRequests, openRequests);
      answer.sendText('Started');
      await gate.opened;
      // The slot is released when the answer ends, not earlier.
      openRequests -= 1;
      answer.sendAnswer();
    });
    renderWithPlayground(<SessionBar />, { playground: bench });
    expect(screen.getByTitle('Limit: 6 lanes')).toBeTruthy();
    bench.actions.addLane();
    expect(bench.getOpenSession().session.laneIds).toHaveLength(6);
    const sendPromise = sendAndWait(bench, 'Go');
    await waitUntil(() => listPhases(bench).filter((phase) => phase === 'streaming').length === 4);
    expect(listPhases(bench).filter((phase) => phase === 'queued')).toHaveLength(2);
    bench.router.navigate({ screen: 'page', path: '/history' });
    gate.open();
    await sendPromise;
    expect(listPhases(bench)).toEqual(Array.from({ length: 6 }, () => 'complete'));
    expect(peakOpenRequests).toBe(4);
  });
});

describe('two tabs', () => {
  it('shares the four request slots between tabs', async () => {
    let openRequests = 0;
    const { bench } = await createLanes(3, async (answer) => {
      openRequests += 1;
      answer.sendText('Started');
      await new Promise<void>((resolve) => answer.response.on('close', () => resolve()));
      openRequests -= 1;
    });
    void sendAndWait(bench, 'Three here');
    await waitUntil(() => openRequests === 3);
    const secondTab = await bench.openAnotherTab({ path: '/' });
    await secondTab.actions.createSession();
    void sendAndWait(secondTab, 'Three there');
    await waitUntil(
      () => openRequests === 4 && listPhases(secondTab).filter((phase) => phase === 'queued').length === 2,
    );
    await bench.actions.stop();
    await waitUntil(() => !listPhases(secondTab).includes('queued'));
    await expect.poll(() => openRequests).toBe(3);
  });
});

describe('rate limit', () => {
  it("sends at most the server's limit of requests per minute and shows when the next one starts", async () => {
    const { bench, gateway } = await createLanes(3, sendHello, { requestsPerMinute: 2 });
    void sendAndWait(bench, 'Go');
    await waitUntil(() => listPhases(bench).filter((phase) => phase === 'complete').length === 2);
    expect(listPhases(bench)).toContain('queued');
    expect(renderReplies(bench).filter(({ text }) => /Starts in \d+ s/.test(text))).toHaveLength(1);
    expect(gateway.posts).toHaveLength(2);
  });
});

describe('comparison of two answers', () => {
  it('marks the differing words of two answers', async () => {
    const { bench } = await createLanes(2, (answer, { body }) =>
      answer.sendAnswer(
        'What both of them say first. '.repeat(20),
        body['model'] === 'north/one' ? 'Roll back now.' : 'Roll back later.',
      ),
    );
    await sendAndWait(bench, 'Go');
    renderWithPlayground(<CompareTexts onClose={() => undefined} />, { playground: bench });
    const dialog = screen.getByRole('dialog', { name: 'Compare texts' });
    expect(
      within(dialog)
        .getAllByRole('mark')
        .map(({ textContent }) => textContent),
    ).toEqual(['now', 'later']);
    expect(getVisibleText(dialog)).toMatch(/99% in common\s*1 difference/);
  });
});
