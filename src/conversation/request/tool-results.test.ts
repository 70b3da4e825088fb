import { describe, expect, it } from 'vitest';

import type { ToolCall } from '../../gateway/wire.ts';
import { aSetup } from '../../testing/builders.ts';
import { newRun } from '../reply/run.ts';
import type { Part, Run, RunPhase, ToolResult, Turn } from '../session/types.ts';
import {
  answerableCalls,
  laneAnswers,
  sendableResults,
  waitingRows,
  type WaitingRow,
} from './pending-tool-results.ts';
import { callKey, canonicalArguments, identitiesOf, resultsFor } from './tool-results.ts';

function call(name: string, args: string, id = `${name}${args}`): ToolCall {
  return { id, type: 'function', function: { name, arguments: args } };
}

const paris = call('get_weather', '{"city":"Paris","unit":"celsius"}', 'a1');
const parisOtherwise = call('get_weather', '{ "unit": "celsius", "city": "Paris" }', 'b1');
const rome = call('get_weather', '{"city":"Rome"}', 'a2');
const oslo = call('get_weather', '{"city":"Oslo"}', 'b2');
const time = call('get_time', '{"city":"Paris"}', 'a3');

const keyOf = (...calls: ToolCall[]): string =>
  callKey(identitiesOf(calls).at(-1) ?? { name: '', arguments: '', ordinal: 0, repeat: 0 });

function row(...lanes: ToolCall[][]): WaitingRow {
  return {
    promptId: 'p',
    lanes: lanes.map((calls, index) => ({ laneId: `lane${index}`, turnId: `turn${index}`, calls })),
  };
}

const allLanes = ['lane0', 'lane1', 'lane2'];

describe('a call', () => {
  it('nested thousands of levels deep is compared raw', () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    expect(canonicalArguments(` ${deep}\n`)).toBe(deep);
    expect(canonicalArguments(`${'['.repeat(150)}{"b":1, "a":2}${']'.repeat(150)}`)).toContain(
      '{"a":2,"b":1}',
    );
  });

  it('is the same in every lane whatever its id, the order of its keys and its place', () => {
    expect(keyOf(paris)).toBe(keyOf(rome, parisOtherwise));
    expect(keyOf(paris)).not.toBe(keyOf(rome));
  });

  it('may hold null, lists and numbers', () => {
    expect(canonicalArguments('{"b":null,"a":[1,null,{"d":2,"c":3}]}')).toBe(
      '{"a":[1,null,{"c":3,"d":2}],"b":null}',
    );
    expect(canonicalArguments(' null ')).toBe('null');
  });

  it('made twice with the same arguments is two calls', () => {
    expect(identitiesOf([paris, rome, paris]).map(({ ordinal, repeat }) => [ordinal, repeat])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
    expect(keyOf(paris, paris)).not.toBe(keyOf(paris));
  });

  it('with very long arguments is told by their raw text, and apart from every other', () => {
    const long = (query: string, tail = '') => {
      const text = JSON.stringify({ b: query.repeat(30_000), a: 1 }) + tail;
      return { ...paris, function: { name: 'search', arguments: text } };
    };
    expect(keyOf(long('x'))).toBe(keyOf(rome, long('x', '\n')));
    const others = [keyOf(long('y')), keyOf(long('x'), long('x')), keyOf(paris)];
    expect(new Set([keyOf(long('x')), ...others]).size).toBe(4);
  });

  it('whose arguments are not JSON is told by their text', () => {
    expect(canonicalArguments(' {"city": "Par ')).toBe('{"city": "Par');
  });
});

describe('results find their calls', () => {
  const result = (name: string, ordinal: number, args: string, content: string): ToolResult => {
    return { call: { name, ordinal, arguments: canonicalArguments(args) }, content };
  };

  it('by name and arguments first, then by name and place', () => {
    const results = [
      result('get_weather', 0, '{"city":"Rome"}', 'rome'),
      result('get_weather', 1, '{"city":"Bonn"}', 'bonn'),
    ];
    expect(resultsFor([paris, rome], results).map((found) => found?.content)).toEqual([undefined, 'rome']);
    expect(resultsFor([rome, oslo], results).map((found) => found?.content)).toEqual(['rome', 'bonn']);
  });

  it('and answer one call only', () => {
    const results = [result('get_weather', 0, paris.function.arguments, 'once')];
    expect(resultsFor([paris, paris], results).map((found) => found?.content)).toEqual(['once', undefined]);
  });
});

describe('what is typed once', () => {
  it('answers the same call in every lane', () => {
    const both = row([paris, time], [time, parisOtherwise]);
    const written = { [keyOf(paris)]: { text: '18' }, [keyOf(time)]: { text: 'noon' } };
    expect(laneAnswers(both, written).map(({ answers }) => answers.map(({ text }) => text))).toEqual([
      ['18', 'noon'],
      ['noon', '18'],
    ]);
    expect(sendableResults(both, written, allLanes)).toEqual({
      laneIds: ['lane0', 'lane1'],
      results: [
        {
          call: { name: 'get_weather', ordinal: 0, arguments: canonicalArguments(paris.function.arguments) },
          content: '18',
        },
        { call: { name: 'get_time', ordinal: 0, arguments: '{"city":"Paris"}' }, content: 'noon' },
      ],
    });
  });

  it('stands in for the call of the same name and place, which says so, until something is typed there', () => {
    const both = row([paris], [oslo]);
    const written = { [keyOf(paris)]: { text: '18' } };
    const [first, second] = laneAnswers(both, written);
    expect(first?.answers[0]?.writtenFor).toBeUndefined();
    expect(second?.answers[0]).toMatchObject({
      text: '18',
      isReady: true,
      writtenFor: canonicalArguments(paris.function.arguments),
    });
    const cleared = laneAnswers(both, { ...written, [keyOf(oslo)]: { text: '' } })[1];
    expect(cleared).toMatchObject({ missing: 1, answers: [{ text: '', isReady: false }] });
    expect(cleared?.answers[0]?.writtenFor).toBeUndefined();
    const own = { ...written, [keyOf(oslo)]: { text: '4' } };
    expect(sendableResults(both, own, allLanes)?.results.map(({ content }) => content)).toEqual(['18', '4']);
  });

  it('does not answer for a version of the call that is not shown any more', () => {
    expect(laneAnswers(row([oslo]), { [keyOf(paris)]: { text: '18' } })[0]?.missing).toBe(1);
  });

  it('goes only to lanes that are complete and chosen, and keeps what the others lack', () => {
    const three = row([paris], [paris, rome], [paris]);
    const written = { [keyOf(paris)]: { text: '18' } };
    expect(laneAnswers(three, written).map(({ missing }) => missing)).toEqual([0, 1, 0]);
    expect(sendableResults(three, written, ['lane0', 'lane1'])?.laneIds).toEqual(['lane0']);
    expect(sendableResults(three, written, ['lane1'])).toBeUndefined();
    expect(sendableResults(three, { [keyOf(paris)]: { text: ' ' } }, allLanes)).toBeUndefined();
  });

  it('is sent as it is matched: the request finds the results that were shown', () => {
    const lanes = row([paris, rome, paris], [oslo, parisOtherwise], [rome]);
    const written = {
      [keyOf(paris)]: { text: 'p1' },
      [keyOf(paris, paris)]: { text: 'p2' },
      [keyOf(rome)]: { text: 'r', isError: true as const },
      [keyOf(oslo)]: { text: 'o' },
    };
    const sent = sendableResults(lanes, written, allLanes);
    for (const { lane, answers } of laneAnswers(lanes, written)) {
      const found = resultsFor(lane.calls, sent?.results ?? []);
      expect(found.map((result) => result?.content)).toEqual(answers.map(({ text }) => text));
    }
    expect(sent?.results.find(({ content }) => content === 'r')?.isError).toBe(true);
    expect(laneAnswers(lanes, written)[2]?.answers.map(({ isError }) => isError)).toEqual([true]);
    expect(laneAnswers(lanes, written)[1]?.answers.map(({ isError }) => isError)).toEqual([false, false]);
  });

  it('is left out where it is blank, also beside what another lane sends', () => {
    const two = row([paris], [rome]);
    const written = { [keyOf(paris)]: { text: '18' }, [keyOf(rome)]: { text: ' ' } };
    expect(sendableResults(two, written, allLanes)).toMatchObject({
      laneIds: ['lane0'],
      results: [{ content: '18' }],
    });
  });
});

describe('a turn waits for results', () => {
  const turn: Turn = {
    id: 't',
    sessionId: 's',
    laneId: 'l',
    seq: 1,
    promptId: 'p',
    reply: { kind: 'run', runId: 'r' },
  };
  const toolCall = (args: string): Part => ({
    type: 'tool-call',
    slot: 0,
    id: 'c',
    name: 'f',
    arguments: args,
  });
  function run(phase: RunPhase['name'], args: string, finishReason?: string): Run {
    const choice = { parts: [toolCall(args)], ...(finishReason === undefined ? {} : { finishReason }) };
    return { ...newRun('r', 's', aSetup()), phase: { name: phase }, choices: [choice] };
  }

  it('for the calls that came whole', () => {
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
      const row = [phase, args, reason].join(' ');
      expect(answerableCalls(turn, run(phase, args, reason)), row).toHaveLength(count);
    }
  });

  it('for the calls of the candidate that is shown', () => {
    const two: Run = { ...run('complete', '{}', 'tool_calls') };
    two.choices = [{ parts: [{ type: 'text', text: 'No' }], finishReason: 'stop' }, ...two.choices];
    expect(answerableCalls(turn, two)).toEqual([]);
    expect(answerableCalls({ ...turn, shownChoice: 1 }, two)).toHaveLength(1);
  });

  it('also for calls that a person wrote, in one row with the other lanes', () => {
    const written: Turn = {
      ...turn,
      id: 'w',
      laneId: 'm',
      reply: { kind: 'written', message: { role: 'assistant', content: null, tool_calls: [paris] } },
    };
    const rows = waitingRows([
      { turn, run: run('complete', '{}', 'tool_calls') },
      { turn: written, run: undefined },
      { turn: { ...turn, id: 'x', laneId: 'n', promptId: 'q' }, run: run('complete', '{}', 'tool_calls') },
    ]);
    expect(rows.map(({ promptId, lanes }) => [promptId, lanes.map(({ laneId }) => laneId)])).toEqual([
      ['p', ['l', 'm']],
      ['q', ['n']],
    ]);
  });
});
