import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { createBench } from '../../../testing/bench.ts';
import {
  createCases,
  createFinishedTrial,
  createOpenTrial,
  createRunningTrial,
  createTrialTab,
  openTrialInTab,
  waitForTrialState,
} from '../../../testing/open-trials.ts';
import { renderWithPlayground } from '../../../testing/render-with-playground.tsx';
import { createColumns } from '../../../testing/trials.ts';
import { TrialScreen } from '../trial-screen.tsx';
import { TrialContext } from '../use-trial.ts';
import { PlanRegion } from './plan-region.tsx';
import { VerdictRegion } from './verdict-region.tsx';

const columns = createColumns('north/one', 'south/two');

async function renderVerdict(caseCount: number, failedCount: number) {
  const bench = await createBench({ path: '/' });
  const trial = await createFinishedTrial(bench, caseCount, failedCount);
  return renderWithPlayground(
    <TrialContext value={trial}>
      <VerdictRegion />
    </TrialContext>,
    { playground: bench },
  );
}

const getVerdict = () => within(screen.getByRole('region', { name: 'Verdict' }));
const getMethodButton = () => getVerdict().getByRole('button', { name: 'How this is calculated' });

describe('verdict of a trial', () => {
  it('says in its heading which column is better, and draws the difference', async () => {
    await renderVerdict(24, 20);
    expect(getVerdict().getByRole('heading').textContent).toMatch(/two.*worse/);
    expect(getVerdict().getByRole('img', { name: /^Differences from column A/ })).toBeTruthy();
  });

  it('names no difference between columns with equal answers', async () => {
    await renderVerdict(16, 0);
    expect(getVerdict().getByRole('heading').textContent).not.toMatch(/better|worse/);
  });

  it('needs more cases for a verdict on a few', async () => {
    await renderVerdict(3, 3);
    expect(getVerdict().getByRole('heading').textContent).toBe('Too early to say: 3 cases so far');
  });

  it('opens the counts with the keyboard, and closes them with it or Escape', async () => {
    const bench = await createBench({ path: '/' });
    const trial = await createFinishedTrial(bench, 16, 4);
    // The screen suspends until the trials module has loaded.
    const { user } = await act(async () =>
      renderWithPlayground(<TrialScreen trial={trial} />, { playground: bench }),
    );
    expect(screen.queryByRole('table', { name: 'Counts' })).toBeNull();
    getMethodButton().focus();
    await user.keyboard('{Enter}');
    expect(getMethodButton().getAttribute('aria-expanded')).toBe('true');
    const counts = getVerdict().getByRole('table', { name: 'Counts' });
    expect(within(counts).getByRole('columnheader', { name: 'only A' })).toBeTruthy();
    expect(within(counts).getByRole('row', { name: /^B\s*against\s*A 12 0 4 0/ })).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(getMethodButton().getAttribute('aria-expanded')).toBe('false');
    await user.keyboard(' ');
    expect(screen.getByRole('table', { name: 'Counts' })).toBeTruthy();
    await user.keyboard(' ');
    expect(screen.queryByRole('table', { name: 'Counts' })).toBeNull();
  });

  it('ignores a difference in case on request, without sending anything', async () => {
    const { bench, gateway } = await createTrialTab((answer, { text }) =>
      answer.sendAnswer(text.includes('south/two') ? '{"team":"Billing"}' : '{"team":"billing"}'),
    );
    const trial = await createOpenTrial(bench, createCases(16), { columns });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    const { user } = renderWithPlayground(
      <TrialContext value={trial}>
        <VerdictRegion />
      </TrialContext>,
      { playground: bench },
    );
    const getText = () => screen.getByRole('region', { name: 'Verdict' }).textContent;
    expect(getText()).toContain('16 answers differ only in case. Ignore that');
    await user.click(getVerdict().getByRole('button', { name: 'Ignore that' }));
    await waitFor(() => expect(getText()).toMatch(/two.*16 of 16/));
    expect(getText()).not.toContain('differ only in case');
    expect(getText()).toContain('The check was changed after answers had come in.');
    expect(gateway.posts).toHaveLength(32);
  });

  it('follows the answers of a running trial', async () => {
    const { bench, trial, gate } = await createRunningTrial(16, columns);
    renderWithPlayground(
      <TrialContext value={trial}>
        <VerdictRegion />
      </TrialContext>,
      { playground: bench },
    );
    const firstHeading = getVerdict().getByRole('heading').textContent;
    gate.open();
    await waitForTrialState(trial, 'finished');
    await waitFor(() => expect(getVerdict().getByRole('heading').textContent).not.toBe(firstHeading));
  });
});

describe('plan of a draft', () => {
  const renderPlan = async (caseCount: number) => {
    const { bench } = await createTrialTab();
    const trial = await createOpenTrial(bench, createCases(caseCount), { columns });
    renderWithPlayground(
      <TrialContext value={trial}>
        <PlanRegion />
      </TrialContext>,
      { playground: bench },
    );
    return trial;
  };
  const getHeading = () =>
    within(screen.getByRole('region', { name: 'Plan' })).getByRole('heading').textContent;

  it('counts the requests, and follows the setup', async () => {
    const trial = await renderPlan(20);
    expect(getHeading()).toMatch(/40 requests/);
    trial.setRepeats(3);
    await waitFor(() => expect(getHeading()).toMatch(/120 requests/));
  });

  it('takes the share of cases that only the baseline passes from earlier trials of the check', async () => {
    const bench = await createBench({ path: '/' });
    const finishedTrial = await createFinishedTrial(bench, 40, 4);
    const trial = await openTrialInTab(bench, await finishedTrial.createNextVersion());
    const { user } = renderWithPlayground(
      <TrialContext value={trial}>
        <PlanRegion />
      </TrialContext>,
      { playground: bench },
    );
    const getText = () => screen.getByRole('region', { name: 'Plan' }).textContent;
    await waitFor(() =>
      expect(getText()).toMatch(/If A alone passes2 of 100 cases.*\(from 40 pairs of earlier trials\)/),
    );
    await user.click(screen.getByRole('combobox', { name: 'Cases that only the baseline passes' }));
    await user.click(await screen.findByRole('option', { name: '10 of 100 cases' }));
    await waitFor(() => expect(getText()).not.toContain('earlier trials'));
    expect(trial.state.getState().trial.reverseShare).toBe(0.1);
    await user.click(screen.getByRole('combobox', { name: 'Cases that only the baseline passes' }));
    await user.click(await screen.findByRole('option', { name: /^2 of 100 cases/ }));
    await waitFor(() => expect(getText()).toContain('earlier trials'));
  });

  it('says what is missing before a run', async () => {
    await renderPlan(0);
    expect(screen.getByText('Add cases first.')).toBeTruthy();
  });
});
