import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { useSession } from '../../../state/contexts.tsx';
import type { Bench } from '../../../testing/bench.ts';
import {
  configureLane,
  createConversation,
  getLaneTranscript,
  getLaneTurn,
  sendAndWait,
} from '../../../testing/conversation-driver.ts';
import { renderWithPlayground } from '../../../testing/render-with-playground.tsx';
import type { ChatScript } from '../../../testing/scripted-gateway.ts';
import { waitUntil } from '../../../testing/wait-until.ts';
import { LiveRegion } from '../../../ui/display/live-region.tsx';
import { TurnView } from './turn-view.tsx';

/** The last reply of a lane. */
function LastReply({ lane }: { lane: number }) {
  const turnId = useSession((data) => data.lanes[data.session.laneIds[lane] ?? '']?.tip) ?? '';
  return <TurnView turnId={turnId} laneIndex={lane} turnNumber={1} />;
}

const renderReply = (bench: Bench, lane = 0) =>
  renderWithPlayground(
    <LiveRegion>
      <LastReply lane={lane} />
    </LiveRegion>,
    { playground: bench },
  );

const getError = () => screen.getByRole('group', { name: 'Error' });
const getModel = (bench: Bench) =>
  bench.getOpenSession().lanes[bench.getOpenSession().session.laneIds[0] ?? '']?.setup.model;

const failWith =
  (status: number, error: object): ChatScript =>
  (answer) =>
    answer.sendJson(status, { error });

describe('error of an answer', () => {
  it('shows the message, type, code and status of the gateway as plain text', async () => {
    const message = '<img src=x alt="run"> is broken';
    const { bench } = await createConversation(failWith(500, { message, type: '<b>odd</b>', code: 'x1' }));
    await sendAndWait(bench, 'Question');
    renderReply(bench);
    for (const text of [message, '<b>odd</b>', 'x1', /^500 after/])
      expect(within(getError()).getByText(text)).toBeTruthy();
    expect(within(getError()).queryByRole('img')).toBeNull();
  });

  it('replaces the error by the next answer on Retry, and keeps it as a version', async () => {
    const { bench, gateway } = await createConversation(failWith(500, { message: 'Broken' }));
    await sendAndWait(bench, 'Question');
    const { user } = renderReply(bench);
    gateway.setChatScript((answer) => answer.sendAnswer('All is well again'));
    within(getError()).getByRole('button', { name: 'Retry' }).focus();
    await user.keyboard('{Enter}');
    await waitUntil(() => bench.endedRuns.length === 2);
    expect(getLaneTranscript(bench)).toEqual([['Question', 'All is well again']]);
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Error' })).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Previous version' }));
    expect(await screen.findByRole('group', { name: 'Error' })).toBeTruthy();
  });

  it('retries only its own lane', async () => {
    const { bench, gateway } = await createConversation(failWith(500, { message: 'Broken' }));
    bench.actions.addLane();
    configureLane(bench, { model: 'north/two' }, 1);
    await sendAndWait(bench, 'Question');
    gateway.setChatScript((answer) => answer.sendAnswer('Fine'));
    const { user } = renderReply(bench, 1);
    await user.click(screen.getByRole('button', { name: 'Retry lane B' }));
    await waitUntil(() => bench.endedRuns.length === 3);
    expect(gateway.posts.map(({ body }) => body['model'])).toEqual(['demo/guide', 'north/two', 'north/two']);
  });

  it('offers a known fix first and sends it with one click', async () => {
    const { bench, gateway } = await createConversation((answer, { body }) => {
      if (body['max_tokens'] === undefined) return answer.sendAnswer('Well then');
      const message = "'max_tokens' is not supported. Use 'max_completion_tokens' instead.";
      answer.sendJson(400, { error: { message, param: 'max_tokens' } });
    });
    configureLane(bench, { fields: { max_tokens: '77' } });
    await sendAndWait(bench, 'Question');
    const { user } = renderReply(bench);
    const [fixButton] = within(getError()).getAllByRole('button');
    expect(fixButton?.textContent).toBe('Send as max_completion_tokens');
    fixButton?.focus();
    await user.keyboard('{Enter}');
    await waitUntil(() => bench.endedRuns.length === 2);
    expect(gateway.posts.at(-1)?.body).toMatchObject({ max_completion_tokens: 77 });
    expect(gateway.posts.at(-1)?.body).not.toHaveProperty('max_tokens');
  });

  it('checks a rejected key without sending the message again', async () => {
    const error = { message: 'Invalid key', type: 'invalid_api_key', code: '401' };
    const { bench, gateway } = await createConversation(failWith(401, error));
    gateway.setModelsScript((answer) => answer.sendJson(401, { error }));
    await sendAndWait(bench, 'Question');
    const { user } = renderReply(bench);
    const getCheckButton = () => screen.findByRole('button', { name: 'Check again' });
    await user.click(await getCheckButton());
    const status = within(getError()).getByRole('status');
    await waitFor(() => expect(status.textContent).toBe('The key is still rejected.'));
    gateway.setModelsScript(undefined);
    await user.click(await getCheckButton());
    await waitFor(() => expect(status.textContent).toBe('The key works. Models loaded.'));
    expect(gateway.posts).toHaveLength(1);
  });

  it('switches to the model that the error names, and sends nothing', async () => {
    const message = 'The model north/on does not exist. Did you mean north/two?';
    const { bench, gateway } = await createConversation(failWith(404, { message, code: 'model_not_found' }));
    configureLane(bench, { model: 'north/on' });
    await sendAndWait(bench, 'Question');
    const { user } = renderReply(bench);
    await user.click(await screen.findByRole('button', { name: 'Use north/two instead' }));
    expect(getModel(bench)).toBe('north/two');
    expect(screen.getByText('Now using north/two. Nothing was sent.')).toBeTruthy();
    expect(gateway.posts).toHaveLength(1);
  });

  it('shows no actions on an error that is followed by another turn', async () => {
    const { bench, gateway } = await createConversation(failWith(500, { message: 'Broken' }));
    await sendAndWait(bench, 'First');
    const turnId = getLaneTurn(bench).id;
    gateway.setChatScript((answer) => answer.sendAnswer('Fine'));
    await sendAndWait(bench, 'Second');
    renderWithPlayground(<TurnView turnId={turnId} laneIndex={0} turnNumber={1} />, { playground: bench });
    expect(within(getError()).queryByRole('button', { name: 'Retry' })).toBeNull();
  });
});
