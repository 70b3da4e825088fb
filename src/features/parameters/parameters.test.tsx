import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import type { Bench } from '../../testing/bench.ts';
import { createConversation, sendAndWait } from '../../testing/conversation-driver.ts';
import { renderWithPlayground } from '../../testing/render-with-playground.tsx';
import { Parameters } from './parameters.tsx';

const renderParameters = (bench: Bench) => renderWithPlayground(<Parameters />, { playground: bench });

const getSidebar = () => within(screen.getByRole('complementary', { name: 'Parameters' }));
const getNumber = (name: string) => getSidebar().getByRole<HTMLInputElement>('spinbutton', { name });
const getCheckbox = (name: string) =>
  getSidebar().getByRole<HTMLInputElement>('checkbox', { name: `Send ${name}` });

/** Renders the sidebar for two lanes with these temperatures. */
async function renderTwoLanes(a: string, b: string) {
  const { bench, gateway } = await createConversation();
  bench.actions.addLane();
  const { user } = renderParameters(bench);
  const selectScope = (name: string) => user.click(getSidebar().getByRole('radio', { name }));
  for (const [lane, text] of [
    ['Lane A', a],
    ['Lane B', b],
  ] as const) {
    await selectScope(lane);
    await user.type(getNumber('temperature'), text);
  }
  await selectScope('All lanes');
  return { bench, gateway, user };
}

/** Returns the temperatures in the last two requests. */
async function sendTemperatures(bench: Bench, gateway: { posts: { body: Record<string, unknown> }[] }) {
  await sendAndWait(bench, 'Go');
  return gateway.posts.slice(-2).map(({ body }) => body['temperature']);
}

describe('parameters of one lane', () => {
  it('sends a typed value and ticks its field', async () => {
    const { bench, gateway } = await createConversation();
    const { user } = renderParameters(bench);
    expect(getCheckbox('temperature').checked).toBe(false);
    await user.type(getNumber('temperature'), '0.3');
    expect(getCheckbox('temperature').checked).toBe(true);
    await sendAndWait(bench, 'Go');
    expect(gateway.posts[0]?.body).toMatchObject({ temperature: 0.3 });
  });

  it('starts a ticked field with its default and remembers its value when it is unticked', async () => {
    const { bench, gateway } = await createConversation();
    const { user } = renderParameters(bench);
    getCheckbox('top_p').focus();
    await user.keyboard(' ');
    expect(getNumber('top_p').value).toBe('0.7');
    await user.clear(getNumber('top_p'));
    await user.type(getNumber('top_p'), '0.9');
    await user.click(getCheckbox('top_p'));
    expect(getNumber('top_p').value).toBe('');
    await sendAndWait(bench, 'Go');
    expect(gateway.posts[0]?.body).not.toHaveProperty('top_p');
    await user.click(getCheckbox('top_p'));
    expect(getNumber('top_p').value).toBe('0.9');
  });

  it('steps a number with the arrow keys within its range', async () => {
    const { bench } = await createConversation();
    const { user } = renderParameters(bench);
    await user.type(getNumber('temperature'), '1.9');
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(getNumber('temperature').value).toBe('2');
    await user.keyboard('{ArrowDown}');
    expect(getNumber('temperature').value).toBe('1.9');
  });

  it('describes an invalid value, keeps it and does not count it', async () => {
    const { bench } = await createConversation();
    const { user } = renderParameters(bench);
    await user.type(getNumber('thinking_budget'), '64');
    expect(getNumber('thinking_budget').getAttribute('aria-invalid')).toBe('true');
    expect(getSidebar().getByText('Must be between 128 and 32,768. Not sent.')).toBeTruthy();
    expect(getSidebar().getByText(/^2 of \d+ sent$/)).toBeTruthy();
  });

  it('turns a switch on with the keyboard and sends it', async () => {
    const { bench, gateway } = await createConversation();
    const { user } = renderParameters(bench);
    getSidebar().getByRole('switch', { name: 'enable_thinking' }).focus();
    await user.keyboard(' ');
    await sendAndWait(bench, 'Go');
    expect(gateway.posts[0]?.body).toMatchObject({ enable_thinking: true });
  });

  it('removes all fields with Reset all and restores them with Undo', async () => {
    const { bench } = await createConversation();
    const { user } = renderParameters(bench);
    await user.type(getNumber('temperature'), '0.3');
    await user.type(getNumber('seed'), '7');
    await user.click(getSidebar().getByRole('button', { name: 'Reset all' }));
    await waitFor(() => expect(getCheckbox('seed').checked).toBe(false));
    bench.session.getState().undo?.restore();
    await waitFor(() => expect(getNumber('seed').value).toBe('7'));
    expect(getNumber('temperature').value).toBe('0.3');
  });
});

describe('parameters of several lanes', () => {
  it('edits only the lane in scope, and shows no single value where lanes differ', async () => {
    const { bench, gateway } = await renderTwoLanes('0.2', '1.6');
    expect(getNumber('temperature').value).toBe('');
    expect(getNumber('temperature').placeholder).toBe('mixed 0.2 / 1.6');
    expect(getNumber('Lane A temperature').value).toBe('0.2');
    expect(getNumber('Lane B temperature').value).toBe('1.6');
    expect(await sendTemperatures(bench, gateway)).toEqual([0.2, 1.6]);
  });

  it('ignores step keys in a value that differs between lanes', async () => {
    const { user } = await renderTwoLanes('0.2', '1.6');
    await user.click(getNumber('temperature'));
    await user.keyboard('{ArrowUp}{ArrowDown}{PageUp}{Shift>}{ArrowUp}{/Shift}{Backspace}');
    fireEvent.wheel(getNumber('temperature'), { deltaY: 100 });
    expect(getNumber('Lane A temperature').value).toBe('0.2');
    expect(getNumber('Lane B temperature').value).toBe('1.6');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(screen.queryByRole('slider', { name: 'temperature' })).toBeNull();
  });

  it('sets a typed value in all lanes, says what it was, and restores it with Undo', async () => {
    const { bench, gateway, user } = await renderTwoLanes('0.2', '1.6');
    await user.type(getNumber('temperature'), '0.3');
    screen.getByText('temperature is 0.3 in 2 lanes. Previously: A 0.2, B 1.6.');
    await user.click(screen.getByText('Undo'));
    expect(getNumber('Lane A temperature').value).toBe('0.2');
    expect(getNumber('Lane B temperature').value).toBe('1.6');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(await sendTemperatures(bench, gateway)).toEqual([0.2, 1.6]);
  });

  it('says what an unticked field was, and restores the value of each lane when it is ticked again', async () => {
    const { user } = await renderTwoLanes('0.2', '1.6');
    await user.click(getCheckbox('temperature'));
    screen.getByText('temperature is not sent in 2 lanes. Previously: A 0.2, B 1.6.');
    await user.click(getCheckbox('temperature'));
    expect(getNumber('Lane A temperature').value).toBe('0.2');
    expect(getNumber('Lane B temperature').value).toBe('1.6');
  });

  it("edits a lane in its own field, which keeps the focus while the lanes' values are equal", async () => {
    const { user } = await renderTwoLanes('1.5', '1.6');
    await user.click(getNumber('Lane A temperature'));
    await user.keyboard('{ArrowUp}');
    expect(getNumber('temperature').value, 'set in both lanes').toBe('1.6');
    expect(document.activeElement).toBe(getNumber('Lane A temperature'));
    await user.keyboard('{ArrowUp}');
    expect(getNumber('Lane A temperature').value).toBe('1.7');
    expect(getNumber('Lane B temperature').value).toBe('1.6');
  });

  it('steps the slider of a lane, and restores its value on Escape', async () => {
    const { user } = await renderTwoLanes('1.7', '1.6');
    getSidebar().getByRole('slider', { name: 'Lane B temperature' }).focus();
    await user.keyboard('{ArrowLeft}{Shift>}{ArrowLeft}{/Shift}');
    expect(getNumber('Lane B temperature').value).toBe('0.5');
    await user.keyboard('{Escape}');
    expect(getNumber('Lane B temperature').value).toBe('1.6');
    expect(getNumber('Lane A temperature').value).toBe('1.7');
  });

  it('says what a switch was in each lane, and lists only differing fields on request', async () => {
    const { user } = await renderTwoLanes('0.2', '1.6');
    await user.click(getSidebar().getByRole('radio', { name: 'Lane B' }));
    await user.click(getSidebar().getByRole('switch', { name: 'enable_thinking' }));
    await user.click(getSidebar().getByRole('radio', { name: 'All lanes' }));
    await user.click(getSidebar().getByRole('button', { name: 'Show: all fields' }));
    await user.click(await screen.findByRole('menuitem', { name: /^Differing/ }));
    expect(getSidebar().getAllByRole('checkbox', { name: /^Send / })).toHaveLength(2);
    await user.click(getSidebar().getByRole('switch', { name: 'enable_thinking' }));
    screen.getByText('enable_thinking is true in 2 lanes. Previously: A not sent, B true.');
  });

  it('shows a partly ticked checkbox for a field that only one lane sends', async () => {
    const { bench } = await createConversation();
    bench.actions.addLane();
    const { user } = renderParameters(bench);
    await user.click(getSidebar().getByRole('radio', { name: 'Lane A' }));
    await user.type(getNumber('seed'), '7');
    await user.click(getSidebar().getByRole('radio', { name: 'All lanes' }));
    expect(getCheckbox('seed').indeterminate).toBe(true);
  });
});
