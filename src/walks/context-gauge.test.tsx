/** Tests the context gauge of a lane, with and without an answer. */
import { QueryClient } from '@tanstack/react-query';
import { beforeAll, expect, it } from 'vitest';

import { EmptyLaneFooter } from '../features/lanes/empty-lane-footer.tsx';
import { LaneFooter } from '../features/lanes/lane-footer.tsx';
import { getModelsQueryOptions } from '../features/models/use-models.ts';
import { preloadAll } from '../lib/lazy-import.ts';
import { configureLane, createConversation, sendAndWait } from '../testing/conversation-driver.ts';
import { renderOnce } from '../testing/render-with-playground.tsx';

// The estimate is a lazy module; loading it first makes it available from the start.
beforeAll(() => preloadAll(async () => undefined));

it('shows the context of lanes with and without an answer, but not while names are hidden', async () => {
  const { bench, gateway } = await createConversation();
  gateway.models = { data: [{ id: 'north/one', context_length: 8192 }, { id: 'north/two' }] };
  const queryClient = new QueryClient();
  await queryClient.query(getModelsQueryOptions(bench));
  configureLane(bench, { model: 'north/one', system: 'x'.repeat(40) });
  const [firstLaneId = ''] = bench.getOpenSession().session.laneIds;
  const readGauges = () =>
    bench.getOpenSession().session.laneIds.map((laneId, index) => {
      const Footer = laneId === firstLaneId ? LaneFooter : EmptyLaneFooter;
      const gauge = renderOnce(bench, <Footer laneId={laneId} index={index} />, queryClient).querySelector(
        '[role=meter]',
      );
      return gauge && `${gauge.getAttribute('aria-label')}: ${gauge.getAttribute('aria-valuetext')}`;
    });
  expect(readGauges()).toEqual(['Context, lane A: ~10 of 8,192 tokens, System prompt: ~10']);

  await sendAndWait(bench, 'Hello');
  expect(readGauges()).toEqual([
    expect.stringMatching(/^Context, lane A: ~\d+ of 8,192 tokens, System prompt: ~10, Conversation: ~/),
  ]);

  bench.actions.addLane();
  configureLane(bench, { model: 'north/one' }, 1);
  bench.actions.addLane();
  configureLane(bench, { model: 'north/two' }, 2);
  expect(readGauges()).toEqual([
    expect.stringContaining('Context, lane A'),
    expect.stringContaining('Context, lane B'),
    null,
  ]);
  bench.view.setState({ namesHidden: true });
  expect(readGauges()).toEqual([null, null, null]);
});
