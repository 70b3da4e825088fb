import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { createBench } from '../../../testing/bench.ts';
import {
  createCases,
  createFinishedTrial,
  createOpenTrial,
  createTrialTab,
  getTicket,
  waitForTrialState,
} from '../../../testing/open-trials.ts';
import { renderWithPlayground } from '../../../testing/render-with-playground.tsx';
import { createColumns } from '../../../testing/trials.ts';
import { TrialScreen } from '../trial-screen.tsx';

/** Renders a finished trial of 20 cases, in which the model of column B is wrong about the first 5. */
async function renderTrial() {
  const bench = await createBench({ path: '/' });
  const trial = await createFinishedTrial(bench, 20, 5);
  // The screen suspends until the trials module has loaded.
  const { user } = await act(async () =>
    renderWithPlayground(<TrialScreen trial={trial} />, { playground: bench }),
  );
  return { trial, user };
}

const getGrid = () => screen.getByRole('grid', { name: 'Cases' });
const getCell = (name: string) => within(getGrid()).getByRole('gridcell', { name });
const listCaseNames = () =>
  within(getGrid())
    .getAllByRole('rowheader')
    .map((header) => header.getAttribute('aria-label'));

/** Returns the name of the cell that the keys act on. */
function getActiveCell(): string {
  const id = getGrid().getAttribute('aria-activedescendant');
  const cell = id === null ? null : document.querySelector(`[id="${id}"]`);
  return cell?.getAttribute('aria-label') ?? cell?.textContent ?? '';
}

describe('grid of cases', () => {
  it('names every column and cell with its result, and counts all rows and columns', async () => {
    await renderTrial();
    expect(getGrid().getAttribute('aria-rowcount')).toBe('21');
    expect(getGrid().getAttribute('aria-colcount')).toBe('5');
    expect(
      within(getGrid()).getByRole('columnheader', {
        name: 'Column A, north/one, 100 percent passed, 20 of 20',
      }),
    ).toBeTruthy();
    expect(
      within(getGrid()).getByRole('columnheader', {
        name: 'Column B, south/two, 75 percent passed, 15 of 20',
      }),
    ).toBeTruthy();
    expect(getCell('Case 5, column B: failed, delivery, expected billing')).toBeTruthy();
    expect(getCell('Case 6, column B: passed, billing')).toBeTruthy();
  });

  it('moves between cells with the keys and stops at the edges', async () => {
    const { user } = await renderTrial();
    getGrid().focus();
    await user.keyboard('{ArrowUp}{ArrowLeft}');
    expect(getActiveCell()).toBe('Case 1');
    await user.keyboard('{ArrowRight}{ArrowDown}');
    expect(getActiveCell()).toBe('ticket 2');
    await user.keyboard('{End}{ArrowRight}');
    expect(getActiveCell()).toBe('Case 2, column B: failed, delivery, expected billing');
    await user.keyboard('{Control>}{End}{/Control}');
    expect(getActiveCell()).toBe('Case 20, column B: passed, billing');
    await user.keyboard('{Home}');
    expect(getActiveCell()).toBe('Case 20');
    await user.keyboard('{Control>}{Home}{/Control}');
    expect(getActiveCell()).toBe('Case 1');
  });

  it('opens a cell with Enter, and returns to the grid on Escape', async () => {
    const { user } = await renderTrial();
    getGrid().focus();
    await user.keyboard('{End}{Enter}');
    const panel = await screen.findByRole('complementary', { name: 'Cell' });
    await waitFor(() => expect(panel.contains(document.activeElement)).toBe(true));
    expect(within(panel).getByText('failed')).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary', { name: 'Cell' })).toBeNull();
    expect(document.activeElement).toBe(getGrid());
  });

  it('keeps the focus in the grid after a click on a cell, and the open cell follows the keys', async () => {
    const { user } = await renderTrial();
    await user.click(getCell('Case 6, column B: passed, billing'));
    const panel = await screen.findByRole('complementary', { name: 'Cell' });
    expect(document.activeElement).toBe(getGrid());
    expect(panel.textContent).toContain('ticket 6');
    await user.keyboard('{ArrowUp}');
    await waitFor(() => expect(panel.textContent).toContain('ticket 5'));
    expect(within(panel).getByText('failed')).toBeTruthy();
  });

  it('opens the case with Enter on its number', async () => {
    const { user } = await renderTrial();
    getGrid().focus();
    await user.keyboard('{ArrowDown}{Home}{Enter}');
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByDisplayValue('ticket 2')).toBeTruthy();
  });

  it('shows only the cases in which the columns disagree, and says if no case matches', async () => {
    const { user } = await renderTrial();
    const filters = within(screen.getByRole('radiogroup', { name: 'Show' }));
    await user.click(filters.getByRole('radio', { name: /^Columns disagree/ }));
    expect(listCaseNames()).toEqual(['Case 1', 'Case 2', 'Case 3', 'Case 4', 'Case 5']);
    expect(getGrid().getAttribute('aria-rowcount')).toBe('6');
    await user.click(filters.getByRole('radio', { name: /^A failed/ }));
    expect(screen.getByText('No cases match this filter.')).toBeTruthy();
  });

  it('finds cases by their values and answers', async () => {
    const { user } = await renderTrial();
    const searchField = screen.getByRole('searchbox', { name: 'Find in cases and answers' });
    await user.type(searchField, 'delivery');
    await waitFor(() => expect(listCaseNames()).toHaveLength(5));
    await user.clear(searchField);
    await user.type(searchField, 'ticket 13');
    await waitFor(() => expect(listCaseNames()).toEqual(['Case 13']));
  });

  it('resizes the column of the cursor with the keys', async () => {
    const { user } = await renderTrial();
    const getWidths = () =>
      within(getGrid())
        .getByRole('columnheader', { name: 'team' })
        .closest<HTMLElement>('[style*="--columns"]')
        ?.style.getPropertyValue('--columns')
        .split(' ');
    const [, , widthBefore] = getWidths() ?? [];
    getGrid().focus();
    await user.keyboard('{ArrowRight}{ArrowRight}{Shift>}{ArrowRight}{/Shift}');
    expect(getWidths()?.[2]).toBe(`${Number.parseInt(widthBefore ?? '', 10) + 16}px`);
    expect(getActiveCell()).toBe('billing');
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    expect(getWidths()?.[2]).toBe(widthBefore);
  });

  it('tests a check on a case that fails, if the current one passes', async () => {
    const { bench } = await createTrialTab((answer, { body }) =>
      answer.sendAnswer(`{"team":"${getTicket(body) === 'ticket 2' ? 'delivery' : 'billing'}"}`),
    );
    const trial = await createOpenTrial(bench, createCases(3), { columns: createColumns('north/one') });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    const { user } = await act(async () =>
      renderWithPlayground(<TrialScreen trial={trial} />, { playground: bench }),
    );
    await user.click(getCell('Case 3, column A: passed, billing'));
    await user.click(screen.getByRole('button', { name: /^Checks/ }));
    await user.click(screen.getByRole('button', { name: 'right team' }));
    const results = await screen.findByRole('region', { name: 'Results on current answers' });
    await waitFor(() => expect(results.textContent).toMatch(/failed: is “delivery”, expected “billing”/));
  });

  it('compares with another column after Use as baseline in its menu', async () => {
    const { trial, user } = await renderTrial();
    await user.click(screen.getByRole('button', { name: 'Column B menu' }));
    await user.click(await screen.findByRole('menuitem', { name: /^Use as baseline/ }));
    await waitFor(() => expect(trial.state.getState().trial.baseline).toBe('b'));
    expect(await screen.findByRole('img', { name: /^Differences from column B/ })).toBeTruthy();
  });
});
