/** Several lanes side by side, as a person works with them. */
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { defaultDraftView } from '../conversation/session/draft.ts';
import { createParamsEdit } from '../conversation/session/lanes.ts';
import { withText, type ParamName } from '../conversation/setup/params.ts';
import { CompareTexts } from '../features/playground/comparison/compare-texts.tsx';
import { useTargetLanes } from '../features/playground/composer/composer.tsx';
import { DifferencesStrip } from '../features/playground/differences-strip.tsx';
import { LaneChips } from '../features/playground/lane/lane-chips.tsx';
import { SessionBar } from '../features/playground/session-bar/session-bar.tsx';
import type { Bench } from '../testing/bench.ts';
import { aGate, spoken } from '../testing/builders.ts';
import {
  ask,
  aTalk,
  lastTurnIds,
  reloaded,
  runOf,
  shownTurn,
  talkIn,
} from '../testing/conversation-driver.ts';
import { drawnReplies, markupOf, readHook, wordsIn } from '../testing/render-views.tsx';
import { sayHello } from '../testing/scripted-gateway.ts';
import { until } from '../testing/wait-until.ts';

const models = ['north/one', 'north/two', 'north/three', 'north/four', 'north/five', 'north/six'];

/** A session with so many lanes, each with a model of its own. */
async function withLanes(count: number, ...asked: Parameters<typeof aTalk>) {
  const talk = await aTalk(...asked);
  for (let added = 1; added < count; added += 1) talk.bench.actions.addLane();
  const { laneIds } = talk.bench.current().session;
  for (const [index, laneId] of laneIds.entries())
    talk.bench.actions.changeSetup(laneId, { model: models[index] ?? '' });
  return { ...talk, laneIds };
}

const modelsOf = ({ current }: Bench) =>
  current().session.laneIds.map((laneId) => current().lanes[laneId]?.setup.model);

/** Sets one parameter in these lanes, as the sidebar does where these are in scope. */
function setParameter(bench: Bench, laneIds: readonly string[], name: ParamName, text: string): void {
  const before = bench.current().lanes[laneIds[0] ?? '']?.setup.params ?? {};
  bench.actions.changeSetups(laneIds, createParamsEdit(before, withText(before, name, text)));
}

const stripOf = (bench: Bench) => wordsIn(markupOf(bench, createElement(DifferencesStrip)));
const phases = (bench: Bench) => Object.values(bench.current().runs).map(({ phase }) => phase.name);
const phaseIn = (bench: Bench, lane: number) => runOf(bench, shownTurn(bench, undefined, lane)).phase.name;

describe('a message', () => {
  it('goes to every lane, each with its own model and setup', async () => {
    const { bench, gateway, laneIds } = await withLanes(2);
    setParameter(bench, laneIds.slice(1), 'temperature', '0.2');
    await ask(bench, 'Hello to both');
    const messages = [{ role: 'user', content: 'Hello to both' }];
    const streamed = { messages, stream: true, stream_options: { include_usage: true } };
    expect(gateway.posts.map(({ body }) => body)).toEqual(
      expect.arrayContaining([
        { model: 'north/one', ...streamed },
        { model: 'north/two', ...streamed, temperature: 0.2 },
      ]),
    );
    expect(gateway.posts).toHaveLength(2);
    expect(phases(bench)).toEqual(['complete', 'complete']);
  });

  it('goes to the lanes that are chosen after To, and lanes that diverge show their own prompt', async () => {
    const { bench, gateway, laneIds } = await withLanes(2);
    await ask(bench, 'To both');
    bench.view.setState({ notTo: laneIds.slice(0, 1) });
    await bench.actions.sendPrompt(spoken('Only to B'), readHook(bench, useTargetLanes));
    expect(gateway.posts).toHaveLength(3);
    expect(gateway.posts[2]?.body).toMatchObject({ model: 'north/two', messages: { length: 3 } });
    expect(talkIn(bench, 0).map(([said]) => said)).toEqual(['To both']);
    expect(talkIn(bench, 1).map(([said]) => said)).toEqual(['To both', 'Only to B']);
    expect(drawnReplies(bench)).toHaveLength(3);
  });

  it('that waits goes after a reload where it would have gone: lanes left out, hidden names and the author stay', async () => {
    const { bench, laneIds } = await withLanes(3);
    const { id } = bench.current().session;
    bench.view.setState({ notTo: laneIds.slice(2), author: 'ada', namesHidden: true });
    bench.drafts.change(id, (draft) => ({ ...draft, text: 'Not for all' }));
    const again = await reloaded(bench);
    await until(() => again.drafts.state.getState()[id]?.text === 'Not for all');
    expect(readHook(again, useTargetLanes)).toEqual(laneIds.slice(0, 2));
    expect(again.view.getState()).toMatchObject({ author: 'ada', namesHidden: true });

    await ask(again, 'Said, so that another session can be begun');
    await again.actions.createSession();
    expect(again.current().session.id).not.toBe(id);
    expect(again.view.getState()).toMatchObject(defaultDraftView);
  });
});

describe('the strip of differences', () => {
  it('names what differs, and is empty when the requests are equal', async () => {
    const { bench, laneIds } = await withLanes(2);
    const [a = '', b = ''] = laneIds;
    bench.actions.changeSetup(b, { model: 'north/one' });
    expect(stripOf(bench)).toBe('');
    setParameter(bench, [a], 'temperature', '0.2');
    setParameter(bench, [b], 'temperature', '0.9');
    bench.actions.changeSetup(b, { system: 'Be brief.\nName the trade-off.' });
    expect(stripOf(bench)).toContain('temperature 0.2 / 0.9');
    expect(stripOf(bench)).toContain('system prompt');
    expect(markupOf(bench, createElement(LaneChips, { laneId: a }))).toContain('temperature 0.2');
    setParameter(bench, laneIds, 'temperature', '0.5');
    bench.actions.changeSetup(b, { system: '' });
    expect(stripOf(bench)).toBe('');
  });
});

describe('an edit in All lanes', () => {
  it('writes that one parameter to every lane and leaves the others alone', async () => {
    const { bench, gateway, laneIds } = await withLanes(2);
    setParameter(bench, laneIds.slice(1), 'seed', '7');
    setParameter(bench, laneIds, 'max_tokens', '50');
    await ask(bench, 'Go');
    expect(gateway.posts.map(({ body }) => [body['model'], body['max_tokens'], body['seed']])).toEqual(
      expect.arrayContaining([
        ['north/one', 50, undefined],
        ['north/two', 50, 7],
      ]),
    );
  });
});

describe('a lane', () => {
  it('that fails harms no other, and is retried alone', async () => {
    let isFailing = true;
    const { bench, gateway } = await withLanes(2, (answer, { body }) => {
      if (body['model'] !== 'north/two' || !isFailing) return answer.whole('Fine');
      const error = { message: 'No capacity', type: 'upstream_unavailable', code: '503' };
      return answer.json(503, { error });
    });
    await ask(bench, 'Go');
    expect([phaseIn(bench, 0), phaseIn(bench, 1)]).toEqual(['complete', 'failed']);
    const [fine, failed] = drawnReplies(bench);
    expect(fine?.words).not.toContain('Retry');
    expect(failed?.words).toContain('No capacity');
    expect(failed?.words).toContain('Retry');
    isFailing = false;
    await bench.actions.regenerate(lastTurnIds(bench).slice(1));
    expect(phaseIn(bench, 1)).toBe('complete');
    expect(gateway.posts.filter(({ body }) => body['model'] === 'north/one')).toHaveLength(1);
  });

  it('is stopped alone while the other goes on', async () => {
    const rest = aGate();
    const { bench, gateway } = await withLanes(2, async (answer, { body }) => {
      answer.text(`${String(body['model'])} begins`);
      await rest.opened;
      answer.whole(' and ends');
    });
    const asked = ask(bench, 'Go');
    await until(() => talkIn(bench, 0)[0]?.[1] === 'north/one begins');
    await bench.actions.stop(runOf(bench, shownTurn(bench, undefined, 0)).id);
    expect(phaseIn(bench, 0)).toBe('stopped');
    await gateway.posts.find(({ body }) => body['model'] === 'north/one')?.left;
    rest.open();
    await asked;
    expect(phaseIn(bench, 1)).toBe('complete');
    expect(talkIn(bench, 0)).toEqual([['Go', 'north/one begins']]);
    expect(talkIn(bench, 1)).toEqual([['Go', 'north/two begins and ends']]);
  });

  it('is duplicated with its history, moved, removed and brought back, also over a reload', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'Said before');
    bench.actions.addLane();
    expect(talkIn(bench, 1)).toEqual([['Said before', 'Answer 1']]);
    const [a = '', b = ''] = bench.current().session.laneIds;
    bench.actions.changeSetup(a, { model: 'north/one' });
    bench.actions.changeSetup(b, { model: 'north/two' });
    bench.actions.moveLane(b, -1);
    expect(modelsOf(bench)).toEqual(['north/two', 'north/one']);
    await bench.actions.removeLane(a);
    expect(modelsOf(bench)).toEqual(['north/two']);
    expect(bench.session.getState().undo?.text).toBe('Removed lane B.');
    bench.session.getState().undo?.restore();
    const again = await reloaded(bench);
    expect(modelsOf(again)).toEqual(['north/two', 'north/one']);
    for (const lane of [0, 1]) expect(talkIn(again, lane)).toEqual([['Said before', 'Answer 1']]);
  });

  it('gives its setup to all lanes, which can be undone', async () => {
    const { bench, laneIds } = await withLanes(3);
    const [a = '', b = ''] = laneIds;
    bench.actions.changeSetup(b, { system: 'Only in B' });
    const before = bench.current().lanes;
    bench.actions.copySetupToAll(a);
    expect(modelsOf(bench)).toEqual(['north/one', 'north/one', 'north/one']);
    expect(bench.current().lanes[b]?.setup.system).toBe('');
    const { undo } = bench.session.getState();
    expect(undo?.text).toBe('Copied the setup of lane A to 2 lanes.');
    undo?.restore();
    expect(bench.current().lanes).toEqual(before);
  });
});

describe('six lanes', () => {
  it('are the limit, and four of their requests are open at a time, also while another screen is shown', async () => {
    let open = 0;
    let most = 0;
    const end = aGate();
    const { bench } = await withLanes(6, async (answer) => {
      open += 1;
      most = Math.max(most, open);
      answer.text('Started');
      await end.opened;
      // The place is free once the answer is over, not before.
      open -= 1;
      answer.whole();
    });
    expect(markupOf(bench, createElement(SessionBar))).toContain('title="Limit: 6 lanes"');
    bench.actions.addLane();
    expect(bench.current().session.laneIds).toHaveLength(6);
    const asked = ask(bench, 'Go');
    await until(() => phases(bench).filter((phase) => phase === 'streaming').length === 4);
    expect(phases(bench).filter((phase) => phase === 'queued')).toHaveLength(2);
    bench.router.navigate({ screen: 'page', path: '/history' });
    end.open();
    await asked;
    expect(phases(bench)).toEqual(Array.from({ length: 6 }, () => 'complete'));
    expect(most).toBe(4);
  });
});

describe('two tabs', () => {
  it('share the four places', async () => {
    let open = 0;
    const { bench } = await withLanes(3, async (answer) => {
      open += 1;
      answer.text('Started');
      await new Promise<void>((resolve) => answer.response.on('close', () => resolve()));
      open -= 1;
    });
    void ask(bench, 'Three here');
    await until(() => open === 3);
    const second = await bench.another({ path: '/' });
    await second.actions.createSession();
    void ask(second, 'Three there');
    await until(() => open === 4 && phases(second).filter((phase) => phase === 'queued').length === 2);
    await bench.actions.stop();
    await until(() => !phases(second).includes('queued'));
    await expect.poll(() => open).toBe(3);
  });
});

describe('the minute', () => {
  it('lets no more requests leave than the server allows, and says when the next one starts', async () => {
    const { bench, gateway } = await withLanes(3, sayHello, { limit: 2 });
    void ask(bench, 'Go');
    await until(() => phases(bench).filter((phase) => phase === 'complete').length === 2);
    expect(phases(bench)).toContain('queued');
    expect(drawnReplies(bench).filter(({ words }) => /Starts in \d+ s/.test(words))).toHaveLength(1);
    expect(gateway.posts).toHaveLength(2);
  });
});

describe('two answers', () => {
  it('are compared by words', async () => {
    const { bench } = await withLanes(2, (answer, { body }) =>
      answer.whole(
        'What both of them say first. '.repeat(20),
        body['model'] === 'north/one' ? 'Roll back now.' : 'Roll back later.',
      ),
    );
    await ask(bench, 'Go');
    const dialog = markupOf(bench, createElement(CompareTexts, { onClose: () => undefined }));
    const marked = [...dialog.matchAll(/<mark[^>]*>([^<]*)/g)].map(([, words]) => words);
    expect(marked).toEqual(['now', 'later']);
    expect(wordsIn(dialog)).toMatch(/99% in common\s*1 difference/);
  });
});
