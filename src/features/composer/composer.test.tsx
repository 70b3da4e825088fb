import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { defaultSchemaFormat, stringifySchemaFormat } from '../../conversation/setup/json-schema-format.ts';
import type { Bench } from '../../testing/bench.ts';
import { createGate } from '../../testing/builders.ts';
import { createConversation, getTurnRun, reloadPage } from '../../testing/conversation-driver.ts';
import { renderWithPlayground } from '../../testing/render-with-playground.tsx';
import { waitUntil } from '../../testing/wait-until.ts';
import { LiveRegion } from '../../ui/display/live-region.tsx';
import { Composer } from './composer.tsx';

const renderComposer = (bench: Bench) =>
  renderWithPlayground(
    <LiveRegion>
      <Composer sessionId={bench.getOpenSession().session.id} />
    </LiveRegion>,
    { playground: bench },
  );

const getField = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const getSendButton = () => screen.getByRole('button', { name: /^Send/ });

/** Opens a tab whose gateway sends the first half of each answer, and the second one once the gate opens. */
async function createSlowConversation() {
  const secondHalf = createGate();
  const conversation = await createConversation(async (answer) => {
    answer.sendText('The first half.');
    await secondHalf.opened;
    answer.sendAnswer(' The other half.');
  });
  return { ...conversation, secondHalf };
}

describe('composer', () => {
  it('sends a message once if Enter is held, and inserts a line break on Shift+Enter', async () => {
    const { bench, gateway } = await createConversation();
    const { user } = renderComposer(bench);
    expect(document.activeElement).toBe(getField());
    await user.keyboard('First line{Shift>}{Enter}{/Shift}second{Enter}');
    for (let times = 0; times < 4; times += 1) fireEvent.keyDown(getField(), { key: 'Enter', repeat: true });
    await waitUntil(() => bench.endedRuns.length === 1);
    expect(gateway.posts.map(({ body }) => body['messages'])).toEqual([
      [{ role: 'user', content: 'First line\nsecond' }],
    ]);
    expect(getField().value).toBe('');
  });

  it('sends nothing while there is no text, and says so on the button', async () => {
    const { bench, gateway } = await createConversation();
    const { user } = renderComposer(bench);
    expect(getSendButton().getAttribute('aria-disabled')).toBe('true');
    expect(getSendButton().title).toBe('Write a message first.');
    await user.type(getField(), '  {Enter}');
    await user.click(getSendButton());
    await user.type(getField(), 'Hello');
    expect(getSendButton().getAttribute('aria-disabled')).toBe('false');
    await user.click(getSendButton());
    await waitUntil(() => bench.endedRuns.length === 1);
    expect(gateway.posts).toHaveLength(1);
  });

  it('keeps a message submitted during an answer, with the reason, until the answer ends', async () => {
    const { bench, gateway, secondHalf } = await createSlowConversation();
    const { user } = renderComposer(bench);
    const reason = 'Not sent: an answer is still streaming. Stop it or wait.';
    await user.type(getField(), 'Question{Enter}');
    await screen.findByRole('button', { name: /^Stop/ });
    await user.type(getField(), '{Enter}');
    expect(screen.queryByText(reason), 'no reason for an empty message').toBeNull();
    await user.type(getField(), 'And then?{Enter}');
    expect(screen.getAllByText(reason)).not.toHaveLength(0);
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain(reason));
    expect(getField().value).toBe('And then?');
    expect(gateway.posts).toHaveLength(1);
    secondHalf.open();
    await screen.findByRole('button', { name: /^Send/ });
    // Only the announcement remains.
    expect(screen.getAllByText(new RegExp(reason))).toEqual([screen.getByRole('status')]);
    await user.type(getField(), '{Enter}');
    await waitUntil(() => gateway.posts.length === 2);
  });

  it('stops the answer and returns to the field on Stop', async () => {
    const { bench, gateway } = await createSlowConversation();
    const { user } = renderComposer(bench);
    await user.type(getField(), 'Question{Enter}');
    await user.click(await screen.findByRole('button', { name: /^Stop/ }));
    await gateway.posts[0]?.disconnection;
    expect(document.activeElement).toBe(getField());
    await screen.findByRole('button', { name: /^Send/ });
    expect(getTurnRun(bench).phase.name).toBe('stopped');
    expect(screen.getByRole('button', { name: 'Run again' })).toBeTruthy();
  });

  it('sends to the ticked lanes only, and to none without a ticked lane', async () => {
    const { bench, gateway } = await createConversation();
    const [laneId = ''] = bench.getOpenSession().session.laneIds;
    bench.actions.changeSetup(laneId, { model: 'north/one' });
    bench.actions.addLane(laneId, (setup) => ({ ...setup, model: 'north/two' }));
    const { user } = renderComposer(bench);
    expect(getField().placeholder).toBe('Message 2 lanes');
    await user.click(screen.getByRole('checkbox', { name: 'To lane A' }));
    await user.type(getField(), 'Only to B{Enter}');
    await waitUntil(() => bench.endedRuns.length === 1);
    expect(gateway.posts.map(({ body }) => body['model'])).toEqual(['north/two']);
    screen.getByRole('checkbox', { name: 'To lane B' }).focus();
    await user.keyboard(' ');
    expect(getSendButton().title).toBe('Choose a lane first.');
    await user.type(getField(), 'To nobody{Enter}');
    expect(getField().value).toBe('To nobody');
    expect(gateway.posts).toHaveLength(1);
  });

  it('says which tools, schema and system prompt are sent, and whether the lanes differ in them', async () => {
    const { bench } = await createConversation();
    const [laneId = ''] = bench.getOpenSession().session.laneIds;
    const { user } = renderComposer(bench);
    const getButtonTexts = () =>
      ['Edit tools', 'Edit schema', 'Edit the system prompt'].map(
        (title) => screen.getByTitle(title).textContent,
      );
    expect(getButtonTexts()).toEqual(['Tools', 'Schema', 'System']);
    await act(async () =>
      bench.actions.changeSetup(laneId, {
        system: 'Be brief.',
        params: {
          tools: { sent: true, text: '[{"type":"function"},{"type":"function"}]' },
          response_format: { sent: true, text: stringifySchemaFormat(defaultSchemaFormat) },
        },
      }),
    );
    expect(getButtonTexts()).toEqual(['2 tools', 'schema: answer', 'system: on']);
    await act(async () =>
      bench.actions.addLane(laneId, (setup) => ({
        ...setup,
        params: { ...setup.params, tools: { sent: true, text: '[{"type":"function"}]' } },
      })),
    );
    expect(getButtonTexts()).toEqual(['tools differ', 'schema: answer', 'system: on']);
    await user.click(screen.getByRole('checkbox', { name: 'To lane A' }));
    expect(getButtonTexts(), 'of the lanes that receive the message').toEqual([
      '1 tool',
      'schema: answer',
      'system: on',
    ]);
  });

  it('keeps a long paste beside the field, also after a reload, and sends it after the message', async () => {
    const longText = `First words of a long text.\n${'A line of it, of some length.\n'.repeat(1_200)}The last line.`;
    const { bench, gateway } = await createConversation();
    const { user, container, unmount } = renderComposer(bench);
    await user.click(getField());
    await user.paste('Sum this up');
    await user.paste(longText);
    const chip = await screen.findByRole('group', { name: 'Pasted text, 36 KB' });
    expect(chip.textContent).toContain('First words of a long text. A line of it');
    expect(container.textContent).toContain(`~${(9_014).toLocaleString('en')} tokens`);
    unmount();

    const reloadedBench = await reloadPage(bench);
    const nextVisit = renderComposer(reloadedBench);
    await screen.findByRole('group', { name: /^Pasted text, / });
    expect(getField().value, 'a short paste is inserted into the field').toBe('Sum this up');
    await nextVisit.user.click(getField());
    await nextVisit.user.paste(`${longText}\nAnother.`);
    await nextVisit.user.paste(`${longText}\nA third.`);
    const getChips = () => screen.queryAllByRole('group', { name: /^Pasted text, / });
    const [first, , third] = getChips();
    if (!first || !third) throw new Error('A pasted text is missing');
    await nextVisit.user.click(within(third).getByRole('button', { name: /^Remove/ }));
    await nextVisit.user.click(within(first).getByRole('button', { name: /^Edit/ }));
    expect(document.activeElement).toBe(getField());
    expect(getField().value).toBe(`Sum this up\n\n${longText}`);
    await nextVisit.user.clear(getField());
    await nextVisit.user.keyboard('Sum this up{Enter}');
    await waitUntil(() => gateway.posts.length === 1);
    expect(gateway.posts[0]?.body['messages']).toEqual([
      { role: 'user', content: `Sum this up\n\n${longText}\nAnother.` },
    ]);
    expect(getChips()).toHaveLength(0);
    nextVisit.unmount();
    await waitUntil(() => reloadedBench.endedRuns.length === 1);
    renderComposer(await reloadPage(reloadedBench));
    expect(await screen.findByRole('button', { name: 'Run again' })).toBeTruthy();
    expect(getField().value).toBe('');
    expect(getChips()).toHaveLength(0);
  });
});
