import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { foldTape } from '../../conversation/reply/fold-tape.ts';
import { resetRun, getAnswerText } from '../../conversation/reply/run.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import {
  createTestEnvironment,
  createTestSession,
  createTestSetup,
  addTestTurn,
} from '../../testing/builders.ts';
import { createReplay, type Replay, type ReplaySpeed } from './replay.ts';

const createChunk = (content: string) =>
  JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });

const tape: TapeEntry[] = [
  { at: 0, request: { model: 'demo/guide', messages: [], stream: true }, requestId: 'q' },
  { at: 90, status: 200, headers: { 'content-type': 'text/event-stream' } },
  { at: 100, data: createChunk('One') },
  { at: 117, data: createChunk(' two') },
  { at: 500, data: createChunk(' three') },
  { at: 501, data: '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}' },
  { at: 502, data: '[DONE]' },
  { at: 503, end: 'closed' },
];

function createRecordedSession(): { data: SessionData; runId: string } {
  const environment = createTestEnvironment();
  const added = addTestTurn(createTestSession(environment, [createTestSetup()]), environment, 'Hi');
  const runId = Object.keys(added.data.runs)[0] ?? '';
  return { data: added.data, runId };
}

function createTestReplay(speed: ReplaySpeed = 1): { replay: Replay; runId: string; getText: () => string } {
  const { data, runId } = createRecordedSession();
  const replay = createReplay({
    data,
    tapes: [{ runId, entries: tape }],
    now: () => Date.now(),
    runInNextFrame: (draw) => void setImmediate(draw),
    speed,
  });
  const getReplayedRun = () => replay.session.getState().open[data.session.id]?.runs[runId];
  return { replay, runId, getText: () => getAnswerText(getReplayedRun()?.choices[0]) };
}

describe('a replay of a recording', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('shows the text received so far, with the recorded timing', async () => {
    const { replay, getText } = createTestReplay();
    replay.play();
    await vi.advanceTimersByTimeAsync(99);
    expect(getText()).toBe('');
    await vi.advanceTimersByTimeAsync(2);
    expect(getText()).toBe('One');
    await vi.advanceTimersByTimeAsync(300);
    expect(getText()).toBe('One two');
    expect(replay.state.getState()).toMatchObject({ isPlaying: true, events: 2, totalEvents: 5 });
    await vi.advanceTimersByTimeAsync(110);
    expect(getText()).toBe('One two three');
    expect(replay.state.getState()).toMatchObject({
      isPlaying: false,
      atMs: 503,
      events: 5,
      accuracy: { medianMs: 0 },
    });
  });

  it('ends with the fold of the complete tape', async () => {
    const { replay, runId } = createTestReplay();
    const { data } = createRecordedSession();
    replay.play();
    await vi.advanceTimersByTimeAsync(600);
    const run = data.runs[runId];
    expect(run).toBeDefined();
    const playedRun = Object.values(replay.session.getState().open)[0]?.runs[runId];
    if (run) expect(playedRun).toEqual(foldTape(resetRun(run), tape));
  });

  it('plays in a quarter of the time at 4x, and instantly with "once"', async () => {
    const fast = createTestReplay(4);
    fast.replay.play();
    await vi.advanceTimersByTimeAsync(26);
    expect(fast.getText()).toBe('One');
    await vi.advanceTimersByTimeAsync(101);
    expect(fast.getText()).toBe('One two three');
    const once = createTestReplay('once');
    once.replay.play();
    await vi.advanceTimersByTimeAsync(1);
    expect(once.getText()).toBe('One two three');
    expect(once.replay.state.getState()).toMatchObject({ isPlaying: false, events: 5 });
  });

  it('pauses, seeks and plays again', async () => {
    const { replay, getText } = createTestReplay();
    replay.play();
    await vi.advanceTimersByTimeAsync(110);
    replay.pause();
    await vi.advanceTimersByTimeAsync(1000);
    expect(getText()).toBe('One');
    replay.play();
    await vi.advanceTimersByTimeAsync(10);
    expect(getText()).toBe('One two');
    replay.seek(50);
    await vi.advanceTimersByTimeAsync(1);
    expect(getText()).toBe('');
    replay.pause();
    replay.seek(503);
    await vi.advanceTimersByTimeAsync(1);
    expect(getText()).toBe('One two three');
    expect(replay.state.getState().accuracy).toBeUndefined();
    replay.play();
    await vi.advanceTimersByTimeAsync(105);
    expect(getText()).toBe('One');
    replay.stop();
  });

  it('reproduces the wait before the first token and leaves the original session unchanged', async () => {
    const { data, runId } = createRecordedSession();
    const original = structuredClone(data);
    const replay = createReplay({
      data,
      tapes: [{ runId, entries: tape }],
      now: () => Date.now(),
      runInNextFrame: (draw) => void setImmediate(draw),
    });
    replay.play();
    await vi.advanceTimersByTimeAsync(60);
    const waitingRun = replay.session.getState().open[data.session.id]?.runs[runId];
    expect(waitingRun?.phase.name).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1000);
    expect(data).toEqual(original);
    expect(
      replay.session.getState().open[data.session.id]?.lanes[data.session.laneIds[0] ?? '']?.tip,
    ).toBeUndefined();
  });

  it('reports how far the played gaps differ from the recorded gaps', async () => {
    let lagMs = 0;
    const { data, runId } = createRecordedSession();
    // Events at time 0 also count.
    const entries: TapeEntry[] = [0, 10, 20, 30, 200, 300].map((at) => ({ at, data: createChunk('x') }));
    const replay = createReplay({
      data,
      tapes: [
        { runId, entries },
        { runId: 'of a run that is gone', entries: [{ at: 9000, data: createChunk('y') }] },
      ],
      now: () => Date.now() + lagMs,
      runInNextFrame: (draw) => void setImmediate(draw),
    });
    expect(replay.state.getState()).toMatchObject({ endMs: 300, totalEvents: 6 });
    replay.play();
    await vi.advanceTimersByTimeAsync(25);
    // Simulates a busy page: the next event is 40 ms late, the following one on time.
    lagMs = 40;
    await vi.advanceTimersByTimeAsync(400);
    expect(replay.state.getState()).toMatchObject({
      isPlaying: false,
      accuracy: { medianMs: 0, p95Ms: 40 },
    });
    replay.setSpeed(4);
    replay.play();
    await vi.advanceTimersByTimeAsync(400);
    expect(replay.state.getState().accuracy?.p95Ms).toBeLessThan(2);
  });

  it('reports no timing error after a seek, a pause or a change of speed', async () => {
    for (const interrupt of [
      ({ replay }: ReturnType<typeof createTestReplay>) => replay.seek(200),
      ({ replay }: ReturnType<typeof createTestReplay>) => replay.setSpeed(4),
      ({ replay }: ReturnType<typeof createTestReplay>) => {
        replay.pause();
        replay.play();
      },
    ]) {
      const testReplay = createTestReplay();
      testReplay.replay.play();
      await vi.advanceTimersByTimeAsync(50);
      interrupt(testReplay);
      await vi.advanceTimersByTimeAsync(600);
      expect(testReplay.replay.state.getState()).toMatchObject({ isPlaying: false, atMs: 503, events: 5 });
      expect(testReplay.replay.state.getState().accuracy).toBeUndefined();
    }
  });

  it('continues from the current position at another speed, playing or paused', async () => {
    const { replay, getText } = createTestReplay();
    replay.setSpeed(4);
    await vi.advanceTimersByTimeAsync(100);
    expect(replay.state.getState()).toMatchObject({ isPlaying: false, atMs: 0, speed: 4 });
    replay.play();
    await vi.advanceTimersByTimeAsync(26);
    expect(getText()).toBe('One');
    replay.setSpeed(1);
    await vi.advanceTimersByTimeAsync(10);
    expect(replay.state.getState().atMs).toBeLessThan(117);
    await vi.advanceTimersByTimeAsync(8);
    expect(getText()).toBe('One two');
    replay.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(getText()).toBe('One two');
  });

  it('stays paused after a seek and a change of speed', async () => {
    const { replay, getText } = createTestReplay();
    let changes = 0;
    for (const action of [() => replay.seek(110), () => replay.setSpeed(4)]) {
      action();
      const stop = replay.state.subscribe(() => (changes += 1));
      await vi.advanceTimersByTimeAsync(1000);
      stop();
    }
    expect(changes).toBe(0);
    expect(getText()).toBe('One');
    expect(replay.state.getState()).toMatchObject({ isPlaying: false, atMs: 110, speed: 4 });
  });

  it('continues after seeks in both directions while playing, within the bounds of the recording', async () => {
    const { replay, getText } = createTestReplay();
    replay.play();
    await vi.advanceTimersByTimeAsync(50);
    replay.seek(480);
    await vi.advanceTimersByTimeAsync(19);
    expect(getText()).toBe('One two');
    await vi.advanceTimersByTimeAsync(2);
    expect(getText()).toBe('One two three');
    replay.pause();
    replay.seek(-5);
    expect(replay.state.getState()).toMatchObject({ atMs: 0, events: 0, isPlaying: false });
    replay.seek(9000);
    expect(replay.state.getState()).toMatchObject({ atMs: 503, events: 5, isPlaying: false });
  });

  it('plays answers of several lanes together, each event at its time', async () => {
    const environment = createTestEnvironment();
    const first = addTestTurn(createTestSession(environment, [createTestSetup()]), environment, 'One');
    const second = addTestTurn(first.data, environment, 'Two');
    const createEntries = (...times: number[]): TapeEntry[] =>
      times.map((at) => ({ at, data: createChunk(`${at} `) }));
    const { data } = second;
    const replay = createReplay({
      data,
      tapes: [
        { runId: first.runId, entries: createEntries(100, 300) },
        { runId: second.runId, entries: createEntries(50, 200) },
      ],
      now: () => Date.now(),
      runInNextFrame: (draw) => void setImmediate(draw),
    });
    const getTexts = () => {
      const runs = replay.session.getState().open[data.session.id]?.runs;
      return [first.runId, second.runId].map((runId) => getAnswerText(runs?.[runId]?.choices[0]));
    };
    replay.play();
    await vi.advanceTimersByTimeAsync(60);
    expect(getTexts()).toEqual(['', '50 ']);
    await vi.advanceTimersByTimeAsync(145);
    expect(getTexts()).toEqual(['100 ', '50 200 ']);
    await vi.advanceTimersByTimeAsync(100);
    expect(replay.state.getState()).toMatchObject({ events: 4, accuracy: { medianMs: 0, p95Ms: 0 } });
  });

  it('reports no gaps for an answer with one event, and uses the initial speed', async () => {
    const { data, runId } = createRecordedSession();
    const replay = createReplay({
      data,
      tapes: [{ runId, entries: [{ at: 100, data: createChunk('All') }] }],
      now: () => Date.now(),
      runInNextFrame: (draw) => void setImmediate(draw),
    });
    replay.play();
    await vi.advanceTimersByTimeAsync(200);
    expect(replay.state.getState()).toMatchObject({ isPlaying: false, events: 1 });
    expect(replay.state.getState()).not.toHaveProperty('accuracy.medianMs');
    const fast = createTestReplay();
    fast.replay.play();
    fast.replay.setSpeed(4);
    await vi.advanceTimersByTimeAsync(200);
    expect(fast.replay.state.getState()).toHaveProperty('accuracy.medianMs');
  });

  it('advances the progress bar while no events arrive', async () => {
    const { replay } = createTestReplay();
    replay.play();
    await vi.advanceTimersByTimeAsync(300);
    const { atMs } = replay.state.getState();
    expect(atMs).toBeGreaterThan(260);
    await vi.advanceTimersByTimeAsync(40);
    expect(replay.state.getState().atMs).toBeGreaterThan(atMs);
  });
});
