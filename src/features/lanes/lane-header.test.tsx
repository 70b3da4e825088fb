import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { useSessionShallow } from '../../state/contexts.tsx';
import { createBench, type Bench } from '../../testing/bench.ts';
import { createGate } from '../../testing/builders.ts';
import { configureLane, createConversation, sendAndWait } from '../../testing/conversation-driver.ts';
import { renderWithPlayground } from '../../testing/render-with-playground.tsx';
import { waitUntil } from '../../testing/wait-until.ts';
import { LaneHeader } from './lane-header.tsx';

/** The headers of all lanes, as above the conversation. */
function LaneHeaders() {
  const laneIds = useSessionShallow((data) => data.session.laneIds) ?? [];
  return laneIds.map((laneId, index) => <LaneHeader key={laneId} laneId={laneId} index={index} />);
}

const renderHeaders = (bench: Bench) => renderWithPlayground(<LaneHeaders />, { playground: bench });
const getLane = (letter: string) => within(screen.getByRole('region', { name: `Lane ${letter}` }));
const getMenuButton = (letter: string) => screen.getByRole('button', { name: `Lane ${letter} menu` });
const getMarkedOption = () => screen.queryByRole('option', { selected: true })?.textContent;

/** Opens a tab with a lane for each of these models. */
async function createLanes(models: readonly string[], ...options: Parameters<typeof createConversation>) {
  const conversation = await createConversation(...options);
  for (const [lane, model] of models.entries()) {
    if (lane > 0) conversation.bench.actions.addLane();
    configureLane(conversation.bench, { model }, lane);
  }
  return conversation;
}

const listModels = ({ getOpenSession }: Bench) =>
  getOpenSession().session.laneIds.map((laneId) => getOpenSession().lanes[laneId]?.setup.model);

describe('lane header', () => {
  it('uses the best match of the list for a typed model on Enter', async () => {
    const { bench, gateway } = await createLanes(['north/one']);
    gateway.models = { data: ['north/one', 'south/plover-8b', 'south/heron-32b'].map((id) => ({ id })) };
    const { user } = renderHeaders(bench);
    await user.click(await screen.findByRole('combobox', { name: 'Model' }));
    await user.keyboard('heron');
    await screen.findByRole('option', { name: /^south\/heron-32b/ });
    await user.keyboard('{Enter}');
    await waitFor(() => expect(listModels(bench)).toEqual(['south/heron-32b']));
  });

  it('sorts the models from the keyboard, remembers the order and still lists the best match first', async () => {
    const { bench, gateway } = await createLanes(['north/one']);
    const contexts = { 'north/one': 8_000, 'south/one-long': 1_000_000, 'east/long': 128_000 };
    gateway.models = {
      data: Object.entries(contexts).map(([id, context_length]) => ({ id, context_length })),
    };
    const { user } = renderHeaders(bench);
    const listIds = () =>
      screen.getAllByRole('option').map(({ textContent }) => /^[\w/-]+/.exec(textContent)?.[0]);
    await user.click(await screen.findByRole('combobox', { name: 'Model' }));
    await waitFor(() => expect(listIds()).toEqual(['north/one', 'south/one-long', 'east/long']));
    await user.tab();
    await user.tab();
    await user.tab();
    await user.tab();
    expect(document.activeElement?.textContent).toBe('As listed');
    await user.keyboard('{ArrowRight}');
    await waitFor(() => expect(listIds()).toEqual(['south/one-long', 'east/long', 'north/one']));
    expect(bench.prefs.getState().modelOrder).toBe('context');
    await user.type(screen.getByRole('combobox', { name: 'Model' }), 'long');
    await waitFor(() => expect(listIds().slice(0, 2)).toEqual(['east/long', 'south/one-long']));
    expect(getMarkedOption()).toMatch(/^east\/long/);
  });

  it('does not offer an unknown model again, and lists the time of the first token of a used one', async () => {
    const bench = await createBench({ path: '/' });
    configureLane(bench, { model: 'demo/visoin' });
    await sendAndWait(bench, 'Go');
    configureLane(bench, { model: 'demo/vision' });
    await sendAndWait(bench, 'Go');
    const { user } = renderHeaders(bench);
    await user.click(await screen.findByRole('combobox', { name: 'Model' }));
    const usedOption = await screen.findByRole('option', { name: /^demo\/vision/ });
    expect(usedOption.textContent).toMatch(/\d m?s TTFT/);
    expect(screen.getByText('8 models')).toBeTruthy();
    expect(screen.queryByText(/visoin/)).toBeNull();
  });

  it('accepts pasted text that leaves fewer models than the position of the marked one', async () => {
    const { bench } = await createLanes(['north/one']);
    const { user } = renderHeaders(bench);
    await user.click(await screen.findByRole('combobox', { name: 'Model' }));
    await user.keyboard('two');
    await screen.findByRole('option', { name: /^north\/two/ });
    await user.keyboard('{ArrowDown}');
    await waitFor(() => expect(getMarkedOption()).toMatch(/^Use “two”/));
    await user.paste('-unlisted');
    await waitFor(() => expect(getMarkedOption()).toMatch(/^Use “two-unlisted”/));
  });

  it('changes nothing if the list of models is closed with Escape', async () => {
    const { bench } = await createLanes(['north/one']);
    const { user } = renderHeaders(bench);
    await user.click(await screen.findByRole('combobox', { name: 'Model' }));
    await user.keyboard('two');
    await screen.findByRole('option', { name: /^north\/two/ });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
    expect(listModels(bench)).toEqual(['north/one']);
  });

  it('moves, copies and removes lanes from the menu', async () => {
    const { bench } = await createLanes(['north/one', 'north/two']);
    const { user } = renderHeaders(bench);
    const pick = async (letter: string, item: string) => {
      await user.click(getMenuButton(letter));
      await user.click(await screen.findByRole('menuitem', { name: item }));
    };
    await pick('A', 'Move right');
    await waitFor(() => expect(listModels(bench)).toEqual(['north/two', 'north/one']));
    await pick('A', 'Duplicate lane');
    await screen.findByRole('region', { name: 'Lane C' });
    expect(listModels(bench)).toEqual(['north/two', 'north/two', 'north/one']);
    await pick('C', 'Remove lane');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Lane C' })).toBeNull());
    expect(listModels(bench)).toEqual(['north/two', 'north/two']);
  });

  it('names a lane from its menu, and hides the name with those of models', async () => {
    const { bench } = await createLanes(['north/one', 'north/one']);
    const { user } = renderHeaders(bench);
    const openField = async () => {
      await user.click(getMenuButton('A'));
      await user.click(await screen.findByRole('menuitem', { name: 'Rename lane' }));
      return screen.findByRole('textbox', { name: 'Name of lane A' });
    };
    await openField();
    await user.keyboard(' Terse {Enter}');
    expect(await getLane('A').findByText('Terse')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
    await openField();
    await user.keyboard('Other{Escape}');
    expect(await getLane('A').findByText('Terse')).toBeTruthy();
    bench.view.setState({ namesHidden: true });
    await waitFor(() => expect(screen.queryByText('Terse')).toBeNull());
    await user.click(getMenuButton('A'));
    const item = await screen.findByRole('menuitem', { name: /^Rename lane/ });
    expect(item.textContent).toContain('Names are hidden');
    await user.keyboard('{Escape}');
    bench.view.setState({ namesHidden: false });
    await user.clear(await openField());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByText('Terse')).toBeNull());
    const { undo } = bench.session.getState();
    expect(undo?.text).toBe('Removed the name of lane A.');
    undo?.restore();
    expect(await getLane('A').findByText('Terse')).toBeTruthy();
  });

  it('opens the menu with an arrow key and returns the focus on Escape', async () => {
    const { bench } = await createLanes(['north/one', 'north/two']);
    const { user } = renderHeaders(bench);
    getMenuButton('A').focus();
    await user.keyboard('{ArrowDown}');
    const firstItem = await screen.findByRole('menuitem', { name: 'Duplicate lane' });
    await waitFor(() => expect(document.activeElement).toBe(firstItem));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    expect(document.activeElement).toBe(getMenuButton('A'));
    expect(listModels(bench)).toEqual(['north/one', 'north/two']);
  });

  it('disables the menu items of a single lane that need another one', async () => {
    const { bench } = await createLanes(['north/one']);
    const { user } = renderHeaders(bench);
    await user.click(getMenuButton('A'));
    const item = await screen.findByRole('menuitem', { name: /^Remove lane/ });
    expect(item.getAttribute('aria-disabled')).toBe('true');
    await user.click(item);
    expect(listModels(bench)).toEqual(['north/one']);
  });

  it('moves between the menus of lanes with the arrow keys', async () => {
    const { bench } = await createLanes(['north/one', 'north/two']);
    const { user } = renderHeaders(bench);
    getMenuButton('A').focus();
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(getMenuButton('B'));
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement, 'the last lane keeps the focus').toBe(getMenuButton('B'));
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(getMenuButton('A'));
  });

  it('stops only its own lane, and shows the status of each', async () => {
    const gate = createGate();
    const { bench, gateway } = await createLanes(['north/one', 'north/two'], async (answer) => {
      answer.sendText('Started');
      await gate.opened;
      answer.sendAnswer('.');
    });
    const { user } = renderHeaders(bench);
    const sendPromise = sendAndWait(bench, 'Go');
    await waitUntil(() => gateway.posts.length === 2);
    await user.click(await screen.findByRole('button', { name: 'Stop lane A' }));
    expect(await getLane('A').findByText('Stopped')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Stop lane B' })).toBeTruthy();
    gate.open();
    await sendPromise;
    expect(await getLane('B').findByText('Done')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Stop lane/ })).toBeNull();
  });

  it('shows what differs between the lanes, and hides the models while names are hidden', async () => {
    const { bench } = await createLanes(['north/one', 'north/two']);
    configureLane(bench, { fields: { temperature: '0.2' } }, 1);
    renderHeaders(bench);
    expect(getLane('B').getByText('temperature 0.2')).toBeTruthy();
    bench.view.setState({ namesHidden: true });
    expect(await getLane('B').findByText('Model B')).toBeTruthy();
    expect(screen.queryByText('temperature 0.2')).toBeNull();
    expect(screen.queryByRole('combobox', { name: 'Model' })).toBeNull();
  });
});
