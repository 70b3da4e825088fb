/** Messages as a person writes them: names, all roles, answers by hand, branches, values, marks and notes. */
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import {
  toMessageFields,
  parseMessageFields,
  type MessageFields,
  type Role,
} from '../conversation/request/message-fields.ts';
import { ToolMessageDialog } from '../features/playground/composer/tool-message-dialog.tsx';
import { editLastMessage } from '../features/playground/message/edit-last-message.ts';
import { TurnView } from '../features/playground/reply/turn-view.tsx';
import { VariablesTable } from '../features/playground/variables/variables-table.tsx';
import type { Message } from '../gateway/wire.ts';
import type { Bench } from '../testing/bench.ts';
import {
  ask,
  aTalk,
  lastTurnIds,
  messagesOf,
  reloaded,
  setUp,
  shownTurn,
  talkIn,
} from '../testing/conversation-driver.ts';
import { press } from '../testing/react-driver.ts';
import { drawnPrompts, drawnReplies, markupOf, wordsIn } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

const blank: MessageFields = { role: 'user', text: '', images: [], name: '', toolCallId: '', toolCalls: '' };

/** The message that the fields of an editor make. */
function written(fields: Partial<MessageFields>): Message {
  const reading = parseMessageFields({ ...blank, ...fields });
  if (!reading.ok) throw new Error(reading.problem);
  return reading.message;
}

function add(bench: Bench, role: Role, text: string, more: Partial<MessageFields> = {}): void {
  bench.messages.addMessage(written({ role, text, ...more }), bench.current().session.laneIds);
}

it('an author’s name goes along as name and stands on the message', async () => {
  const { bench, gateway } = await aTalk();
  await bench.actions.sendPrompt({ messages: [written({ text: 'Hello', name: ' ada ' })] });
  expect(messagesOf(gateway)).toEqual([{ role: 'user', content: 'Hello', name: 'ada' }]);
  expect(drawnPrompts(bench)[0]?.words).toContain('ada');

  const [said] = bench.current().prompts[shownTurn(bench).promptId]?.messages ?? [];
  const fields = said && toMessageFields(said);
  expect(fields).toMatchObject({ text: 'Hello', name: 'ada' });
  await bench.actions.editPrompt(lastTurnIds(bench), [written({ ...fields, name: 'grace' })], true);
  expect(drawnPrompts(bench)[0]?.words).toContain('grace');
  expect(messagesOf(gateway)).toEqual([{ role: 'user', content: 'Hello', name: 'grace' }]);
});

it('an answer edited by hand is a version beside the model’s, and goes on in the history', async () => {
  const { bench, gateway } = await aTalk();
  await ask(bench, 'Question');
  bench.messages.writeReply(shownTurn(bench).id, written({ role: 'assistant', text: 'By my own hand' }));
  expect(drawnReplies(bench)[0]?.words).toContain('Written by hand');
  expect(drawnReplies(bench)[0]?.words).toContain('2 of 2');
  await ask(bench, 'And then?');
  expect(messagesOf(gateway)).toEqual([
    { role: 'user', content: 'Question' },
    { role: 'assistant', content: 'By my own hand' },
    { role: 'user', content: 'And then?' },
  ]);
  const again = await reloaded(bench);
  expect(talkIn(again)[0]).toEqual(['Question', 'By my own hand']);
  again.actions.stepAnswer(shownTurn(again, 1).id, -1);
  expect(talkIn(again)).toEqual([['Question', 'Answer 1']]);
  expect(gateway.posts).toHaveLength(2);
});

it('any conversation can be put down by hand and sent: all roles, calls and their answers', async () => {
  const { bench, gateway } = await aTalk();
  setUp(bench, { system: 'Be exact.' });
  add(bench, 'user', 'What is the weather?');
  expect(drawnReplies(bench)[0]?.words).toContain('Saved, not sent yet.');
  add(bench, 'assistant', 'I will look.');
  expect(drawnReplies(bench)[0]?.words).toContain('Written by hand');
  const calls = [
    { id: 'call_7', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Ulm"}' } },
  ];
  const looking = { role: 'assistant' as const, text: 'I will look.', toolCalls: JSON.stringify(calls) };
  bench.messages.writeReply(shownTurn(bench).id, written(looking));
  expect(drawnReplies(bench)[0]?.markup).toContain('aria-label="Tool call get_weather"');

  const dialog = createElement(ToolMessageDialog, {
    targets: bench.current().session.laneIds,
    onAdd: () => undefined,
    onClose: () => undefined,
  });
  expect(markupOf(bench, dialog), 'the call that was made last is offered').toMatch(
    /<input[^>]* value="call_7"/,
  );
  add(bench, 'tool', '{"celsius": 21}', { toolCallId: 'call_7' });
  expect(drawnPrompts(bench).at(-1)?.markup).toContain('aria-label="Tool message"');
  expect(drawnPrompts(bench).at(-1)?.words).toContain('answers call_7');
  add(bench, 'system', 'From now on in German.');
  expect(drawnPrompts(bench).at(-1)?.markup).toContain('aria-label="System message"');
  expect(gateway.posts).toEqual([]);

  await ask(bench, 'So?');
  expect(messagesOf(gateway)).toEqual([
    { role: 'system', content: 'Be exact.' },
    { role: 'user', content: 'What is the weather?' },
    { role: 'assistant', content: 'I will look.', tool_calls: calls },
    { role: 'tool', content: '{"celsius": 21}', tool_call_id: 'call_7', name: 'get_weather' },
    { role: 'system', content: 'From now on in German.' },
    { role: 'user', content: 'So?' },
  ]);
});

it('what a person said last is edited in its place, whoever asks for it, also below what others said', async () => {
  const { bench } = await aTalk();
  await ask(bench, 'First');
  await ask(bench, 'Second');
  add(bench, 'system', 'From now on in German.');
  const isEdited = () =>
    drawnPrompts(bench).map(({ markup }) => markup.includes('aria-label="Edit message"'));
  expect(isEdited()).toEqual([false, false, false]);
  editLastMessage(bench);
  editLastMessage(bench);
  expect(isEdited()).toEqual([false, true, false]);
  expect(bench.view.getState().openPanels).toHaveLength(1);
});

it('a branch goes on elsewhere: into a new lane or a session of its own, from a prompt or an answer', async () => {
  const { bench, gateway } = await aTalk();
  await ask(bench, 'First');
  await ask(bench, 'Second');
  const { title } = bench.current().session;
  bench.actions.branchToLane(shownTurn(bench, 1).id);
  expect(talkIn(bench, 1)).toEqual([['First', 'Answer 1']]);
  expect(drawnReplies(bench).filter(({ markup }) => markup.includes('message, lane B'))).toHaveLength(1);

  const branched = await bench.actions.branchToSession(shownTurn(bench, 2).id, 'prompt');
  await until(() => bench.current().session.id === branched);
  expect(bench.current().session.title).toBe(`${title} (branch)`);
  expect(talkIn(bench)).toEqual([
    ['First', 'Answer 1'],
    ['Second', undefined],
  ]);
  await bench.actions.regenerate(lastTurnIds(bench));
  expect(messagesOf(gateway)).toEqual([
    { role: 'user', content: 'First' },
    { role: 'assistant', content: 'Answer 1' },
    { role: 'user', content: 'Second' },
  ]);
});

it('a prompt that lanes share is edited, stepped through and deleted in all of them', async () => {
  const { bench, gateway } = await aTalk();
  bench.actions.addLane();
  setUp(bench, { model: 'north/two' }, 1);
  await ask(bench, 'Said');
  expect(drawnPrompts(bench)).toHaveLength(1);
  await bench.actions.editPrompt(lastTurnIds(bench), [written({ text: 'Said better' })], true);
  expect(gateway.posts.slice(2).map(({ body }) => body['model'])).toEqual(['demo/guide', 'north/two']);
  expect(drawnPrompts(bench).map(({ words }) => words)).toEqual([expect.stringContaining('Said better')]);
  bench.actions.stepPrompt(lastTurnIds(bench), -1);
  expect([talkIn(bench, 0), talkIn(bench, 1)]).toEqual([[['Said', 'Answer 1']], [['Said', 'Answer 2']]]);
  expect(drawnPrompts(bench)).toHaveLength(1);
  await bench.actions.deletePrompt(lastTurnIds(bench));
  expect(bench.session.getState().undo?.text).toBe('Deleted 1 message and 2 answers in 2 lanes.');
  expect(talkIn(bench, 1).map(([said]) => said)).toEqual(['Said better']);
  bench.session.getState().undo?.restore();
  expect(drawnPrompts(bench)[0]?.words).toContain('1 of 2');
});

describe('names in braces', () => {
  it('are filled from a small table, flagged while they have no value', async () => {
    const { bench, gateway } = await aTalk();
    const { laneIds } = bench.current().session;
    const table = (text: string) =>
      wordsIn(markupOf(bench, createElement(VariablesTable, { text, laneIds })));
    expect(table('')).toBe('');
    setUp(bench, { system: 'Answer in {{language}}.' });
    const text = 'Weather in {{city}}?';
    expect(table(text)).toContain('2 names without a value: they are sent as written.');
    bench.messages.setVariable('city', 'Ulm');
    expect(table(text)).toContain('1 name without a value: it is sent as written.');
    bench.messages.setVariable('language', 'German');
    expect(table(text)).not.toContain('without a value');

    await ask(bench, text);
    expect(messagesOf(gateway)).toEqual([
      { role: 'system', content: 'Answer in German.' },
      { role: 'user', content: 'Weather in Ulm?' },
    ]);
    for (const tab of [bench, await reloaded(bench)]) {
      expect(drawnPrompts(tab)[0]?.words).toContain('{{city}}');
      expect(drawnPrompts(tab)[0]?.markup).toContain('title="Sent as: Ulm"');
    }
  });
});

it('a mark and a note stand beside an answer, are found in the history, and are never sent', async () => {
  const { bench, gateway } = await aTalk();
  await ask(bench, 'Question');
  bench.messages.setRemark(shownTurn(bench).id, { mark: 'good', text: 'Cites no zanzibar source' });
  const again = await reloaded(bench);
  expect(drawnReplies(again)[0]?.markup).toContain('aria-label="Remark"');
  expect(drawnReplies(again)[0]?.words).toMatch(/Good[^]*Cites no zanzibar source/);
  const found = new Set<string>();
  await again.library.search(
    await again.library.list(),
    'zanzibar',
    new AbortController().signal,
    (sessions) => [...sessions.keys()].forEach((id) => found.add(id)),
  );
  expect([...found]).toEqual([again.current().session.id]);
  await ask(again, 'Next');
  expect(JSON.stringify(messagesOf(gateway))).not.toContain('zanzibar');
  const menu = createElement(TurnView, { turnId: shownTurn(again, 1).id, laneIndex: 0, number: 1 });
  press(again, menu, 'Starred');
  expect(wordsIn(markupOf(again, menu))).toContain('Starred\nCites no zanzibar source');
  press(again, menu, 'Remove mark');
  expect(drawnReplies(again)[0]?.markup).not.toContain('aria-label="Remark"');
});

it('an answer says what made it once the lane is set up otherwise', async () => {
  const { bench } = await aTalk();
  setUp(bench, { model: 'north/one', fields: { temperature: '0.2' } });
  await ask(bench, 'Question');
  const madeWith = () => /Made with[^]*/.exec(drawnReplies(bench)[0]?.words ?? '')?.[0];
  expect(madeWith()).toBeUndefined();
  setUp(bench, { model: 'north/two', fields: { temperature: '0.9' } });
  expect(madeWith()).toMatch(/^Made with\s*north\/one\s*temperature 0\.2$/);
  setUp(bench, { model: 'north/one' });
  const [laneId = ''] = bench.current().session.laneIds;
  bench.actions.changeSetup(laneId, { params: {} });
  expect(madeWith()).toMatch(/^Made with\s*temperature 0\.2/);
  expect(madeWith()).not.toContain('another system prompt');
});
