/** Tests versions of answers and prompts, deletion and undo. */
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { Composer } from '../features/composer/composer.tsx';
import {
  sendAndWait,
  createConversation,
  getLastTurnIds,
  getRequestMessages,
  reloadPage,
  getTurnRun,
  configureLane,
  getLaneTurn,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderPrompts, renderReplies, renderReply } from '../testing/render-turns.tsx';
import { renderText, renderWithPlayground } from '../testing/render-with-playground.tsx';
import { waitUntil } from '../testing/wait-until.ts';

const toUserMessage = (content: string) => ({ role: 'user', content });
const toAssistantMessage = (content: string) => ({ role: 'assistant', content });

describe('Regenerate', () => {
  it('keeps the previous answer as a version on Regenerate, also after a reload', async () => {
    const { bench, gateway } = await createConversation();
    await sendAndWait(bench, 'Question');
    const { element } = renderReply(bench);
    expect(within(element).queryByRole('button', { name: 'Previous version' })).toBeNull();
    await bench.actions.regenerate(getLastTurnIds(bench));
    expect(getLaneTranscript(bench)).toEqual([['Question', 'Answer 2']]);
    expect(renderReplies(bench)).toHaveLength(1);
    expect(renderReplies(bench)[0]?.text).toContain('2 of 2');

    bench.actions.stepAnswer(getLaneTurn(bench).id, -1);
    expect(getLaneTranscript(bench)).toEqual([['Question', 'Answer 1']]);
    expect(renderReplies(bench)[0]?.text).toContain('1 of 2');
    const reloadedBench = await reloadPage(bench);
    expect(getLaneTranscript(reloadedBench)).toEqual([['Question', 'Answer 1']]);
    reloadedBench.actions.stepAnswer(getLaneTurn(reloadedBench).id, 1);
    expect(getLaneTranscript(reloadedBench)).toEqual([['Question', 'Answer 2']]);
    expect(gateway.posts, 'stepping sends nothing').toHaveLength(2);
    expect(getRequestMessages(gateway), 'the earlier answer is not sent').toEqual([
      toUserMessage('Question'),
    ]);
  });

  it('continues the conversation from the visible version', async () => {
    const { bench, gateway } = await createConversation();
    await sendAndWait(bench, 'Question');
    await bench.actions.regenerate(getLastTurnIds(bench));
    bench.actions.stepAnswer(getLaneTurn(bench).id, -1);
    await sendAndWait(bench, 'And then?');
    expect(getRequestMessages(gateway)).toEqual([
      toUserMessage('Question'),
      toAssistantMessage('Answer 1'),
      toUserMessage('And then?'),
    ]);
    bench.actions.stepAnswer(getLaneTurn(bench, 1).id, 1);
    expect(getLaneTranscript(bench), 'the other version has no later messages').toEqual([
      ['Question', 'Answer 2'],
    ]);
    bench.actions.stepAnswer(getLaneTurn(bench, 1).id, -1);
    expect(getLaneTranscript(bench)).toEqual([
      ['Question', 'Answer 1'],
      ['And then?', 'Answer 3'],
    ]);
  });

  it('keeps later turns in the previous version if an earlier turn is regenerated', async () => {
    const { bench, gateway } = await createConversation();
    await sendAndWait(bench, 'First');
    await sendAndWait(bench, 'Second');
    await bench.actions.regenerate([getLaneTurn(bench, 1).id]);
    expect(getLaneTranscript(bench)).toEqual([['First', 'Answer 3']]);
    expect(getRequestMessages(gateway)).toEqual([toUserMessage('First')]);
    expect(renderReplies(bench)[0]?.text).toContain('1 later turn is in version 1');
    bench.actions.stepAnswer(getLaneTurn(bench).id, -1);
    expect(renderReplies(bench)[0]?.text).not.toContain('later turn');
    expect(getLaneTranscript(bench)).toEqual([
      ['First', 'Answer 1'],
      ['Second', 'Answer 2'],
    ]);
  });
});

describe('edited prompt', () => {
  it('stores an edited prompt as a version and keeps the turns below the previous one, also after a reload', async () => {
    const { bench, gateway } = await createConversation();
    await sendAndWait(bench, 'First');
    await sendAndWait(bench, 'Second');
    const editedMessages = [{ role: 'user' as const, content: 'First, said better' }];
    await bench.actions.editPrompt([getLaneTurn(bench, 1).id], editedMessages, true);
    expect(getLaneTranscript(bench)).toEqual([['First, said better', 'Answer 3']]);
    expect(getRequestMessages(gateway)).toEqual([toUserMessage('First, said better')]);
    expect(renderPrompts(bench)).toHaveLength(1);
    expect(renderPrompts(bench)[0]?.text).toContain('2 of 2');
    expect(renderPrompts(bench)[0]?.text).toContain('1 later turn is in version 1');

    bench.actions.stepPrompt(getLastTurnIds(bench), -1);
    const originalTurns = [
      ['First', 'Answer 1'],
      ['Second', 'Answer 2'],
    ];
    expect(getLaneTranscript(bench)).toEqual(originalTurns);
    const reloadedBench = await reloadPage(bench);
    expect(getLaneTranscript(reloadedBench)).toEqual(originalTurns);
    reloadedBench.actions.stepPrompt([getLaneTurn(reloadedBench, 1).id], 1);
    expect(getLaneTranscript(reloadedBench)).toEqual([['First, said better', 'Answer 3']]);
  });

  it('saves an edited prompt without sending it and offers to run it', async () => {
    const { bench, gateway } = await createConversation();
    await sendAndWait(bench, 'First');
    await bench.actions.editPrompt(getLastTurnIds(bench), [{ role: 'user', content: 'For later' }], false);
    expect(getLaneTranscript(bench)).toEqual([['For later', undefined]]);
    const reloadedBench = await reloadPage(bench);
    expect(renderReplies(reloadedBench)[0]?.text).toContain('Saved, not sent yet.');
    expect(renderReplies(reloadedBench)[0]?.text).toContain('Run');
    expect(gateway.posts).toHaveLength(1);

    await reloadedBench.actions.regenerate(getLastTurnIds(reloadedBench));
    expect(getLaneTranscript(reloadedBench)).toEqual([['For later', 'Answer 2']]);
    expect(getRequestMessages(gateway)).toEqual([toUserMessage('For later')]);
    reloadedBench.actions.stepPrompt(getLastTurnIds(reloadedBench), -1);
    expect(getLaneTranscript(reloadedBench)).toEqual([['First', 'Answer 1']]);
  });

  it('sends an edited prompt with the earlier turns', async () => {
    const { bench, gateway } = await createConversation();
    await sendAndWait(bench, 'First');
    await sendAndWait(bench, 'Second');
    await bench.actions.editPrompt(
      getLastTurnIds(bench),
      [{ role: 'user', content: 'Second, better' }],
      true,
    );
    expect(getRequestMessages(gateway)).toEqual([
      toUserMessage('First'),
      toAssistantMessage('Answer 1'),
      toUserMessage('Second, better'),
    ]);
  });
});

describe('message deletion', () => {
  it('reports how much was deleted, and restores all of it permanently on Undo', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'First');
    await sendAndWait(bench, 'Second');
    const previousTurns = getLaneTranscript(bench);
    await bench.actions.deletePrompt([getLaneTurn(bench, 1).id]);
    expect(getLaneTranscript(bench)).toEqual([]);
    expect(bench.session.getState().undo?.text).toBe('Deleted 2 messages and 2 answers.');
    bench.session.getState().undo?.restore();
    expect(getLaneTranscript(bench)).toEqual(previousTurns);
    expect(bench.session.getState().undo).toBeUndefined();
    expect(getLaneTranscript(await reloadPage(bench))).toEqual(previousTurns);
  });

  it('keeps an answer deleted after a reload without Undo', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'First');
    await sendAndWait(bench, 'Second');
    await bench.actions.deleteTurns(getLastTurnIds(bench));
    expect(bench.session.getState().undo?.text).toBe('Deleted 1 message and 1 answer.');
    const reloadedBench = await reloadPage(bench);
    expect(getLaneTranscript(reloadedBench)).toEqual([['First', 'Answer 1']]);
    expect(reloadedBench.session.getState().undo).toBeUndefined();
  });

  it('shows the remaining version after one version of an answer is deleted', async () => {
    const { bench } = await createConversation();
    await sendAndWait(bench, 'Question');
    await bench.actions.regenerate(getLastTurnIds(bench));
    await bench.actions.deleteTurns(getLastTurnIds(bench));
    expect(getLaneTranscript(bench)).toEqual([['Question', 'Answer 1']]);
    expect(bench.session.getState().undo?.text).toBe('Deleted 1 answer.');
    bench.session.getState().undo?.restore();
    expect(getLaneTranscript(bench)).toEqual([['Question', 'Answer 2']]);
  });

  it('stops a running answer at the gateway when it is deleted', async () => {
    const { bench, gateway } = await createConversation((answer) => answer.sendText('Never ending'));
    const sendPromise = sendAndWait(bench, 'Question');
    await waitUntil(() => getLaneTranscript(bench)[0]?.[1] === 'Never ending');
    await bench.actions.deletePrompt(getLastTurnIds(bench));
    await gateway.posts[0]?.disconnection;
    await sendPromise;
    expect(getLaneTranscript(bench)).toEqual([]);
    bench.session.getState().undo?.restore();
    expect(getLaneTranscript(bench)).toEqual([['Question', 'Never ending']]);
    expect(getTurnRun(bench).phase.name).toBe('stopped');
  });
});

it('repeats the last prompt with the current setup on Run again, and hides the button before a prompt', async () => {
  const { bench, gateway } = await createConversation();
  const composer = <Composer sessionId={bench.getOpenSession().session.id} />;
  expect(renderText(bench, composer)).toContain('Send');
  expect(renderText(bench, composer)).not.toContain('Run again');
  await sendAndWait(bench, 'First');
  await sendAndWait(bench, 'Second');
  configureLane(bench, { model: 'north/two', system: 'Be brief.', fields: { temperature: '0.1' } });
  const { user } = renderWithPlayground(composer, { playground: bench });
  await user.click(screen.getByRole('button', { name: 'Run again' }));
  await waitUntil(() => bench.endedRuns.length === 3);
  expect(getLaneTranscript(bench).at(-1)).toEqual(['Second', 'Answer 3']);
  expect(gateway.posts.at(-1)?.body).toMatchObject({
    model: 'north/two',
    temperature: 0.1,
    messages: [
      { role: 'system', content: 'Be brief.' },
      toUserMessage('First'),
      toAssistantMessage('Answer 1'),
      toUserMessage('Second'),
    ],
  });
  const getReplyName = () =>
    within(renderReply(bench).element).getByRole('article').getAttribute('aria-label');
  expect(getReplyName()).toBe('Assistant message, lane A, north/two, turn 2');
  bench.actions.stepAnswer(getLaneTurn(bench).id, -1);
  expect(getReplyName()).toBe('Assistant message, lane A, demo/guide, turn 2');
  expect(getLaneTranscript(bench).at(-1)).toEqual(['Second', 'Answer 2']);
});
