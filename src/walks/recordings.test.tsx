/** Tests recordings in the real app: their timing, the abilities learned from a run, and recording files. */
import { cleanup, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { readLearnedAbilities, mergeAbilities } from '../conversation/setup/learned-abilities.ts';
import { ModelMarksButton } from '../features/models/model-marks-button.tsx';
import { ModelRow } from '../features/models/model-row.tsx';
import { ReplayedReply } from '../features/replay/replay-overlay.tsx';
import { createReplayServices } from '../features/replay/replay-services.ts';
import { importSessions } from '../features/session-files/import-sessions.ts';
import { createReplay } from '../state/runs/replay.ts';
import type { Bench } from '../testing/bench.ts';
import {
  sendAndWait,
  createConversation,
  reloadPage,
  getTurnRun,
  configureLane,
  getLaneTurn,
  getLaneTranscript,
} from '../testing/conversation-driver.ts';
import { getVisibleText, renderText, renderWithPlayground } from '../testing/render-with-playground.tsx';
import { waitUntil } from '../testing/wait-until.ts';

it('shows the recorded times while a recording plays, and freezes them on pause', async () => {
  let nowMs = 0;
  const { bench } = await createConversation(
    async (answer) => {
      let sentText = '';
      const sendText = async (atMs: number, text: string) => {
        nowMs = atMs;
        answer.sendText(text);
        sentText += text;
        await waitUntil(() => getAnswerText(getTurnRun(bench).choices[0]) === sentText);
      };
      await sendText(700, 'Every word ');
      await sendText(1_000, 'comes again ');
      await sendText(1_500, 'just so.');
      nowMs = 1_600;
      answer.sendFinishReason();
      answer.sendUsage(8, 6);
      answer.sendDone();
    },
    { clock: () => nowMs },
  );
  await sendAndWait(bench, 'Tell me');
  await bench.recorder.flush();
  const { id: runId } = getTurnRun(bench);
  expect(bench.traces.get(runId)?.map(({ atMs }) => atMs)).toEqual([700, 1_000, 1_500]);
  const replay = createReplay({
    data: bench.getOpenSession(),
    tapes: [{ runId, entries: await bench.library.readTape(runId) }],
    now: () => nowMs,
    runInNextFrame: (draw) => draw(),
  });
  const reply = (
    <ReplayedReply
      turnId={getLaneTurn(bench).id}
      replay={replay}
      laneIds={bench.getOpenSession().session.laneIds}
    />
  );
  const renderReplayed = () => {
    renderWithPlayground(reply, { playground: { ...bench, ...createReplayServices(bench.actions, replay) } });
    const article = screen.getByRole('article');
    const rendered = { status: article.dataset['status'], text: getVisibleText(article) };
    cleanup();
    return rendered;
  };
  const getReplayedText = () => {
    const { open, currentId = '' } = replay.session.getState();
    return getAnswerText(open[currentId]?.runs[runId]?.choices[0]);
  };

  replay.seek(300);
  expect(renderReplayed().status).toBe('waiting');
  expect(renderReplayed().text).toContain('Waiting for the first token, 0.3 s.');
  replay.seek(1_200);
  expect(getReplayedText()).toBe('Every word comes again ');
  expect(renderReplayed().status).toBe('streaming');
  const text = renderReplayed().text;
  expect(text).toMatch(/\b700\s?ms/);
  expect(text).toMatch(/\b1\.20\s?s/);
  nowMs += 5_000;
  expect(renderReplayed().text, 'unchanged after five seconds').toBe(text);
  replay.seek(1_600);
  expect(renderReplayed().status).toBe('complete');
  expect(renderReplayed().text).toMatch(/\b1\.60\s?s/);
});

it('rejects a damaged recording file with its line number and imports nothing', async () => {
  const { bench } = await createConversation();
  await sendAndWait(bench, 'Hello');
  await bench.waitUntilSaved();
  const previousSessions = await bench.library.list();
  const lines = [
    '{"format":"bench-tapes","version":1}',
    '{"format":"bench-sessions","version":1,"sessions":[]}',
    '{"run":"x","at":1}',
    '',
  ];
  await importSessions(bench, new File([lines.join('\n')], 'broken.jsonl'));
  const { notice } = bench.notices.getState();
  expect(notice).toMatchObject({
    severity: 'problem',
    text: expect.stringMatching(/broken\.jsonl.*Line 3/s),
  });
  expect(getLaneTranscript(bench)).toEqual([['Hello', 'Answer 1']]);
  expect(await bench.library.list()).toEqual(previousSessions);
});

describe('abilities learned from a run', () => {
  const model = 'north/one';

  /** Renders the model's row in the picker. */
  async function renderRow(bench: Bench, id = model): Promise<string> {
    const { models } = await bench.serverClient.listModels();
    const { modelMarks = {} } = bench.prefs.getState();
    const learned = bench.learnedModels.state.getState();
    const listedModel = models.find((item) => item.id === id);
    if (!listedModel) throw new Error(`${id} is not listed`);
    const option = {
      id,
      label: id,
      choice: { model: id },
      model: { ...listedModel, abilities: mergeAbilities(listedModel, id, learned, modelMarks) },
    };
    const row = {
      option,
      learned: readLearnedAbilities(learned, id),
      firstTokenMs: undefined,
      query: '',
      isFavourite: false,
      onToggleFavourite: () => undefined,
    };
    return renderText(bench, <ModelRow {...row} />);
  }

  /** Opens the panel of the model's capabilities, which only `cleanup` closes. */
  const openMarks = async (bench: Bench) => {
    const { user } = renderWithPlayground(
      <ModelMarksButton choice={{ model }} label="text">
        text
      </ModelMarksButton>,
      { playground: bench },
    );
    await user.click(screen.getByRole('button'));
    await screen.findByRole('dialog', { name: 'Model capabilities' });
    return user;
  };
  const getMark = (ability: string) =>
    within(screen.getByRole('radiogroup', { name: ability })).getByRole('radio', { checked: true })
      .textContent;
  const getEvidence = (ability: string) =>
    getVisibleText(screen.getByRole('row', { name: new RegExp(`^${ability}`) })).split(/Yes\s*No\s*/)[1];

  async function createToolsBench(script: Parameters<typeof createConversation>[0]) {
    const conversation = await createConversation(script);
    const toolFunction = { name: 'get_weather', parameters: { type: 'object', properties: {} } };
    configureLane(conversation.bench, {
      model,
      fields: { tools: JSON.stringify([{ type: 'function', function: toolFunction }]) },
    });
    await sendAndWait(conversation.bench, 'The weather?');
    await waitUntil(
      () =>
        readLearnedAbilities(conversation.bench.learnedModels.state.getState(), model).tools !== undefined,
    );
    return conversation;
  }

  it('shows learned abilities in the picker with a link to the run, and lets the user override them', async () => {
    const { bench } = await createToolsBench((answer) => {
      answer.sendDelta({ reasoning_content: 'I should look.' });
      answer.sendToolCall(0, 'call_1', 'get_weather', '{}');
      answer.sendFinishReason('tool_calls');
      answer.sendUsage(3, 4);
      answer.sendDone();
    });
    expect(await renderRow(bench)).toContain('Confirmed in a run: tools, reasoning, streaming usage.');
    expect(await renderRow(bench, 'north/two')).toMatch(/north\/two\s+text/);
    await openMarks(bench);
    expect([getMark('images'), getEvidence('images')]).toEqual(['Auto', 'Not known']);
    cleanup();
    const recordedSession = bench.getOpenSession().session;
    await bench.actions.createSession();
    const user = await openMarks(bench);
    await user.click(screen.getByRole('button', { name: /^Confirmed on .*: show the run for reasoning$/ }));
    await waitUntil(() => bench.inspector.getState().isOpen);
    cleanup();
    expect(bench.getOpenSession().session.id).toBe(recordedSession.id);
    expect(bench.inspector.getState().laneId).toBe(recordedSession.laneIds[0]);

    await openMarks(bench);
    const tools = screen.getByRole('radiogroup', { name: 'tools' });
    await user.click(within(tools).getByRole('radio', { name: 'No' }));
    cleanup();
    expect(await renderRow(bench)).not.toContain('tools');
    const reloadedBench = await reloadPage(bench);
    await openMarks(reloadedBench);
    expect([getMark('tools'), getEvidence('tools')]).toEqual(['No', expect.stringMatching(/^Confirmed on/)]);
    cleanup();
    expect(await renderRow(reloadedBench)).toContain('Confirmed in a run: reasoning');
    expect(await renderRow(reloadedBench)).not.toContain('tools');
  });

  it('remembers a rejected ability without blocking later requests', async () => {
    const { bench, gateway } = await createToolsBench((answer) =>
      answer.sendJson(400, {
        error: { message: 'This model does not support tools.', type: 'invalid_request', code: '400' },
      }),
    );
    expect(await renderRow(bench)).toContain('Rejected in a run: tools.');
    await sendAndWait(bench, 'And now?');
    expect(gateway.posts, 'the request is sent nevertheless').toHaveLength(2);
    expect(gateway.posts[1]?.body).toHaveProperty('tools');
  });
});
