/** What was recorded, over the real app: its times, what a run teaches of its model, and files of tapes. */
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';

import { getAnswerText } from '../conversation/reply/run.ts';
import { readLearnedAbilities, mergeAbilities } from '../conversation/setup/learned-abilities.ts';
import { withModelMark } from '../conversation/setup/model-marks.ts';
import { ModelMarksMenu } from '../features/models/model-marks-menu.tsx';
import { ModelRow } from '../features/models/model-row.tsx';
import { importSessions } from '../features/playground/files/import-sessions.ts';
import { ReplayedReply } from '../features/playground/replay/replay-overlay.tsx';
import { createReplayPlayground } from '../features/playground/replay/replay-playground.ts';
import { createReplay } from '../state/runs/replay.ts';
import type { Bench } from '../testing/bench.ts';
import { ask, aTalk, reloaded, runOf, setUp, shownTurn, talkIn } from '../testing/conversation-driver.ts';
import { press } from '../testing/react-driver.ts';
import { markupOf, wordsIn } from '../testing/render-views.tsx';
import { until } from '../testing/wait-until.ts';

it('while a recording plays its times are those of then, and they stand while it stands', async () => {
  let nowMs = 0;
  const { bench } = await aTalk(
    async (answer) => {
      let said = '';
      const arrives = async (atMs: number, text: string) => {
        nowMs = atMs;
        answer.text(text);
        said += text;
        await until(() => getAnswerText(runOf(bench).choices[0]) === said);
      };
      await arrives(700, 'Every word ');
      await arrives(1_000, 'comes again ');
      await arrives(1_500, 'just so.');
      nowMs = 1_600;
      answer.finish();
      answer.usage(8, 6);
      answer.done();
    },
    { clock: () => nowMs },
  );
  await ask(bench, 'Tell me');
  await bench.recorder.flush();
  const { id: runId } = runOf(bench);
  expect(bench.traces.get(runId)?.map(({ atMs }) => atMs)).toEqual([700, 1_000, 1_500]);
  const replay = createReplay({
    data: bench.current(),
    tapes: [{ runId, entries: await bench.library.readTape(runId) }],
    now: () => nowMs,
    nextFrame: (draw) => draw(),
  });
  const reply = createElement(ReplayedReply, {
    turnId: shownTurn(bench).id,
    replay,
    laneIds: bench.current().session.laneIds,
  });
  const drawn = () => markupOf(createReplayPlayground(bench, replay), reply);
  const textThen = () => {
    const { open, currentId = '' } = replay.session.getState();
    return getAnswerText(open[currentId]?.runs[runId]?.choices[0]);
  };

  replay.seek(300);
  expect(drawn()).toContain('data-status="waiting"');
  expect(wordsIn(drawn())).toContain('Waiting for the first token, 0.3 s.');
  replay.seek(1_200);
  expect(textThen()).toBe('Every word comes again ');
  expect(drawn()).toContain('data-status="streaming"');
  const words = wordsIn(drawn());
  expect(words).toMatch(/\b700\s?ms/);
  expect(words).toMatch(/\b1\.20\s?s/);
  nowMs += 5_000;
  expect(wordsIn(drawn()), 'five seconds later by the clock').toBe(words);
  replay.seek(1_600);
  expect(drawn()).toContain('data-status="complete"');
  expect(wordsIn(drawn())).toMatch(/\b1\.60\s?s/);
});

it('a damaged file of tapes is refused with its line, and nothing of it is taken in', async () => {
  const { bench } = await aTalk();
  await ask(bench, 'Hello');
  await bench.saved();
  const before = await bench.library.list();
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
  expect(talkIn(bench)).toEqual([['Hello', 'Answer 1']]);
  expect(await bench.library.list()).toEqual(before);
});

describe('what a run shows of its model', () => {
  const model = 'north/one';

  /** The row of the picker for the model. */
  async function rowOf(bench: Bench, id = model): Promise<string> {
    const { models } = await bench.gateway.listModels();
    const { modelMarks = {} } = bench.prefs.getState();
    const learned = bench.learnedModels.state.getState();
    const listed = models.find((each) => each.id === id);
    if (!listed) throw new Error(`${id} is not listed`);
    const option = {
      id,
      label: id,
      model: { ...listed, abilities: mergeAbilities(listed, learned, modelMarks) },
    };
    const row = {
      option,
      learned: readLearnedAbilities(learned, id),
      firstTokenMs: undefined,
      query: '',
      isFavourite: false,
      onStar: () => undefined,
    };
    return wordsIn(markupOf(bench, createElement(ModelRow, row)));
  }

  const menu = { model, label: 'text', children: null };
  const menuOf = (bench: Bench) => wordsIn(markupOf(bench, createElement(ModelMarksMenu, menu)));

  async function aBenchWithTools(script: Parameters<typeof aTalk>[0]) {
    const talk = await aTalk(script);
    const function_ = { name: 'get_weather', parameters: { type: 'object', properties: {} } };
    setUp(talk.bench, {
      model,
      fields: { tools: JSON.stringify([{ type: 'function', function: function_ }]) },
    });
    await ask(talk.bench, 'The weather?');
    await until(
      () => readLearnedAbilities(talk.bench.learnedModels.state.getState(), model).tools !== undefined,
    );
    return talk;
  }

  it('is in the picker, leads back to the run, and can be overruled', async () => {
    const { bench } = await aBenchWithTools((answer) => {
      answer.delta({ reasoning_content: 'I should look.' });
      answer.toolCall(0, 'call_1', 'get_weather', '{}');
      answer.finish('tool_calls');
      answer.usage(3, 4);
      answer.done();
    });
    expect(await rowOf(bench)).toContain('Seen in a run: tools, thinking, usage in streams.');
    expect(await rowOf(bench, 'north/two')).toMatch(/north\/two\s+text/);
    expect(menuOf(bench)).toMatch(/Accepts images\s*not tested/);
    const seenIn = bench.current().session;
    await bench.actions.createSession();
    press(bench, createElement(ModelMarksMenu, menu), 'Show the run: thinking seen');
    await until(() => bench.inspector.getState().isOpen);
    expect(bench.current().session.id).toBe(seenIn.id);
    expect(bench.inspector.getState().laneId).toBe(seenIn.laneIds[0]);

    bench.prefs.setState(({ modelMarks = {} }) => ({
      modelMarks: withModelMark(modelMarks, model, 'tools', false),
    }));
    expect(await rowOf(bench)).not.toContain('tools');
    const again = await reloaded(bench);
    expect(menuOf(again)).toMatch(/No tool calls\s*set by you, undo/);
    expect(await rowOf(again)).toContain('Seen in a run: thinking');
    expect(await rowOf(again)).not.toContain('tools');
  });

  it('is remembered as a refusal where it was one, and blocks nothing', async () => {
    const { bench, gateway } = await aBenchWithTools((answer) =>
      answer.json(400, {
        error: { message: 'This model does not support tools.', type: 'invalid_request', code: '400' },
      }),
    );
    expect(await rowOf(bench)).toContain('Refused in a run: tools.');
    await ask(bench, 'And now?');
    expect(gateway.posts, 'it is asked again all the same').toHaveLength(2);
    expect(gateway.posts[1]?.body).toHaveProperty('tools');
  });
});
