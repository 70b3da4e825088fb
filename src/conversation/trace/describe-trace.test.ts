import { describe, expect, it } from 'vitest';

import { createTestSetup, createTickedParams } from '../../testing/builders.ts';
import { createRun } from '../reply/run.ts';
import type { Run } from '../session/types.ts';
import { describeTimeToFirstToken, findStalls, describeTrace } from './describe-trace.ts';
import { getFieldTier, buildRequestLines } from './trace-request.ts';
import { getSharedRangeMs, splitTracePhases, type Tick } from './trace.ts';

const createThinkingTick = (atMs: number): Tick => ({ atMs, kind: 'thinking', size: 1 });
const createAnswerTick = (atMs: number): Tick => ({ atMs, kind: 'answer', size: 1 });

describe('trace description', () => {
  const ticks = [
    createThinkingTick(500),
    createThinkingTick(520),
    createThinkingTick(940),
    createThinkingTick(960),
    createAnswerTick(1000),
    createAnswerTick(1020),
    createAnswerTick(1200),
  ];
  const run: Run = {
    ...createRun('r', 's', createTestSetup()),
    phase: { name: 'complete' },
    endedMs: 1230,
    choices: [{ parts: [], finishReason: 'stop' }],
  };

  it('describes phases, stalls and the end of a run', () => {
    expect(describeTrace(run, ticks, 1230)).toBe(
      'Waiting 500 ms, reasoning 500 ms, answer 200 ms. 1 stall, longest 420 ms. Ended after 1.23 s: stop.',
    );
    expect(describeTrace({ ...run, phase: { name: 'failed' }, choices: [] }, [], 1230)).toBe(
      'Waiting 1.23 s. Ended after 1.23 s: error.',
    );
  });

  it('describes the time to headers, the time to first token and the stalls after it', () => {
    expect(describeTimeToFirstToken({ firstTokenMs: 500 }, 120, ticks)).toBe(
      'Headers after 120 ms, first token 380 ms later, 1 stall, longest 420 ms.',
    );
    expect(
      describeTimeToFirstToken({ firstTokenMs: 500 }, undefined, [
        createAnswerTick(500),
        createAnswerTick(520),
      ]),
    ).toBe('First token after 500 ms, no stalls.');
    expect(describeTimeToFirstToken({ firstTokenMs: 500 }, 499, [createAnswerTick(500)])).toBe(
      'Headers after 499 ms, first token 1 ms later.',
    );
    expect(describeTimeToFirstToken({ firstTokenMs: 499.5 }, 499, [createAnswerTick(500)])).toBe(
      'Headers after 499 ms, first token right away.',
    );
    expect(describeTimeToFirstToken({}, 120, [])).toBeUndefined();
  });

  it('finds stalls, longest first', () => {
    expect(findStalls(ticks)).toEqual([{ kind: 'waiting', fromMs: 520, toMs: 940 }]);
    expect(
      findStalls([
        createAnswerTick(0),
        createAnswerTick(300),
        createAnswerTick(310),
        createAnswerTick(320),
        createAnswerTick(330),
        createAnswerTick(730),
      ]).map(({ fromMs }) => fromMs),
    ).toEqual([330, 0]);
    expect(findStalls([])).toEqual([]);
  });

  it('splits the trace into contiguous phases', () => {
    expect(
      splitTracePhases([createThinkingTick(10), createAnswerTick(20), createThinkingTick(30)], 40),
    ).toEqual([
      { kind: 'waiting', fromMs: 0, toMs: 10 },
      { kind: 'thinking', fromMs: 10, toMs: 20 },
      { kind: 'answer', fromMs: 20, toMs: 30 },
      { kind: 'thinking', fromMs: 30, toMs: 40 },
    ]);
  });

  it('uses the time range of the longest lane for all lanes, counting live lanes up to now', () => {
    const live: Run = {
      ...createRun('l', 's', createTestSetup()),
      phase: { name: 'streaming' },
      sentAt: 1_000,
    };
    expect(getSharedRangeMs([run], 0)).toBe(2_000);
    expect(getSharedRangeMs([run, live], 6_000)).toBe(8_000);
    expect(getSharedRangeMs([], 0)).toBe(2_000);
  });
});

describe('request body lines', () => {
  const body = {
    model: 'north/one',
    messages: [
      { role: 'system' as const, content: 'Be brief.' },
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: 'What is this?' },
          { type: 'image_url' as const, image_url: { url: 'x' } },
        ],
      },
    ],
    temperature: 0.7,
    tools: [{ type: 'function', function: { name: 'f' } }],
    stop: ['END'],
    seed: 7,
    my_field: { deep: { er: ['a long value that does not fit on one line of the panel'] } },
  };
  const formatLines = (isExpanded: boolean) =>
    buildRequestLines(body, isExpanded).map(
      ({ depth, tokens, tier }) =>
        `${tier ?? ''}|${'  '.repeat(depth)}${tokens.map(({ text }) => text).join('')}`,
    );

  it('collapses messages and tools and marks the portability of each field', () => {
    expect(formatLines(false)).toEqual([
      '|{',
      'portable|  "model": "north/one",',
      'portable|  "messages": [',
      '|    { "role": "system", ~3 tokens },',
      '|    { "role": "user", ~4 tokens, 1 image }',
      '|  ],',
      'portable|  "temperature": 0.7,',
      'documented|  "tools": [ 1 function ],',
      'documented|  "stop": ["END"],',
      'passed through|  "seed": 7,',
      'passed through|  "my_field": {',
      '|    "deep": {',
      '|      "er": [',
      '|        "a long value that does not fit on one line of the panel"',
      '|      ]',
      '|    }',
      '|  }',
      '|}',
    ]);
  });

  it('shows the complete body when expanded', () => {
    const text = formatLines(true)
      .map((line) => line.slice(line.indexOf('|') + 1))
      .join('\n');
    expect(JSON.parse(text)).toEqual(body);
  });

  it('returns the portability of parameters', () => {
    expect(getFieldTier('response_format')).toBe('portable');
    expect(Object.keys(createTickedParams({ n: '1' })).map(getFieldTier)).toEqual(['documented']);
  });
});
