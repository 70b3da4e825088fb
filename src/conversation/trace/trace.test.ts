import { describe, expect, it } from 'vitest';

import type { TapeEntry } from '../../gateway/stream/tape.ts';
import {
  createTestEnvironment,
  createTestSession,
  createTestSetup,
  addTestTurn,
  withTimes,
} from '../../testing/builders.ts';
import { addPrompt, addTurn } from '../session/edit-session.ts';
import { buildPromptRows } from '../session/prompt-rows.ts';
import { buildTapeTicks, buildTraceTicks, getTraceRangeMs } from './trace.ts';

describe('trace ticks and range', () => {
  it('creates a tick with time and size for each piece of text', () => {
    const ticks = buildTraceTicks(
      withTimes([
        { type: 'response-start', status: 200, ok: true, headers: {} },
        { type: 'thinking-delta', choice: 0, text: 'hmm' },
        { type: 'text-delta', choice: 0, text: '' },
        { type: 'text-delta', choice: 0, text: 'ok' },
        { type: 'tool-call-delta', choice: 0, slot: 0, name: 'add', arguments: '{}' },
        { type: 'done' },
      ]),
    );
    expect(ticks).toEqual([
      { atMs: 2, kind: 'thinking', size: 3 },
      { atMs: 4, kind: 'answer', size: 2 },
      { atMs: 5, kind: 'answer', size: 5 },
    ]);
  });

  it('builds the ticks of a tape at the times of its text chunks, by the server’s clock where it is recorded', () => {
    const createEntry = (at: number, content: string): TapeEntry => ({
      at,
      data: JSON.stringify({ choices: [{ index: 0, delta: { content } }] }),
    });
    const tape = [
      createEntry(5, 'a'),
      { at: 6, comment: 'still here' },
      createEntry(9, 'b'),
      { ...createEntry(3000, 'c'), serverAt: 12 },
    ];
    expect(buildTapeTicks(tape).map(({ atMs }) => atMs)).toEqual([5, 9, 12]);
    expect(buildTapeTicks([])).toEqual([]);
  });

  it('increases the time range in steps that fit the longest lane', () => {
    expect([0, 2000, 2001, 15_000, 120_000, 120_001, 500_000].map(getTraceRangeMs)).toEqual([
      2000, 2000, 4000, 15_000, 120_000, 240_000, 600_000,
    ]);
  });
});

describe('prompt rows', () => {
  it('lists the prompts of all shown paths once, in order, with the lanes that share them', () => {
    const environment = createTestEnvironment();
    const shared = addTestTurn(
      createTestSession(environment, [createTestSetup(), createTestSetup()]),
      environment,
      'Both',
    );
    const promptId = Object.keys(shared.data.prompts)[0] ?? '';
    const [left = '', right = ''] = shared.data.session.laneIds;
    const both = addTurn(shared.data, environment, right, { promptId, run: true });
    const more = addTestTurn(both.data, environment, 'Left only');
    expect(buildPromptRows(more.data)).toEqual([
      {
        promptId,
        number: 1,
        cells: [
          { laneId: left, turnId: shared.turnId },
          { laneId: right, turnId: both.turnId },
        ],
      },
      {
        promptId: more.data.turns[more.turnId]?.promptId,
        number: 2,
        cells: [{ laneId: left, turnId: more.turnId }],
      },
    ]);
    expect(buildPromptRows(createTestSession(environment))).toEqual([]);
  });

  it('keeps chronological order after lanes have diverged', () => {
    const environment = createTestEnvironment();
    const data = createTestSession(environment, [createTestSetup(), createTestSetup()]);
    const [left = '', right = ''] = data.session.laneIds;
    const addPromptTo = (sessionData: typeof data, laneId: string, content: string) => {
      const prompted = addPrompt(sessionData, environment, { messages: [{ role: 'user', content }] });
      return addTurn(prompted.data, environment, laneId, { promptId: prompted.promptId, run: false }).data;
    };
    const result = addPromptTo(
      addPromptTo(data, right, 'First, in the right lane'),
      left,
      'Then in the left',
    );
    expect(
      buildPromptRows(result).map(({ promptId }) => result.prompts[promptId]?.messages[0]?.content),
    ).toEqual(['First, in the right lane', 'Then in the left']);
  });
});
