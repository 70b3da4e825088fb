/** Versions of answers and prompts, deletions and what takes them back, as a person goes through them. */
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { Composer } from '../features/playground/composer/composer.tsx';
import {
  ask,
  aTalk,
  lastTurnIds,
  messagesOf,
  reloaded,
  runOf,
  setUp,
  shownTurn,
  talkIn,
} from '../testing/conversation-driver.ts';
import { press } from '../testing/react-driver.ts';
import { drawnPrompts, drawnReplies, markupOf, wordsIn } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

describe('Regenerate', () => {
  it('keeps the old answer, one step back, also after a reload', async () => {
    const { bench, gateway } = await aTalk();
    await ask(bench, 'Question');
    expect(drawnReplies(bench)[0]?.markup).not.toContain('Previous version');
    await bench.actions.regenerate(lastTurnIds(bench));
    expect(talkIn(bench)).toEqual([['Question', 'Answer 2']]);
    expect(drawnReplies(bench)).toHaveLength(1);
    expect(drawnReplies(bench)[0]?.words).toContain('2 of 2');

    bench.actions.stepAnswer(shownTurn(bench).id, -1);
    expect(talkIn(bench)).toEqual([['Question', 'Answer 1']]);
    expect(drawnReplies(bench)[0]?.words).toContain('1 of 2');
    const again = await reloaded(bench);
    expect(talkIn(again)).toEqual([['Question', 'Answer 1']]);
    again.actions.stepAnswer(shownTurn(again).id, 1);
    expect(talkIn(again)).toEqual([['Question', 'Answer 2']]);
    expect(gateway.posts, 'stepping sends nothing').toHaveLength(2);
    expect(messagesOf(gateway), 'the old answer is not a part of the question').toEqual([user('Question')]);
  });

  it('leaves the version that is shown as the one the conversation goes on from', async () => {
    const { bench, gateway } = await aTalk();
    await ask(bench, 'Question');
    await bench.actions.regenerate(lastTurnIds(bench));
    bench.actions.stepAnswer(shownTurn(bench).id, -1);
    await ask(bench, 'And then?');
    expect(messagesOf(gateway)).toEqual([user('Question'), assistant('Answer 1'), user('And then?')]);
    bench.actions.stepAnswer(shownTurn(bench, 1).id, 1);
    expect(talkIn(bench), 'no messages after the other version').toEqual([['Question', 'Answer 2']]);
    bench.actions.stepAnswer(shownTurn(bench, 1).id, -1);
    expect(talkIn(bench)).toEqual([
      ['Question', 'Answer 1'],
      ['And then?', 'Answer 3'],
    ]);
  });

  it('above later turns keeps them under the old version', async () => {
    const { bench, gateway } = await aTalk();
    await ask(bench, 'First');
    await ask(bench, 'Second');
    await bench.actions.regenerate([shownTurn(bench, 1).id]);
    expect(talkIn(bench)).toEqual([['First', 'Answer 3']]);
    expect(messagesOf(gateway)).toEqual([user('First')]);
    expect(drawnReplies(bench)[0]?.words).toContain('1 later turn is in version 1');
    bench.actions.stepAnswer(shownTurn(bench).id, -1);
    expect(drawnReplies(bench)[0]?.words).not.toContain('later turn');
    expect(talkIn(bench)).toEqual([
      ['First', 'Answer 1'],
      ['Second', 'Answer 2'],
    ]);
  });
});

describe('an edited prompt', () => {
  it('is a version of its own; all that was below the old one stays, also after a reload', async () => {
    const { bench, gateway } = await aTalk();
    await ask(bench, 'First');
    await ask(bench, 'Second');
    const better = [{ role: 'user' as const, content: 'First, said better' }];
    await bench.actions.editPrompt([shownTurn(bench, 1).id], better, true);
    expect(talkIn(bench)).toEqual([['First, said better', 'Answer 3']]);
    expect(messagesOf(gateway)).toEqual([user('First, said better')]);
    expect(drawnPrompts(bench)).toHaveLength(1);
    expect(drawnPrompts(bench)[0]?.words).toContain('2 of 2');
    expect(drawnPrompts(bench)[0]?.words).toContain('1 later turn is in version 1');

    bench.actions.stepPrompt(lastTurnIds(bench), -1);
    const before = [
      ['First', 'Answer 1'],
      ['Second', 'Answer 2'],
    ];
    expect(talkIn(bench)).toEqual(before);
    const again = await reloaded(bench);
    expect(talkIn(again)).toEqual(before);
    again.actions.stepPrompt([shownTurn(again, 1).id], 1);
    expect(talkIn(again)).toEqual([['First, said better', 'Answer 3']]);
  });

  it('that is only saved is not sent, with a button that runs it', async () => {
    const { bench, gateway } = await aTalk();
    await ask(bench, 'First');
    await bench.actions.editPrompt(lastTurnIds(bench), [{ role: 'user', content: 'For later' }], false);
    expect(talkIn(bench)).toEqual([['For later', undefined]]);
    const again = await reloaded(bench);
    expect(drawnReplies(again)[0]?.words).toContain('Saved, not sent yet.');
    expect(drawnReplies(again)[0]?.words).toContain('Run');
    expect(gateway.posts).toHaveLength(1);

    await again.actions.regenerate(lastTurnIds(again));
    expect(talkIn(again)).toEqual([['For later', 'Answer 2']]);
    expect(messagesOf(gateway)).toEqual([user('For later')]);
    again.actions.stepPrompt(lastTurnIds(again), -1);
    expect(talkIn(again)).toEqual([['First', 'Answer 1']]);
  });

  it('goes out with what was said before it', async () => {
    const { bench, gateway } = await aTalk();
    await ask(bench, 'First');
    await ask(bench, 'Second');
    await bench.actions.editPrompt(lastTurnIds(bench), [{ role: 'user', content: 'Second, better' }], true);
    expect(messagesOf(gateway)).toEqual([user('First'), assistant('Answer 1'), user('Second, better')]);
  });
});

describe('a deletion', () => {
  it('says how much went, and Undo brings all of it back, for good', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'First');
    await ask(bench, 'Second');
    const before = talkIn(bench);
    await bench.actions.deletePrompt([shownTurn(bench, 1).id]);
    expect(talkIn(bench)).toEqual([]);
    expect(bench.session.getState().undo?.text).toBe('Deleted 2 messages and 2 answers.');
    bench.session.getState().undo?.restore();
    expect(talkIn(bench)).toEqual(before);
    expect(bench.session.getState().undo).toBeUndefined();
    expect(talkIn(await reloaded(bench))).toEqual(before);
  });

  it('stays after a reload where nobody took it back', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'First');
    await ask(bench, 'Second');
    await bench.actions.deleteTurns(lastTurnIds(bench));
    expect(bench.session.getState().undo?.text).toBe('Deleted 1 message and 1 answer.');
    const again = await reloaded(bench);
    expect(talkIn(again)).toEqual([['First', 'Answer 1']]);
    expect(again.session.getState().undo).toBeUndefined();
  });

  it('of one version of an answer shows the other', async () => {
    const { bench } = await aTalk();
    await ask(bench, 'Question');
    await bench.actions.regenerate(lastTurnIds(bench));
    await bench.actions.deleteTurns(lastTurnIds(bench));
    expect(talkIn(bench)).toEqual([['Question', 'Answer 1']]);
    expect(bench.session.getState().undo?.text).toBe('Deleted 1 answer.');
    bench.session.getState().undo?.restore();
    expect(talkIn(bench)).toEqual([['Question', 'Answer 2']]);
  });

  it('of a running answer stops it at the gateway', async () => {
    const { bench, gateway } = await aTalk((answer) => answer.text('Never ending'));
    const asked = ask(bench, 'Question');
    await until(() => talkIn(bench)[0]?.[1] === 'Never ending');
    await bench.actions.deletePrompt(lastTurnIds(bench));
    await gateway.posts[0]?.left;
    await asked;
    expect(talkIn(bench)).toEqual([]);
    bench.session.getState().undo?.restore();
    expect(talkIn(bench)).toEqual([['Question', 'Never ending']]);
    expect(runOf(bench).phase.name).toBe('stopped');
  });
});

it('Run again asks the last question once more with the current setup, and is not there before one was asked', async () => {
  const { bench, gateway } = await aTalk();
  const composer = createElement(Composer, { sessionId: bench.current().session.id });
  expect(wordsIn(markupOf(bench, composer))).toContain('Send');
  expect(wordsIn(markupOf(bench, composer))).not.toContain('Run again');
  await ask(bench, 'First');
  await ask(bench, 'Second');
  setUp(bench, { model: 'north/two', system: 'Be brief.', fields: { temperature: '0.1' } });
  press(bench, composer, 'Run again');
  await until(() => bench.endedRuns.length === 3);
  expect(talkIn(bench).at(-1)).toEqual(['Second', 'Answer 3']);
  expect(gateway.posts.at(-1)?.body).toMatchObject({
    model: 'north/two',
    temperature: 0.1,
    messages: [
      { role: 'system', content: 'Be brief.' },
      user('First'),
      assistant('Answer 1'),
      user('Second'),
    ],
  });
  expect(drawnReplies(bench).at(-1)?.markup).toContain('Assistant message, lane A, north/two, turn 2');
  bench.actions.stepAnswer(shownTurn(bench).id, -1);
  expect(drawnReplies(bench).at(-1)?.markup).toContain('Assistant message, lane A, demo/guide, turn 2');
  expect(talkIn(bench).at(-1)).toEqual(['Second', 'Answer 2']);
});
