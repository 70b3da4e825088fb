import { expect, it } from 'vitest';

import { isHeartbeat, extractMessage } from './event-message.ts';

it('distinguishes heartbeats from messages', () => {
  const rows: [value: unknown, event: string | undefined, isHeartbeat: boolean][] = [
    [' ', undefined, true],
    ['[ping]', undefined, true],
    ['ping me', undefined, false],
    ['12:00', undefined, false],
    ['12:00', 'ping', true],
    ['noon', 'ping', false],
    [7, undefined, false],
    [7, 'ping', true],
    [true, 'ping', false],
    [null, undefined, true],
    [{}, undefined, true],
    [{ ts: 7 }, undefined, false],
    [{ ts: 7 }, 'ping', true],
    [{ at: '12:00' }, 'heartbeat', true],
    [{ at: '12:00' }, undefined, false],
    [{ status: 'ping', at: '12:00' }, undefined, true],
    [{ status: 'ping', words: 'The queue is long' }, undefined, false],
    [{ ping: 1, pong: 2 }, undefined, true],
    [{ ping: 1, count: 2 }, undefined, false],
    [{ type: 'ping', choices: [] }, undefined, false],
    [{ type: 'ping', a: { b: 1 } }, undefined, true],
    [{ type: 'ping', a: { b: { c: 1 } } }, undefined, false],
  ];
  expect(rows.map(([value, event]) => [value, event, isHeartbeat(value, event)])).toEqual(rows);
});

it('finds the message of a value received in place of a chunk', () => {
  const rows: [value: unknown, message: string | undefined][] = [
    ['Come back later', 'Come back later'],
    [['Come', 'back'], 'Come; back'],
    [' ', undefined],
    [7, undefined],
    [{}, undefined],
    [{ note: 'Come', more: { text: 'back' } }, 'Come; back'],
    [{ message: 'Come back' }, 'Come back'],
    // In a chunk, text next to the choices counts only under the usual names.
    [{ choices: [{}], message: 'a' }, undefined],
    [{ choices: 'a', message: 'b' }, undefined],
    [{ choices: [], message: 'a' }, 'a'],
    [{ choices: null, message: 'a' }, 'a'],
    [{ choices: [], note: 'a' }, undefined],
    [{ choices: [], title: 'a' }, undefined],
    [{ usage: { prompt_tokens: 1 }, title: 'a', reason: 'b' }, 'b'],
    [{ usage: { prompt_tokens: 1 }, title: 'a' }, 'a'],
    [{ usage: null, metadata: { raw: 'a' }, reason: 'b' }, 'b: a'],
  ];
  expect(rows.map(([value]) => [value, extractMessage(value)])).toEqual(rows);
});
