import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { foldTape } from '../conversation/fold-tape.ts';
import { textOf } from '../conversation/run.ts';
import { unheard } from '../conversation/tape-text.ts';
import type { SessionData } from '../conversation/types.ts';
import type { TapeEntry } from '../gateway/tape.ts';
import { anEnvironment, aSession, aSetup, say } from '../testing/builders.ts';
import { createReplay, type Replay, type ReplaySpeed } from './replay.ts';

const chunk = (content: string) =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });

const tape: TapeEntry[] = [
  { at: 0, request: { model: 'demo/guide', messages: [], stream: true }, requestId: 'q' },
  { at: 90, status: 200, headers: { 'content-type': 'text/event-stream' } },
  { at: 100, data: chunk('One') },
  { at: 117, data: chunk(' two') },
  { at: 500, data: chunk(' three') },
  { at: 501, data: '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}' },
  { at: 502, data: '[DONE]' },
  { at: 503, end: 'closed' },
];

function recorded(): { data: SessionData; runId: string } {
  const environment = anEnvironment();
  const said = say(aSession(environment, [aSetup()]), environment, 'Hi');
  const runId = Object.keys(said.data.runs)[0] ?? '';
  return { data: said.data, runId };
}

function play(speed: ReplaySpeed = 1): { replay: Replay; runId: string; text: () => string } {
  const { data, runId } = recorded();
  const replay = createReplay({
    data,
    tapes: [{ runId, entries: tape }],
    now: () => Date.now(),
    nextFrame: (draw) => void setImmediate(draw),
    speed,
  });
  const runNow = () => replay.session.getState().open[data.session.id]?.runs[runId];
  return { replay, runId, text: () => textOf(runNow()?.choices[0]) };
}

describe('a replay', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('shows at each moment what had come by then, with the recorded timing', async () => {
    const { replay, text } = play();
    replay.play();
    await vi.advanceTimersByTimeAsync(99);
    expect(text()).toBe('');
    await vi.advanceTimersByTimeAsync(2);
    expect(text()).toBe('One');
    await vi.advanceTimersByTimeAsync(300);
    expect(text()).toBe('One two');
    expect(replay.state.getState()).toMatchObject({ playing: true, events: 2, totalEvents: 5 });
    await vi.advanceTimersByTimeAsync(110);
    expect(text()).toBe('One two three');
    expect(replay.state.getState()).toMatchObject({
      playing: false,
      atMs: 503,
      events: 5,
      accuracy: { medianMs: 0 },
    });
  });

  it('ends as the fold of the whole tape', async () => {
    const { replay, runId } = play();
    const { data } = recorded();
    replay.play();
    await vi.advanceTimersByTimeAsync(600);
    const run = data.runs[runId];
    expect(run).toBeDefined();
    const played = Object.values(replay.session.getState().open)[0]?.runs[runId];
    if (run) expect(played).toEqual(foldTape(unheard(run), tape));
  });

  it('takes a quarter of the time at 4x, and none at once', async () => {
    const fast = play(4);
    fast.replay.play();
    await vi.advanceTimersByTimeAsync(26);
    expect(fast.text()).toBe('One');
    await vi.advanceTimersByTimeAsync(101);
    expect(fast.text()).toBe('One two three');
    const once = play('once');
    once.replay.play();
    await vi.advanceTimersByTimeAsync(1);
    expect(once.text()).toBe('One two three');
    expect(once.replay.state.getState()).toMatchObject({ playing: false, events: 5 });
  });

  it('can be stopped for a while, moved to any moment and played again', async () => {
    const { replay, text } = play();
    replay.play();
    await vi.advanceTimersByTimeAsync(110);
    replay.pause();
    await vi.advanceTimersByTimeAsync(1000);
    expect(text()).toBe('One');
    replay.play();
    await vi.advanceTimersByTimeAsync(10);
    expect(text()).toBe('One two');
    replay.seek(50);
    await vi.advanceTimersByTimeAsync(1);
    expect(text()).toBe('');
    replay.pause();
    replay.seek(503);
    await vi.advanceTimersByTimeAsync(1);
    expect(text()).toBe('One two three');
    expect(replay.state.getState().accuracy).toBeUndefined();
    replay.play();
    await vi.advanceTimersByTimeAsync(105);
    expect(text()).toBe('One');
    replay.stop();
  });

  it('waits as long as was waited, and leaves the session that it shows untouched', async () => {
    const { data, runId } = recorded();
    const before = structuredClone(data);
    const replay = createReplay({
      data,
      tapes: [{ runId, entries: tape }],
      now: () => Date.now(),
      nextFrame: (draw) => void setImmediate(draw),
    });
    replay.play();
    await vi.advanceTimersByTimeAsync(60);
    const waiting = replay.session.getState().open[data.session.id]?.runs[runId];
    expect(waiting?.phase.name).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1000);
    expect(data).toEqual(before);
    expect(
      replay.session.getState().open[data.session.id]?.lanes[data.session.laneIds[0] ?? '']?.tip,
    ).toBeUndefined();
  });
});
