import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { createBench } from '../../../testing/bench.ts';
import { createFinishedTrial } from '../../../testing/open-trials.ts';
import { renderWithPlayground } from '../../../testing/render-with-playground.tsx';
import type { Case } from '../../../trials/trial.ts';
import { TrialScreen } from '../trial-screen.tsx';

/** Renders a finished trial of 20 cases, in which column B is wrong about the first 5, and opens the breakdown. */
async function openBreakdown(getFurtherValues?: (index: number) => Case['values']) {
  const bench = await createBench({ path: '/' });
  const trial = await createFinishedTrial(bench, 20, 5, getFurtherValues);
  // The screen suspends until the trials module has loaded.
  const { user } = await act(async () =>
    renderWithPlayground(<TrialScreen trial={trial} />, { playground: bench }),
  );
  await user.click(screen.getByRole('button', { name: 'Break down by field' }));
  return user;
}

const countListedCases = () =>
  Number(screen.getByRole('grid', { name: 'Cases' }).getAttribute('aria-rowcount')) - 1;

describe('breakdown of a trial', () => {
  it('shows the rates and the difference of each value and lists the cases of a value', async () => {
    const user = await openBreakdown((index) => ({ channel: index < 8 ? 'mail' : 'chat' }));
    const table = screen.getByRole('table', { name: 'Breakdown by channel' });
    expect(
      within(table)
        .getAllByRole('row')
        .map((row) => row.textContent),
    ).toEqual([
      expect.stringMatching(/^channelA.*onebaselineB.*two$/),
      expect.stringMatching(/^chat12 cases100 % \(.*100 % \(.*0 \(/),
      expect.stringMatching(/^mail8 cases100 % \(.*37\.5 % \(.*−62\.5 \(/),
      expect.stringMatching(/^All cases20 cases100 % \(.*75 % \(.*−25 \(/),
    ]);
    await user.click(within(table).getByRole('button', { name: 'mail' }));
    expect(screen.queryByRole('table', { name: 'Breakdown by channel' })).toBeNull();
    expect(countListedCases()).toBe(8);
    expect(screen.getByRole('radio', { name: 'All' }).querySelector('[data-count="8"]')).not.toBeNull();
    const removal = screen.getByRole('button', { name: 'Remove filter channel: mail' });
    await waitFor(() => expect(document.activeElement).toBe(removal));
    await user.click(removal);
    expect(countListedCases()).toBe(20);
  });

  it('says why there is no field to choose', async () => {
    await openBreakdown();
    expect(screen.getByText(/^There is no field to break down by\. A field needs 2 to 20/)).toBeTruthy();
    expect(screen.queryByRole('combobox', { name: 'Field' })).toBeNull();
  });
});
