/** Tests the message editor: names, all roles, hand-written answers, branches, values, ratings and notes. */
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import {
  toMessageFields,
  parseMessageFields,
  type MessageFields,
  type Role,
} from '../conversation/request/message-fields.ts';
import { ToolMessageDialog } from '../features/composer/tool-message-dialog.tsx';
import { editLastMessage } from '../features/conversation/message/edit-last-message.ts';
import { TurnView } from '../features/conversation/reply/turn-view.tsx';
import { VariablesTable } from '../features/conversation/variables-table.tsx';
import type { Message } from '../gateway/wire.ts';
import type { Bench } from '../testing/bench.ts';
import {
  sendAndWait,
  createConversation,
  getLastTurnIds,
  getRequestMessages,
  reloadPage,
  configureLane,
  getLaneTurn,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { renderPrompts, renderReplies, renderReply } from '../testing/render-turns.tsx';
import { getVisibleText, renderText, renderWithPlayground } from '../testing/render-with-playground.tsx';
import { waitUntil } from '../testing/wait-until.ts';

const emptyFields: MessageFields = {
  role: 'user',
  text: '',
  files: [],
  images: [],
  name: '',
  toolCallId: '',
  toolCalls: '',
};

/** Builds a message from the fields of an editor. */
function buildMessage(fields: Partial<MessageFields>): Message {
  const reading = parseMessageFields({ ...emptyFields, ...fields });
  if (!reading.ok) throw new Error(reading.problem);
  return reading.message;
}

function addWrittenMessage(
  bench: Bench,
  role: Role,
  text: string,
  extraFields: Partial<MessageFields> = {},
): void {
  bench.messages.addMessage(
    buildMessage({ role, text, ...extraFields }),
    bench.getOpenSession().session.laneIds,
  );
}

const hasRemark = (bench: Bench) =>
  within(renderReply(bench, 0).element).queryByRole('group', { name: 'Remark' }) !== null;

/** Returns the accessible name of the last message of a prompt. */
function getLastMessageName(bench: Bench): string | null | undefined {
  const prompt = renderPrompts(bench).at(-1);
  return prompt && within(prompt.element).getAllByRole('article').at(-1)?.getAttribute('aria-label');
}

it('sends the author as the name field and shows it on the message', async () => {
  const { bench, gateway } = await createConversation();
  await bench.actions.sendPrompt({ messages: [buildMessage({ text: 'Hello', name: ' ada ' })] });
  expect(getRequestMessages(gateway)).toEqual([{ role: 'user', content: 'Hello', name: 'ada' }]);
  expect(renderPrompts(bench)[0]?.text).toContain('ada');

  const [message] = bench.getOpenSession().prompts[getLaneTurn(bench).promptId]?.messages ?? [];
  const fields = message && toMessageFields(message);
  expect(fields).toMatchObject({ text: 'Hello', name: 'ada' });
  await bench.actions.editPrompt(getLastTurnIds(bench), [buildMessage({ ...fields, name: 'grace' })], true);
  expect(renderPrompts(bench)[0]?.text).toContain('grace');
  expect(getRequestMessages(gateway)).toEqual([{ role: 'user', content: 'Hello', name: 'grace' }]);
});

it("stores an edited answer as a version beside the model's answer and sends it with the next prompt", async () => {
  const { bench, gateway } = await createConversation();
  await sendAndWait(bench, 'Question');
  bench.messages.writeReply(
    getLaneTurn(bench).id,
    buildMessage({ role: 'assistant', text: 'By my own hand' }),
  );
  expect(renderReplies(bench)[0]?.text).toContain('Written by hand');
  expect(renderReplies(bench)[0]?.text).toContain('2 of 2');
  await sendAndWait(bench, 'And then?');
  expect(getRequestMessages(gateway)).toEqual([
    { role: 'user', content: 'Question' },
    { role: 'assistant', content: 'By my own hand' },
    { role: 'user', content: 'And then?' },
  ]);
  const reloadedBench = await reloadPage(bench);
  expect(getLaneTranscript(reloadedBench)[0]).toEqual(['Question', 'By my own hand']);
  reloadedBench.actions.stepAnswer(getLaneTurn(reloadedBench, 1).id, -1);
  expect(getLaneTranscript(reloadedBench)).toEqual([['Question', 'Answer 1']]);
  expect(gateway.posts).toHaveLength(2);
});

it('builds and sends a hand-written conversation with all roles, tool calls and results', async () => {
  const { bench, gateway } = await createConversation();
  configureLane(bench, { system: 'Be exact.' });
  addWrittenMessage(bench, 'user', 'What is the weather?');
  expect(renderReplies(bench)[0]?.text).toContain('Saved, not sent yet.');
  addWrittenMessage(bench, 'assistant', 'I will look.');
  expect(renderReplies(bench)[0]?.text).toContain('Written by hand');
  const calls = [
    { id: 'call_7', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Ulm"}' } },
  ];
  const replyFields = { role: 'assistant' as const, text: 'I will look.', toolCalls: JSON.stringify(calls) };
  bench.messages.writeReply(getLaneTurn(bench).id, buildMessage(replyFields));
  within(renderReply(bench).element).getByRole('group', { name: 'Tool call get_weather' });

  const dialog = (
    <ToolMessageDialog
      targets={bench.getOpenSession().session.laneIds}
      onAdd={() => undefined}
      onClose={() => undefined}
    />
  );
  renderWithPlayground(dialog, { playground: bench });
  screen.getByDisplayValue('call_7');
  addWrittenMessage(bench, 'tool', '{"celsius": 21}', { toolCallId: 'call_7' });
  expect(getLastMessageName(bench)).toBe('Tool message');
  expect(renderPrompts(bench).at(-1)?.text).toContain('result for call_7');
  addWrittenMessage(bench, 'system', 'From now on in German.');
  expect(getLastMessageName(bench)).toBe('System message');
  expect(gateway.posts).toEqual([]);

  await sendAndWait(bench, 'So?');
  expect(getRequestMessages(gateway)).toEqual([
    { role: 'system', content: 'Be exact.' },
    { role: 'user', content: 'What is the weather?' },
    { role: 'assistant', content: 'I will look.', tool_calls: calls },
    { role: 'tool', content: '{"celsius": 21}', tool_call_id: 'call_7', name: 'get_weather' },
    { role: 'system', content: 'From now on in German.' },
    { role: 'user', content: 'So?' },
  ]);
});

it('opens the editor of the last user message, even if other roles follow or it is requested twice', async () => {
  const { bench } = await createConversation();
  await sendAndWait(bench, 'First');
  await sendAndWait(bench, 'Second');
  addWrittenMessage(bench, 'system', 'From now on in German.');
  const listEditStates = () =>
    renderPrompts(bench).map(
      ({ element }) => within(element).queryByRole('textbox', { name: 'Edit message' }) !== null,
    );
  expect(listEditStates()).toEqual([false, false, false]);
  editLastMessage(bench);
  editLastMessage(bench);
  expect(bench.view.getState().openPanels).toHaveLength(1);
  expect(listEditStates()).toEqual([false, true, false]);
});

it('branches from a prompt or an answer into a new lane or a new session', async () => {
  const { bench, gateway } = await createConversation();
  await sendAndWait(bench, 'First');
  await sendAndWait(bench, 'Second');
  const { title } = bench.getOpenSession().session;
  bench.actions.branchToLane(getLaneTurn(bench, 1).id);
  expect(getLaneTranscript(bench, 1)).toEqual([['First', 'Answer 1']]);
  expect(
    renderReplies(bench).filter(({ element }) =>
      within(element).queryByRole('article', { name: /message, lane B/ }),
    ),
  ).toHaveLength(1);

  const branchId = await bench.actions.branchToSession(getLaneTurn(bench, 2).id, 'prompt');
  await waitUntil(() => bench.getOpenSession().session.id === branchId);
  expect(bench.getOpenSession().session.title).toBe(`${title} (branch)`);
  expect(getLaneTranscript(bench)).toEqual([
    ['First', 'Answer 1'],
    ['Second', undefined],
  ]);
  await bench.actions.regenerate(getLastTurnIds(bench));
  expect(getRequestMessages(gateway)).toEqual([
    { role: 'user', content: 'First' },
    { role: 'assistant', content: 'Answer 1' },
    { role: 'user', content: 'Second' },
  ]);
});

it('edits, steps through and deletes a shared prompt in all of its lanes', async () => {
  const { bench, gateway } = await createConversation();
  bench.actions.addLane();
  configureLane(bench, { model: 'north/two' }, 1);
  await sendAndWait(bench, 'Said');
  expect(renderPrompts(bench)).toHaveLength(1);
  await bench.actions.editPrompt(getLastTurnIds(bench), [buildMessage({ text: 'Said better' })], true);
  expect(gateway.posts.slice(2).map(({ body }) => body['model'])).toEqual(['demo/guide', 'north/two']);
  expect(renderPrompts(bench).map(({ text }) => text)).toEqual([expect.stringContaining('Said better')]);
  bench.actions.stepPrompt(getLastTurnIds(bench), -1);
  expect([getLaneTranscript(bench, 0), getLaneTranscript(bench, 1)]).toEqual([
    [['Said', 'Answer 1']],
    [['Said', 'Answer 2']],
  ]);
  expect(renderPrompts(bench)).toHaveLength(1);
  await bench.actions.deletePrompt(getLastTurnIds(bench));
  expect(bench.session.getState().undo?.text).toBe('Deleted 1 message and 2 answers in 2 lanes.');
  expect(getLaneTranscript(bench, 1).map(([prompt]) => prompt)).toEqual(['Said better']);
  bench.session.getState().undo?.restore();
  expect(renderPrompts(bench)[0]?.text).toContain('1 of 2');
});

describe('variables in braces', () => {
  it('fills variables from a table and flags those without a value', async () => {
    const { bench, gateway } = await createConversation();
    const { laneIds } = bench.getOpenSession().session;
    const renderTable = (text: string) => renderText(bench, <VariablesTable text={text} laneIds={laneIds} />);
    expect(renderTable('')).toBe('');
    configureLane(bench, { system: 'Answer in {{language}}.' });
    const text = 'Weather in {{city}}?';
    expect(renderTable(text)).toContain('2 variables are empty and will be sent as {{name}}.');
    bench.messages.setVariable('city', 'Ulm');
    expect(renderTable(text)).toContain('1 variable is empty and will be sent as {{name}}.');
    bench.messages.setVariable('language', 'German');
    expect(renderTable(text)).not.toContain('without a value');

    await sendAndWait(bench, text);
    expect(getRequestMessages(gateway)).toEqual([
      { role: 'system', content: 'Answer in German.' },
      { role: 'user', content: 'Weather in Ulm?' },
    ]);
    for (const tab of [bench, await reloadPage(bench)]) {
      expect(renderPrompts(tab)[0]?.text).toContain('{{city}}');
      expect(renderPrompts(tab)[0]?.element.querySelector('[title="Sent as: Ulm"]')).not.toBeNull();
    }
  });
});

it('shows ratings and notes beside an answer, finds them in the history and never sends them', async () => {
  const { bench, gateway } = await createConversation();
  await sendAndWait(bench, 'Question');
  bench.messages.setRemark(getLaneTurn(bench).id, { mark: 'good', text: 'Cites no zanzibar source' });
  const reloadedBench = await reloadPage(bench);
  expect(hasRemark(reloadedBench)).toBe(true);
  expect(renderReplies(reloadedBench)[0]?.text).toMatch(/Good[^]*Cites no zanzibar source/);
  const matchIds = new Set<string>();
  await reloadedBench.library.search(
    await reloadedBench.library.list(),
    'zanzibar',
    new AbortController().signal,
    (sessions) => [...sessions.keys()].forEach((id) => matchIds.add(id)),
  );
  expect([...matchIds]).toEqual([reloadedBench.getOpenSession().session.id]);
  await sendAndWait(reloadedBench, 'Next');
  expect(JSON.stringify(getRequestMessages(gateway))).not.toContain('zanzibar');
  const menu = <TurnView turnId={getLaneTurn(reloadedBench, 1).id} laneIndex={0} turnNumber={1} />;
  const { user } = renderWithPlayground(menu, { playground: reloadedBench });
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: /^Starred/ }));
  expect(getVisibleText(screen.getByRole('group', { name: 'Remark' }))).toBe(
    'Starred\nCites no zanzibar source',
  );
  await user.click(screen.getByRole('button', { name: 'Remove mark' }));
  expect(hasRemark(reloadedBench)).toBe(false);
});

it("shows the setup of an answer after the lane's setup has changed", async () => {
  const { bench } = await createConversation();
  configureLane(bench, { model: 'north/one', fields: { temperature: '0.2' } });
  await sendAndWait(bench, 'Question');
  const getSetupNote = () => /Made with[^]*/.exec(renderReplies(bench)[0]?.text ?? '')?.[0];
  expect(getSetupNote()).toBeUndefined();
  configureLane(bench, { model: 'north/two', fields: { temperature: '0.9' } });
  expect(getSetupNote()).toMatch(/^Made with\s*north\/one\s*temperature 0\.2$/);
  configureLane(bench, { model: 'north/one' });
  const [laneId = ''] = bench.getOpenSession().session.laneIds;
  bench.actions.changeSetup(laneId, { params: {} });
  expect(getSetupNote()).toMatch(/^Made with\s*temperature 0\.2/);
  expect(getSetupNote()).not.toContain('different system prompt');
});
