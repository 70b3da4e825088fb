/** Tests the history of the system prompt, its fields per lane, and the comparison of versions. */
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';

import { CompareTexts } from '../features/compare/compare-texts.tsx';
import { TurnView } from '../features/conversation/reply/turn-view.tsx';
import { SystemBand } from '../features/conversation/system-band.tsx';
import { Parameters } from '../features/parameters/parameters.tsx';
import { SessionBar } from '../features/session/session-bar.tsx';
import type { Bench } from '../testing/bench.ts';
import {
  configureLane,
  createConversation,
  getLaneTurn,
  getRequestMessages,
  sendAndWait,
} from '../testing/conversation-driver.ts';
import { getVisibleText, renderWithPlayground } from '../testing/render-with-playground.tsx';

const listPrompts = (bench: Bench) =>
  Object.values(bench.getOpenSession().lanes).map(({ setup }) => setup.system);

/** Creates a conversation whose answers repeat the system prompt, with one question asked with two prompts. */
async function createTwoVersions() {
  const { bench, gateway } = await createConversation((answer) => {
    answer.sendAnswer(
      `The same long beginning of every answer. ${JSON.stringify(getRequestMessages(gateway))}`,
    );
  });
  configureLane(bench, { system: 'Answer in German. Be brief.' });
  await sendAndWait(bench, 'Question');
  configureLane(bench, { system: 'Answer in French. Be brief.' });
  await bench.actions.regenerateLastTurns();
  return { bench, gateway };
}

it('opens the history at the prompt of an older answer, compares the answers and restores the prompt', async () => {
  const { bench } = await createTwoVersions();
  bench.actions.stepAnswer(getLaneTurn(bench).id, -1);
  const page = (
    <>
      <SystemBand />
      <TurnView turnId={getLaneTurn(bench).id} laneIndex={0} turnNumber={1} />
    </>
  );
  const { user } = renderWithPlayground(page, { playground: bench });
  await user.click(screen.getByRole('button', { name: 'Older system prompt' }));
  const dialog = await screen.findByRole('dialog', { name: 'System prompt history' });
  expect(
    within(dialog)
      .getByRole('radio', { name: /German/ })
      .getAttribute('aria-checked'),
  ).toBe('true');
  expect(within(dialog).getByRole('radio', { name: /French.*1 answer.*current/ })).toBeTruthy();
  const prompt = within(dialog).getByRole('group', { name: 'Prompt' });
  expect(within(prompt).getByRole('deletion').textContent).toBe('German');
  expect(within(prompt).getByRole('insertion').textContent).toBe('French');
  expect(getVisibleText(dialog)).toContain('Used in turn 1, version 1.');

  await user.click(within(dialog).getByRole('button', { name: 'Compare the two answers' }));
  const comparison = await screen.findByRole('dialog', { name: 'Compare texts' });
  expect(
    within(comparison)
      .getAllByRole('mark')
      .map(({ textContent }) => textContent),
  ).toEqual(['German', 'French']);
  await user.click(within(comparison).getByRole('button', { name: 'Close' }));

  await user.click(within(dialog).getByRole('button', { name: 'Use this prompt again' }));
  expect(listPrompts(bench)).toEqual(['Answer in German. Be brief.']);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Older system prompt' })).toBeNull();
  bench.session.getState().undo?.restore();
  expect(listPrompts(bench)).toEqual(['Answer in French. Be brief.']);
});

it('lists prompts that are not sent yet, and explains why their answers cannot be compared', async () => {
  const { bench } = await createConversation();
  configureLane(bench, { system: 'First' });
  await sendAndWait(bench, 'Question');
  configureLane(bench, { system: 'Second' });
  const { user } = renderWithPlayground(<SystemBand />, { playground: bench });
  await user.click(await screen.findByRole('button', { name: 'System prompt history' }));
  const dialog = await screen.findByRole('dialog', { name: 'System prompt history' });
  expect(
    within(dialog)
      .getAllByRole('radio', { name: /First|Second/ })
      .map((radio) => getVisibleText(radio).split('\n')[0]),
  ).toEqual(['Secondnot sent yetcurrent', expect.stringMatching(/^First.*, 1 answer$/)]);
  const compare = within(dialog).getByRole('button', { name: 'Compare the two answers' });
  expect(compare.getAttribute('aria-disabled')).toBe('true');
  expect(getVisibleText(dialog)).toContain('No message has an answer with this prompt and one with another.');
});

it('compares any two versions of an answer, also in a single lane', async () => {
  const { bench } = await createTwoVersions();
  const bar = renderWithPlayground(<SessionBar />, { playground: bench });
  expect(screen.getByRole('button', { name: 'Compare texts' }).getAttribute('aria-disabled')).toBeNull();
  bar.unmount();
  configureLane(bench, { system: 'Answer in Danish. Be brief.' });
  await bench.actions.regenerateLastTurns();
  const { user } = renderWithPlayground(<CompareTexts onClose={() => undefined} />, { playground: bench });
  const listMarks = () => screen.getAllByRole('mark').map(({ textContent }) => textContent);
  expect(screen.getByRole('radiogroup', { name: 'Lanes to compare' }).textContent).toContain('versions');
  expect(listMarks()).toEqual(['French', 'Danish']);
  await user.click(screen.getByRole('combobox', { name: 'First text' }));
  await user.click(await screen.findByRole('option', { name: 'A, version 1' }));
  expect(listMarks()).toEqual(['German', 'Danish']);
  await user.click(screen.getByRole('combobox', { name: 'First text' }));
  await user.click(await screen.findByRole('option', { name: 'A, version 3' }));
  expect(listMarks()).toEqual(['Danish', 'German']);
});

it('shows a field for each lane on request, marks the words that differ from lane A, and joins them again', async () => {
  const { bench } = await createConversation();
  configureLane(bench, { system: 'Be brief.' });
  bench.actions.addLane();
  const { user } = renderWithPlayground(<SystemBand />, { playground: bench });
  await user.click(await screen.findByRole('button', { name: 'Different in each lane' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'System prompt, lane A' }));
  const laneB = screen.getByRole('textbox', { name: 'System prompt, lane B' });
  await user.type(laneB, ' Avoid jokes.');
  expect(listPrompts(bench)).toEqual(['Be brief.', 'Be brief. Avoid jokes.']);
  expect(
    (await screen.findByText('Avoid jokes.', { selector: 'mark' })).closest('[aria-hidden]'),
  ).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Same in all lanes' }));
  expect(listPrompts(bench)).toEqual(['Be brief.', 'Be brief.']);
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'System prompt' }));
  bench.session.getState().undo?.restore();
  expect(listPrompts(bench)).toEqual(['Be brief.', 'Be brief. Avoid jokes.']);
});

it('saves a message with its variables as a preset, finds it, and applies it without sending', async () => {
  const { bench, gateway } = await createConversation();
  await sendAndWait(bench, 'Write a mail to {{name}}');
  bench.messages.setVariable('name', 'Ada');
  await bench.presets.save('Other', { system: 'Be calm' });
  const { user } = renderWithPlayground(<Parameters />, { playground: bench });
  await user.click(screen.getByRole('button', { name: 'Presets' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Save setup as preset' }));
  const dialog = await screen.findByRole('dialog', { name: 'Presets' });
  for (const name of [/^Model/, /^System prompt/, /^Parameters/, /^Message/, /^Variables name/])
    await user.click(within(dialog).getByRole('checkbox', { name }));
  await user.type(within(dialog).getByRole('textbox', { name: 'Preset name' }), 'Mail{Enter}');
  await user.type(await within(dialog).findByRole('searchbox', { name: 'Find a preset' }), 'write mail');
  const rows = await within(dialog).findAllByRole('listitem');
  expect(rows.map(getVisibleText)).toEqual(['Mail\nmessage, variables\nWrite a mail to {{name}}\nApply']);

  const { id } = bench.getOpenSession().session;
  const getText = () => bench.drafts.state.getState()[id]?.text;
  bench.drafts.change(id, (draft) => ({ ...draft, text: 'Typed before' }));
  bench.messages.setVariable('name', 'Bo');
  await user.click(within(dialog).getByRole('button', { name: 'Apply' }));
  expect([getText(), bench.getOpenSession().session.variables]).toEqual([
    'Write a mail to {{name}}',
    { name: 'Ada' },
  ]);
  expect(gateway.posts).toHaveLength(1);
  expect(bench.actions.undoSetupEdit()).toBe('Undid changes to message, variables.');
  expect([getText(), bench.getOpenSession().session.variables]).toEqual(['Typed before', { name: 'Bo' }]);
});
