/** What connections do: silence, resets, ends that are none, packets of every size (F14 to F25, F37, F78, F86 to F93). */
import type { FaultRow } from './fault-row.ts';
import { said, wholeAnswer } from './fault-row.ts';

/** The patience of the server in these rows: what lasts minutes in the world is scaled down with it. */
export const scaledPatience = {
  GATEWAY_CONNECT_TIMEOUT_MS: '1000',
  GATEWAY_HEADERS_TIMEOUT_MS: '1500',
  GATEWAY_IDLE_TIMEOUT_MS: '2500',
};

const { role, text, finish, done, usage, delta, event } = said;
const dropped = { status: 'truncated', group: 'Error', says: ['The connection dropped'] } as const;
const maybeCut = {
  status: 'truncated',
  group: 'Note',
  says: ['The answer may be cut off', 'Ask to continue'],
} as const;
const hello = { status: 'complete', group: 'none', text: { 0: 'Hello' }, says: ['Hello'] } as const;

export const transportFaultRows: FaultRow[] = [
  {
    name: 'F14 one byte a packet, emoji family and CJK',
    answer: { body: [{ inPacketsOf: 1, bytes: [role + text('👩‍👩‍👧‍👦é漢') + finish() + done] }] },
    outcome: { status: 'complete', group: 'none', text: { 0: '👩‍👩‍👧‍👦é漢' }, notes: {} },
  },
  {
    name: 'F15 a character split over two packets',
    answer: {
      body: [
        `${role}data: {"choices":[{"index":0,"delta":{"content":"`,
        { hex: 'F0 9F' },
        { gapMs: 40 },
        { hex: '91 8D' },
        '"}}]}\n\n',
        finish(),
        done,
      ],
    },
    outcome: { status: 'complete', group: 'none', text: { 0: '👍' }, notes: {} },
  },
  {
    name: 'F15 the stream ends inside a character',
    answer: {
      body: [role + text('a'), 'data: {"choices":[{"index":0,"delta":{"content":"b', { hex: 'F0 9F 91' }],
    },
    outcome: { ...maybeCut, text: { 0: 'ab' }, notes: { 'cut-character': 1 } },
  },
  {
    name: 'F13 CR and LF in different packets',
    answer: {
      body: [`${role.trim()}\r`, { gapMs: 20 }, '\n\r', { gapMs: 20 }, '\n', text('Hello'), finish(), done],
    },
    outcome: { ...hello, notes: {} },
  },
  {
    name: 'F18 the gateway says that it works, for longer than it may be silent, then answers',
    answer: {
      body: [
        ...Array.from({ length: 8 }, () => [': OPENROUTER PROCESSING\n\n', { gapMs: 400 }]).flat(),
        wholeAnswer,
      ],
    },
    outcome: { ...hello, notes: {} },
  },
  {
    name: 'F37 the done mark, and the connection stays open',
    answer: { body: [wholeAnswer], end: 'hold' },
    outcome: hello,
  },
  {
    name: 'F33 a finish reason without the done mark, and the connection stays open',
    answer: { body: [role, text('Hello'), finish(), usage], end: 'hold' },
    outcome: { ...hello, notes: {} },
  },
  {
    name: 'a whole reply, and the connection stays open',
    answer: {
      contentType: 'application/json',
      body: [
        JSON.stringify({ choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] }),
      ],
      end: 'hold',
    },
    outcome: { status: 'complete', text: { 0: 'Hello' } },
  },
  {
    name: 'an error status, and the connection stays open',
    answer: {
      status: 500,
      contentType: 'application/json',
      body: ['{"error":{"message":"boom"}}'],
      end: 'hold',
    },
    outcome: { status: 'failed', group: 'Error', says: ['boom'] },
  },
  {
    name: 'F42 an error, and the connection stays open',
    answer: { body: [role, text('Hello'), event({ error: { message: 'boom', code: 502 } })], end: 'hold' },
    outcome: { status: 'failed', group: 'Error', text: { 0: 'Hello' }, says: ['boom'] },
  },
  {
    name: 'F37 the done mark without a finish reason, and the connection stays open',
    answer: { body: [role, text('Hello'), done], end: 'hold' },
    outcome: {
      status: 'complete',
      group: 'none',
      text: { 0: 'Hello' },
      says: ['Ended without a finish reason'],
    },
  },
  {
    name: 'F32 the usage comes after the done mark',
    answer: { body: [wholeAnswer, { gapMs: 80 }, usage] },
    outcome: { ...hello, notes: { 'after-done': 1 } },
  },
  {
    name: 'F78 a whole reply that breaks off',
    answer: { contentType: 'application/json', body: ['{"id":"x","choi'], end: 'fin' },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['The connection was lost'],
      text: {},
      error: { source: 'network', kind: 'connection-lost' },
    },
  },
  {
    name: 'F78 a length that is longer than the body: what can be read of it is kept',
    answer: {
      contentType: 'application/json',
      framing: 999,
      body: ['{"id":"x","choices":[{"index":0,"message":{"content":"Hello wor'],
      end: 'fin',
    },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['Hello wor', 'The connection was lost'],
      text: { 0: 'Hello wor' },
      error: { kind: 'connection-lost' },
    },
  },
  {
    name: 'F78 a chunk whose size is not a number',
    answer: {
      framing: 'raw',
      body: [
        `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${(role + text('Hello')).length.toString(16)}\r\n${role + text('Hello')}\r\n`,
        { gapMs: 60 },
        'zz\r\nmore\r\n',
      ],
    },
    outcome: { ...dropped, text: { 0: 'Hello' } },
  },
  {
    name: 'an answer that is not HTTP',
    answer: { framing: 'raw', body: ['SSH-2.0-OpenSSH_9\r\n'] },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['502', 'gateway_unreachable', 'not valid HTTP'],
      text: {},
    },
  },
  {
    name: 'F88 the headers never come',
    answer: { framing: 'raw', body: [], end: 'hold' },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['did not respond in time', 'gateway_timeout', '504'],
      text: {},
      error: { source: 'proxy', kind: 'timeout', status: 504 },
    },
  },
  {
    name: 'F89 silence after the headers',
    answer: { body: [], end: 'hold' },
    outcome: { ...dropped, says: ['The connection dropped', 'No text received'], text: {} },
  },
  {
    name: 'F89 silence after some text',
    answer: { body: [role, text('Hello')], end: 'hold' },
    outcome: {
      ...dropped,
      says: ['The connection dropped', '1 token received and kept'],
      text: { 0: 'Hello' },
    },
  },
  {
    name: 'F90 a long silence that is within the patience, before the text and inside it',
    answer: { body: [role, { gapMs: 1800 }, text('Hel'), { gapMs: 1800 }, text('lo'), finish(), done] },
    outcome: hello,
  },
  {
    name: 'F91 a reset right after the headers',
    answer: { body: [], end: 'reset' },
    outcome: { ...dropped, says: ['The connection dropped', 'No text received', 'Ask again'], text: {} },
  },
  {
    name: 'F91 a reset inside an event',
    answer: { body: [role, text('Hello'), 'data: {"choi', { gapMs: 30 }], end: 'reset' },
    outcome: { ...dropped, text: { 0: 'Hello' } },
  },
  {
    name: 'F91 a reset before any byte',
    answer: { framing: 'raw', body: [], end: 'reset' },
    outcome: {
      status: 'failed',
      group: 'Error',
      says: ['cannot be reached', '502'],
      text: {},
      error: { source: 'proxy', kind: 'unreachable' },
    },
  },
  {
    name: 'a reset after the finish reason is only a note',
    answer: { body: [role, text('Hello'), finish(), { gapMs: 30 }], end: 'reset' },
    outcome: {
      status: 'complete',
      group: 'none',
      text: { 0: 'Hello' },
      says: ['The connection broke after the answer was complete'],
      notes: { 'lost-after-end': 1 },
    },
  },
  {
    name: 'F92 an end without the last chunk',
    answer: { body: [role, text('Hello')], end: 'fin' },
    outcome: { ...dropped, text: { 0: 'Hello' } },
  },
  {
    name: 'F92 the same after the done mark is complete',
    answer: { body: [wholeAnswer], end: 'fin' },
    outcome: hello,
  },
  {
    name: 'F93 a body until the connection closes, cut',
    answer: { framing: 'close', body: [role, text('Hello')] },
    outcome: { ...maybeCut, text: { 0: 'Hello' } },
  },
  {
    name: 'F93 a body until the connection closes, whole',
    answer: { framing: 'close', body: [wholeAnswer] },
    outcome: hello,
  },
  {
    name: 'F55 tool arguments cut by a closed connection',
    answer: {
      body: [
        delta({
          tool_calls: [{ index: 0, id: 'A', function: { name: 'weather', arguments: '{"city":"Par' } }],
        }),
      ],
      end: 'fin',
    },
    outcome: {
      ...dropped,
      says: ['{"city":"Par', 'Incomplete'],
      tools: [['0/0', 'A', 'weather', '{"city":"Par']],
    },
  },
  {
    name: 'an error event, then a reset: the error is told, once',
    answer: {
      body: [role, text('Hello'), event({ error: { message: 'boom', code: 502 } }), { gapMs: 30 }],
      end: 'reset',
    },
    outcome: { status: 'failed', group: 'Error', says: ['boom', 'received and kept'], text: { 0: 'Hello' } },
  },
  {
    name: 'two answers one after the other on a connection: the second belongs to nobody',
    answer: {
      framing: 'raw',
      body: [
        `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${wholeAnswer.length}\r\n\r\n${wholeAnswer}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`,
      ],
    },
    outcome: { ...hello, never: ['evil'] },
  },
  {
    name: 'informational answers before the answer',
    answer: {
      framing: 'raw',
      body: [
        'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>; rel=preload\r\n\r\n',
        `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${wholeAnswer.length}\r\n\r\n${wholeAnswer}`,
      ],
    },
    outcome: hello,
  },
];
