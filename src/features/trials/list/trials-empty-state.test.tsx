import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';

import { createBench, type BenchOptions } from '../../../testing/bench.ts';
import { renderWithPlayground } from '../../../testing/render-with-playground.tsx';
import { startScriptedGateway } from '../../../testing/scripted-gateway.ts';
import { TrialsEmptyState } from './trials-empty-state.tsx';

async function renderStarters(options: BenchOptions) {
  const bench = await createBench({ path: '/', ...options });
  // The starters suspend until the trials module has loaded.
  await act(async () => bench.lazyTrials.load());
  const { user } = await act(async () => renderWithPlayground(<TrialsEmptyState />, { playground: bench }));
  return { bench, user };
}

const findStarter = () => screen.findByRole('button', { name: /^Same prompt through two gateways/ });

it('says what to set for the starter across gateways if there is only one', async () => {
  await renderStarters({});
  const starter = await findStarter();
  expect(starter.getAttribute('aria-disabled')).toBe('true');
  expect(starter.textContent).toContain('Name a second gateway in GATEWAYS on the server first');
});

it('compares the first models of both gateways if none is listed by both, and says so', async () => {
  const north = await startScriptedGateway();
  onTestFinished(north.close);
  const { bench, user } = await renderStarters({
    settings: { GATEWAYS: 'north,demo', GATEWAY_NORTH_BASE_URL: north.url },
  });
  await user.click(await findStarter());
  await waitFor(() =>
    expect(bench.notices.getState().notice?.text).toBe(
      'Both gateways list no common model, so each column uses the first model of its gateway.',
    ),
  );
  const [trial] = await (await bench.lazyTrials.load()).list();
  expect(trial?.models).toEqual(['north/one', 'demo/quiz']);
});
