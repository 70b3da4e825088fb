import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';

import {
  createCases,
  createOpenTrial,
  createTrialTab,
  waitForTrialState,
} from '../../../testing/open-trials.ts';
import { renderWithPlayground } from '../../../testing/render-with-playground.tsx';
import { createColumns } from '../../../testing/trials.ts';
import { TrialScreen } from '../trial-screen.tsx';

/** Price of north/one: an answer costs $0.002. */
const pricedModel = { id: 'north/one', input_cost_per_token: 0.00001, output_cost_per_token: 0.00002 };

async function renderDraft(...models: string[]) {
  const { bench, gateway } = await createTrialTab((answer) => {
    answer.sendText('{"team":"billing"}');
    answer.sendFinishReason();
    answer.sendUsage(100, 50);
    answer.sendDone();
  });
  gateway.models = { data: [pricedModel, { id: 'south/two' }] };
  const trial = await createOpenTrial(bench, createCases(6), { columns: createColumns(...models) });
  // The screen suspends until the trials module has loaded.
  const { user } = await act(async () =>
    renderWithPlayground(<TrialScreen trial={trial} />, { playground: bench }),
  );
  return { trial, user };
}

const getSetup = () => within(screen.getByRole('complementary', { name: 'Setup' }));
const getBudget = () => getSetup().getByRole<HTMLInputElement>('textbox', { name: 'Budget' });
const getDescription = () =>
  document.querySelector(`[id="${getBudget().getAttribute('aria-describedby') ?? ''}"]`)?.textContent;

it('sets a budget, pauses the trial at it and moves the focus to it to raise it', async () => {
  const { trial, user } = await renderDraft('north/one');
  await waitFor(() => expect(getBudget().disabled).toBe(false));
  await user.type(getBudget(), '0.x');
  expect(getBudget().getAttribute('aria-invalid')).toBe('true');
  expect(getDescription()).toBe('Must be an amount above 0, such as 1.50. Not used.');
  await user.clear(getBudget());
  await user.type(getBudget(), '0.007');
  expect(trial.state.getState().trial.budget).toEqual({ amount: 0.007, currency: 'USD' });
  expect(screen.getByText(/Cost ~\$0\.0\d+, estimated from the length of the prompts/)).toBeTruthy();
  await act(async () => {
    await trial.run();
    await waitForTrialState(trial, 'paused');
  });
  const card = within(
    (await screen.findByText('The next request could pass the budget.')).closest('article')!,
  );
  expect(card.getByText(/^Spent \$0\.0060 of \$0\.0070, \$0\.0010 left\./)).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'Raise the budget' }));
  await waitFor(() => expect(document.activeElement).toBe(getBudget()));
  await user.clear(getBudget());
  await user.type(getBudget(), '1');
  expect(trial.state.getState().trial.budget?.amount, 'an unfinished number is not used').toBe(0.007);
  await user.keyboard('{Enter}');
  expect(trial.state.getState().trial.budget?.amount).toBe(1);
  await act(async () => {
    await trial.run();
    await waitForTrialState(trial, 'finished');
  });
  expect(screen.getByRole('columnheader', { name: /^Column A/ }).textContent).toContain('Cost $0.012');
});

it('cannot be set while a column has no price, and says so', async () => {
  await renderDraft('north/one', 'south/two');
  await waitFor(() => expect(getDescription()).toBe('Column B has no price, so no budget can be kept.'));
  expect(getBudget().disabled).toBe(true);
});
