import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { createBench } from '../../../testing/bench.ts';
import {
  createCases,
  createFinishedTrial,
  createOpenTrial,
  createTrialTab,
  waitForTrialState,
} from '../../../testing/open-trials.ts';
import { getVisibleText, renderWithPlayground } from '../../../testing/render-with-playground.tsx';
import { createColumns } from '../../../testing/trials.ts';
import { TrialContext } from '../use-trial.ts';
import { TrialScene } from './trial-scene.tsx';

/** Presents a trial of 24 cases, of which column B fails the first ones. */
async function renderScene(failedCount: number) {
  const bench = await createBench({ path: '/' });
  const trial = await createFinishedTrial(bench, 24, failedCount);
  const onClose = vi.fn<() => void>();
  const { user } = renderWithPlayground(
    <TrialContext value={trial}>
      <TrialScene onClose={onClose} />
    </TrialContext>,
    { playground: bench },
  );
  return { user, onClose };
}

const getStage = () => screen.getByRole('dialog', { name: 'Presentation' });
const getHeading = () => within(getStage()).getByRole('heading').textContent;
const getSceneName = () => within(getStage()).getByRole('status').textContent;

describe('presentation of a trial', () => {
  it('shows the verdict and the rates of all columns first', async () => {
    await renderScene(20);
    expect(getHeading()).toMatch(/two is worse than .*one: \d+ fewer of 100/);
    const rates = within(getStage()).getByRole('img', { name: /A 100 percent.*; B 17 percent/ });
    expect(getVisibleText(rates)).toMatch(
      /one[^]*100 %[^]*24 of 24[^]*baseline[^]*two[^]*17 %[^]*4 of 24[^]*−83/,
    );
    expect(getSceneName()).toBe('Verdict');
  });

  it('walks through at most five cases that only one column passed', async () => {
    const { user } = await renderScene(20);
    await user.keyboard('{PageDown}');
    expect(getHeading()).toBe('ticket 1');
    expect(getVisibleText(getStage())).toContain('Case 1: only A passed');
    const rows = within(getStage()).getAllByRole('listitem').map(getVisibleText);
    expect(rows[0]).toMatch(/Expected\s*billing/);
    expect(rows[1]).toMatch(/one\s*Passed\s*billing/);
    expect(rows[2]).toMatch(/two\s*Failed\s*delivery/);
    await user.keyboard('{End}{ArrowRight}');
    expect(getSceneName()).toBe('Case 5 of 5');
    await user.keyboard('{PageUp}');
    expect(getSceneName()).toBe('Case 4 of 5');
    await user.keyboard('{Home}{ArrowLeft}');
    expect(getSceneName()).toBe('Verdict');
  });

  it('has only the verdict if the columns passed the same cases', async () => {
    const { user, onClose } = await renderScene(0);
    await user.keyboard('{PageDown}');
    expect(getSceneName()).toBe('Verdict');
    await user.click(within(getStage()).getByRole('button', { name: 'exit' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('shows the trade-off of the better column', async () => {
    const { bench } = await createTrialTab((answer, { text }) => {
      const isColumnB = text.includes('south/two');
      answer.sendText(`{"team":"${isColumnB ? 'billing' : 'delivery'}"}`);
      answer.sendFinishReason();
      answer.sendUsage(10, isColumnB ? 30 : 10);
      answer.sendDone();
    });
    const trial = await createOpenTrial(bench, createCases(24), {
      columns: createColumns('north/one', 'south/two'),
    });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    renderWithPlayground(
      <TrialContext value={trial}>
        <TrialScene onClose={() => undefined} />
      </TrialContext>,
      { playground: bench },
    );
    expect(getStage().textContent).toMatch(/two is better by 100 points.* and writes 3 times as much\./);
  });
});
