import { describe, expect, it } from 'vitest';

import type { ToolCall } from '../../gateway/wire.ts';
import { createTestSetup } from '../../testing/builders.ts';
import { createRun } from '../reply/run.ts';
import type { Part, Run, RunPhase, ToolResult, Turn } from '../session/types.ts';
import {
  getPendingCalls,
  matchLaneResults,
  getSendableResults,
  findPendingRows,
  type PendingResultsRow,
} from './pending-tool-results.ts';
import { getCallKey, canonicalizeArguments, getCallIdentities, matchResults } from './tool-results.ts';

function createCall(name: string, args: string, id = `${name}${args}`): ToolCall {
  return { id, type: 'function', function: { name, arguments: args } };
}

const paris = createCall('get_weather', '{"city":"Paris","unit":"celsius"}', 'a1');
const parisReordered = createCall('get_weather', '{ "unit": "celsius", "city": "Paris" }', 'b1');
const rome = createCall('get_weather', '{"city":"Rome"}', 'a2');
const oslo = createCall('get_weather', '{"city":"Oslo"}', 'b2');
const time = createCall('get_time', '{"city":"Paris"}', 'a3');

const getKey = (...calls: ToolCall[]): string =>
  getCallKey(getCallIdentities(calls).at(-1) ?? { name: '', arguments: '', ordinal: 0, repeat: 0 });

function createPendingRow(...lanes: ToolCall[][]): PendingResultsRow {
  return {
    promptId: 'p',
    lanes: lanes.map((calls, index) => ({ laneId: `lane${index}`, turnId: `turn${index}`, calls })),
  };
}

const allLanes = ['lane0', 'lane1', 'lane2'];

describe('tool call identity', () => {
  it('compares arguments with thousands of nesting levels as raw text', () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    expect(canonicalizeArguments(` ${deep}\n`)).toBe(deep);
    expect(canonicalizeArguments(`${'['.repeat(150)}{"b":1, "a":2}${']'.repeat(150)}`)).toContain(
      '{"a":2,"b":1}',
    );
  });

  it('gives equal calls the same key regardless of ID, key order and position', () => {
    expect(getKey(paris)).toBe(getKey(rome, parisReordered));
    expect(getKey(paris)).not.toBe(getKey(rome));
  });

  it('normalizes arguments with null, lists and numbers', () => {
    expect(canonicalizeArguments('{"b":null,"a":[1,null,{"d":2,"c":3}]}')).toBe(
      '{"a":[1,null,{"c":3,"d":2}],"b":null}',
    );
    expect(canonicalizeArguments(' null ')).toBe('null');
  });

  it('distinguishes two calls with equal arguments', () => {
    expect(getCallIdentities([paris, rome, paris]).map(({ ordinal, repeat }) => [ordinal, repeat])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
    expect(getKey(paris, paris)).not.toBe(getKey(paris));
  });

  it('identifies calls with very long arguments by their raw text', () => {
    const createLongCall = (query: string, tail = '') => {
      const text = JSON.stringify({ b: query.repeat(30_000), a: 1 }) + tail;
      return { ...paris, function: { name: 'search', arguments: text } };
    };
    expect(getKey(createLongCall('x'))).toBe(getKey(rome, createLongCall('x', '\n')));
    const otherKeys = [
      getKey(createLongCall('y')),
      getKey(createLongCall('x'), createLongCall('x')),
      getKey(paris),
    ];
    expect(new Set([getKey(createLongCall('x')), ...otherKeys]).size).toBe(4);
  });

  it('identifies calls with invalid JSON arguments by their text', () => {
    expect(canonicalizeArguments(' {"city": "Par ')).toBe('{"city": "Par');
  });
});

describe('matching of results to calls', () => {
  const createResult = (name: string, ordinal: number, args: string, content: string): ToolResult => {
    return { call: { name, ordinal, arguments: canonicalizeArguments(args) }, content };
  };

  it('matches results by name and arguments first, then by name and position', () => {
    const results = [
      createResult('get_weather', 0, '{"city":"Rome"}', 'rome'),
      createResult('get_weather', 1, '{"city":"Bonn"}', 'bonn'),
    ];
    expect(matchResults([paris, rome], results).map((match) => match?.content)).toEqual([undefined, 'rome']);
    expect(matchResults([rome, oslo], results).map((match) => match?.content)).toEqual(['rome', 'bonn']);
  });

  it('uses each result for one call only', () => {
    const results = [createResult('get_weather', 0, paris.function.arguments, 'once')];
    expect(matchResults([paris, paris], results).map((match) => match?.content)).toEqual(['once', undefined]);
  });
});

describe('draft tool result', () => {
  it('applies a draft result to the same call in every lane', () => {
    const pendingRow = createPendingRow([paris, time], [time, parisReordered]);
    const draftResults = { [getKey(paris)]: { text: '18' }, [getKey(time)]: { text: 'noon' } };
    expect(
      matchLaneResults(pendingRow, draftResults).map(({ results }) => results.map(({ text }) => text)),
    ).toEqual([
      ['18', 'noon'],
      ['noon', '18'],
    ]);
    expect(getSendableResults(pendingRow, draftResults, allLanes)).toEqual({
      laneIds: ['lane0', 'lane1'],
      results: [
        {
          call: {
            name: 'get_weather',
            ordinal: 0,
            arguments: canonicalizeArguments(paris.function.arguments),
          },
          content: '18',
        },
        { call: { name: 'get_time', ordinal: 0, arguments: '{"city":"Paris"}' }, content: 'noon' },
      ],
    });
  });

  it('copies a result to the call at the same position in another lane until a result is entered there', () => {
    const pendingRow = createPendingRow([paris], [oslo]);
    const draftResults = { [getKey(paris)]: { text: '18' } };
    const [first, second] = matchLaneResults(pendingRow, draftResults);
    expect(first?.results[0]?.copiedFrom).toBeUndefined();
    expect(second?.results[0]).toMatchObject({
      text: '18',
      isReady: true,
      copiedFrom: canonicalizeArguments(paris.function.arguments),
    });
    const cleared = matchLaneResults(pendingRow, { ...draftResults, [getKey(oslo)]: { text: '' } })[1];
    expect(cleared).toMatchObject({ missingCount: 1, results: [{ text: '', isReady: false }] });
    expect(cleared?.results[0]?.copiedFrom).toBeUndefined();
    const ownDrafts = { ...draftResults, [getKey(oslo)]: { text: '4' } };
    expect(
      getSendableResults(pendingRow, ownDrafts, allLanes)?.results.map(({ content }) => content),
    ).toEqual(['18', '4']);
  });

  it('ignores results for calls that are no longer shown', () => {
    expect(
      matchLaneResults(createPendingRow([oslo]), { [getKey(paris)]: { text: '18' } })[0]?.missingCount,
    ).toBe(1);
  });

  it('sends results only for selected lanes in which every call has a result', () => {
    const pendingRow = createPendingRow([paris], [paris, rome], [paris]);
    const draftResults = { [getKey(paris)]: { text: '18' } };
    expect(matchLaneResults(pendingRow, draftResults).map(({ missingCount }) => missingCount)).toEqual([
      0, 1, 0,
    ]);
    expect(getSendableResults(pendingRow, draftResults, ['lane0', 'lane1'])?.laneIds).toEqual(['lane0']);
    expect(getSendableResults(pendingRow, draftResults, ['lane1'])).toBeUndefined();
    expect(getSendableResults(pendingRow, { [getKey(paris)]: { text: ' ' } }, allLanes)).toBeUndefined();
  });

  it('sends exactly the results that were shown', () => {
    const pendingRow = createPendingRow([paris, rome, paris], [oslo, parisReordered], [rome]);
    const draftResults = {
      [getKey(paris)]: { text: 'p1' },
      [getKey(paris, paris)]: { text: 'p2' },
      [getKey(rome)]: { text: 'r', isError: true as const },
      [getKey(oslo)]: { text: 'o' },
    };
    const sendableResults = getSendableResults(pendingRow, draftResults, allLanes);
    for (const { lane, results } of matchLaneResults(pendingRow, draftResults)) {
      const matches = matchResults(lane.calls, sendableResults?.results ?? []);
      expect(matches.map((result) => result?.content)).toEqual(results.map(({ text }) => text));
    }
    expect(sendableResults?.results.find(({ content }) => content === 'r')?.isError).toBe(true);
    expect(matchLaneResults(pendingRow, draftResults)[2]?.results.map(({ isError }) => isError)).toEqual([
      true,
    ]);
    expect(matchLaneResults(pendingRow, draftResults)[1]?.results.map(({ isError }) => isError)).toEqual([
      false,
      false,
    ]);
  });

  it('omits blank results', () => {
    const pendingRow = createPendingRow([paris], [rome]);
    const draftResults = { [getKey(paris)]: { text: '18' }, [getKey(rome)]: { text: ' ' } };
    expect(getSendableResults(pendingRow, draftResults, allLanes)).toMatchObject({
      laneIds: ['lane0'],
      results: [{ content: '18' }],
    });
  });
});

describe('pending tool calls', () => {
  const turn: Turn = {
    id: 't',
    sessionId: 's',
    laneId: 'l',
    seq: 1,
    promptId: 'p',
    reply: { kind: 'run', runId: 'r' },
  };
  const createCallPart = (args: string): Part => ({
    type: 'tool-call',
    slot: 0,
    id: 'c',
    name: 'f',
    arguments: args,
  });
  function createTestRun(phase: RunPhase['name'], args: string, finishReason?: string): Run {
    const choice = { parts: [createCallPart(args)], ...(finishReason === undefined ? {} : { finishReason }) };
    return { ...createRun('r', 's', createTestSetup()), phase: { name: phase }, choices: [choice] };
  }

  it('returns complete calls of ended runs', () => {
    const rows = [
      ['complete', '{"a":1}', 'tool_calls', 1],
      ['complete', '', 'tool_calls', 1],
      ['complete', '{"a":', 'tool_calls', 1],
      ['complete', '{"a":', 'length', 0],
      ['truncated', '{"a":', undefined, 0],
      ['truncated', '{"a":1}', undefined, 1],
      ['streaming', '{"a":1}', undefined, 0],
    ] as const;
    for (const [phase, args, reason, count] of rows) {
      const caseLabel = [phase, args, reason].join(' ');
      expect(getPendingCalls(turn, createTestRun(phase, args, reason)), caseLabel).toHaveLength(count);
    }
  });

  it('returns the calls of the shown candidate', () => {
    const twoCandidateRun: Run = { ...createTestRun('complete', '{}', 'tool_calls') };
    twoCandidateRun.choices = [
      { parts: [{ type: 'text', text: 'No' }], finishReason: 'stop' },
      ...twoCandidateRun.choices,
    ];
    expect(getPendingCalls(turn, twoCandidateRun)).toEqual([]);
    expect(getPendingCalls({ ...turn, shownChoice: 1 }, twoCandidateRun)).toHaveLength(1);
  });

  it('includes calls written by hand in the row of the other lanes', () => {
    const manualTurn: Turn = {
      ...turn,
      id: 'w',
      laneId: 'm',
      reply: { kind: 'written', message: { role: 'assistant', content: null, tool_calls: [paris] } },
    };
    const rows = findPendingRows([
      { turn, run: createTestRun('complete', '{}', 'tool_calls') },
      { turn: manualTurn, run: undefined },
      {
        turn: { ...turn, id: 'x', laneId: 'n', promptId: 'q' },
        run: createTestRun('complete', '{}', 'tool_calls'),
      },
    ]);
    expect(rows.map(({ promptId, lanes }) => [promptId, lanes.map(({ laneId }) => laneId)])).toEqual([
      ['p', ['l', 'm']],
      ['q', ['n']],
    ]);
  });
});
