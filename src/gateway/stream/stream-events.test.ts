import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getCaseCount } from '../../testing/seeds.ts';
import { collectOutcome } from '../__fixtures__/outcome.ts';
import { toBytes, generateDeliveries } from '../__fixtures__/segments.ts';
import { streamRows, type Outcome, type StreamRow } from '../__fixtures__/stream-rows.ts';
import { createHttp } from '../http/http.ts';
import type { ChatRequest } from '../wire.ts';
import { createResponseDecoder } from './response-decoder.ts';
import { streamChat } from './stream-chat.ts';
import { createTapeReader, type StreamEvent } from './stream-events.ts';
import type { TapeEntry } from './tape.ts';

const createRequest = (row: Pick<StreamRow, 'isNonStreaming'>): ChatRequest => ({
  model: 'm/1',
  messages: [{ role: 'user', content: 'Hi' }],
  ...(row.isNonStreaming ? {} : { stream: true }),
});

function createHeaders({ contentType = 'text/event-stream' }: StreamRow): Record<string, string> {
  return contentType === null ? {} : { 'content-type': contentType };
}

/** The row as a tape, without a network. */
function createTape(row: StreamRow, packets: readonly Uint8Array[]): TapeEntry[] {
  const status = row.status ?? 200;
  const decoder = createResponseDecoder({ isError: status >= 300 });
  return [
    { at: 0, request: createRequest(row), requestId: 'r' },
    { at: 0, status, headers: createHeaders(row) },
    ...packets.flatMap((packet) => decoder.push(packet, 0)),
    ...decoder.end(0, true),
    { at: 0, end: 'closed' },
  ];
}

function readEvents(tape: readonly TapeEntry[]): StreamEvent[] {
  const read = createTapeReader();
  return tape.flatMap((entry) => read(entry));
}

async function playRow(row: StreamRow, packets: readonly Uint8Array<ArrayBuffer>[]): Promise<TapeEntry[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const packet of packets) controller.enqueue(packet);
      controller.close();
    },
  });
  const headers = createHeaders(row);
  const http = createHttp({
    monotonicNow: () => 0,
    fetch: async () => new Response(body, { status: row.status ?? 200, headers }),
  });
  const tape: TapeEntry[] = [];
  for await (const entries of streamChat(http, createRequest(row), { requestId: 'r' })) tape.push(...entries);
  return tape;
}

describe('an answer', () => {
  it.each(streamRows.map((row) => [row.name, row] as const))(
    'is read however it is split: %s',
    async (_name, row) => {
      const bytes = toBytes(row.bytes);
      const tape = createTape(row, [bytes]);
      expect(collectOutcome(readEvents(tape))).toEqual(row.outcome);
      // Compared as text, since a matcher for each of thousands of splits is slow.
      const expected = JSON.stringify(tape);
      const mismatches = [...generateDeliveries(bytes)].filter(
        (packets) => JSON.stringify(createTape(row, packets)) !== expected,
      );
      expect(mismatches).toEqual([]);
      const bytewise = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
      for (const packets of [bytes.length > 0 ? [bytes] : [], bytewise])
        expect(await playRow(row, packets)).toEqual(tape);
    },
  );

  it('begins with its status, headers and request id, and ends with how the transport ended', () => {
    const headers = { 'content-type': 'text/event-stream', 'x-generation-id': 'gen-1' };
    const events = readEvents([
      { at: 0, request: createRequest({}), requestId: 'r' },
      { at: 1, status: 200, headers },
      { at: 2, comment: 'PROCESSING' },
      { at: 3, data: '{"choices":[],"usage":null}' },
      { at: 4, end: 'lost', error: { source: 'network', kind: 'connection-lost', message: 'gone' } },
    ]);
    expect(events).toEqual([
      { type: 'response-start', status: 200, ok: true, headers, requestId: 'gen-1' },
      { type: 'keep-alive', comment: 'PROCESSING' },
      { type: 'end', end: 'lost', report: { source: 'network', kind: 'connection-lost', message: 'gone' } },
    ]);
  });

  it('takes an event without data for a sign of life, named as it is', () => {
    expect(readEvents([{ at: 0, event: 'ping', data: ' ' }])).toEqual([
      { type: 'keep-alive', comment: 'ping' },
    ]);
    expect(readEvents([{ at: 0, data: '' }])).toEqual([{ type: 'keep-alive', comment: '' }]);
  });

  it('counts with figures in texts, and with none that is written otherwise', () => {
    const readUsage = (completion_tokens: unknown) =>
      readEvents([
        { at: 0, data: JSON.stringify({ choices: [], usage: { prompt_tokens: '7', completion_tokens } }) },
      ]);
    expect(readUsage('12')).toContainEqual({
      type: 'usage',
      usage: { promptTokens: 7, completionTokens: 12 },
    });
    expect(readUsage('1e3')).toContainEqual({ type: 'usage', usage: { promptTokens: 7 } });
  });

  it('tells of who answers only what has changed', () => {
    const createEntry = (fields: object) => ({ at: 0, data: JSON.stringify({ choices: [], ...fields }) });
    const events = readEvents([
      createEntry({ id: 'a', model: 'm', created: 1 }),
      createEntry({ id: 'a', model: 'm', created: 1 }),
      createEntry({ id: 'b', model: 'm', created: 1 }),
      createEntry({ id: 'b', model: 'n', created: 1 }),
      createEntry({ id: 'b', model: 'n', created: 2 }),
      createEntry({ id: '', model: '' }),
    ]);
    expect(events.filter(({ type }) => type === 'identity')).toStrictEqual([
      { type: 'identity', id: 'a', model: 'm', created: 1 },
      { type: 'identity', id: 'b' },
      { type: 'identity', model: 'n' },
      { type: 'identity', created: 2 },
    ]);
    // A note once for each field, however often it changes.
    expect(events.flatMap((event) => (event.type === 'note' ? [event.detail] : []))).toEqual([
      'id a, then b',
      'model m, then n',
      'created 1, then 2',
    ]);
    expect(readEvents([createEntry({ model: 'm' })])).toStrictEqual([{ type: 'identity', model: 'm' }]);
  });

  it('keeps what it cannot say raw, each with its name', () => {
    const longName = 'n'.repeat(60);
    const tooManyChoices = Array.from({ length: 129 }, () => ({}));
    const rows: [chunk: unknown, notes: [detail: string, raw: string][]][] = [
      [{ choices: [7] }, [['choice that is not an object', '7']]],
      [{ choices: [{ index: -1 }] }, [['choice index', '{"index":-1}']]],
      [{ choices: [{ index: 128 }] }, [['choice index', '{"index":128}']]],
      [{ choices: [{ index: 127 }] }, []],
      [{ choices: tooManyChoices }, [['more than 128 choices', '[{}]']]],
      [{ choices: tooManyChoices.slice(1) }, []],
      [{ choices: [], usage: 'much' }, [['usage', 'much']]],
      [{ choices: [{ delta: { content: 'a', role: 'Assistant' } }] }, []],
      [{ choices: [{ delta: { content: 'a', role: 'user' } }] }, [['role', '{"role":"user"}']]],
      [{ choices: [{ delta: { content: 'a' }, more: 'b' }] }, [['more', '{"more":"b"}']]],
      [{ choices: [{ delta: { content: 'a', more: [7] } }] }, [['more', '{"more":[7]}']]],
      // Sealed: kept with the message, for the model that wrote it.
      [{ choices: [{ delta: { content: 'a', extra_content: { x: { y: 'z' } } } }] }, []],
      [{ choices: [{ delta: { tool_calls: [{ index: 999 }] } }] }, [['tool call index', '{"index":999}']]],
      [
        {
          choices: [{ delta: { tool_calls: [{ index: 0, note: 'a', function: { name: 'f', why: 'b' } }] } }],
        },
        [
          ['note', '{"note":"a"}'],
          ['why', '{"why":"b"}'],
        ],
      ],
      [{ choices: [{ delta: { function_call: { name: 'f', why: 'b' } } }] }, [['why', '{"why":"b"}']]],
      [
        { choices: [{ delta: { reasoning: 'a', reasoning_details: [{ text: 'b' }] } }] },
        [['reasoning_details', '{"reasoning_details":[{"text":"b"}]}']],
      ],
      [{ choices: [{ delta: {} }], message: 'in the queue' }, [['text beside choices', 'in the queue']]],
      [{ note: 'a' }, [['object without choices', '{"note":"a"}']]],
      [['a'], [['not an object', '["a"]']]],
      [
        { choices: [{ delta: { content: [{ type: longName }] } }] },
        [[`content part of type ${'n'.repeat(40)}`, `{"type":"${longName}"}`]],
      ],
    ];
    const readNotes = (chunk: unknown) =>
      readEvents([{ at: 0, data: JSON.stringify(chunk) }]).flatMap((event) =>
        event.type === 'note' ? [[event.detail, 'raw' in event ? event.raw : undefined]] : [],
      );
    expect(rows.map(([chunk]) => [chunk, readNotes(chunk)])).toEqual(rows);
    const namedEvents = readEvents([{ at: 0, event: longName, data: '{"note":"a"}' }]);
    expect(namedEvents).toEqual([
      { type: 'note', note: 'skipped-value', detail: `event ${'n'.repeat(40)}`, raw: '{"note":"a"}' },
    ]);
  });

  it('says of each piece of a call only what is news', () => {
    const createCallEntry = (value: object) => ({
      at: 0,
      data: JSON.stringify({ choices: [{ delta: { tool_calls: [value] } }] }),
    });
    const events = readEvents([
      createCallEntry({ index: 0, id: 'A', function: { name: 'f', arguments: '' } }),
      createCallEntry({ index: 0, id: 'A', function: { name: 'f', arguments: '' } }),
      createCallEntry({ index: 0, function: { arguments: '{' } }),
      createCallEntry({ index: 0, function: {} }),
      createCallEntry({ index: 1, id: 'A', function: { arguments: '}' } }),
      createCallEntry({ index: 2 }),
    ]);
    expect(events).toStrictEqual([
      { type: 'tool-call-delta', choice: 0, slot: 0, id: 'A', name: 'f' },
      { type: 'tool-call-delta', choice: 0, slot: 0, arguments: '{' },
      { type: 'tool-call-delta', choice: 0, slot: 0, arguments: '}' },
      { type: 'tool-call-delta', choice: 0, slot: 1 },
    ]);
  });

  it('that is whole and comes after its pieces is kept where it says something else', () => {
    // Alike, as most are: those are not parsed.
    const streamedEntries = ['He', 'l', 'l', 'o'].map((content) => ({
      at: 0,
      data: JSON.stringify({ choices: [{ delta: { content } }] }),
    }));
    const readWhole = (message: unknown) =>
      readEvents([...streamedEntries, { at: 0, data: JSON.stringify({ choices: [{ message }] }) }]).slice(4);
    const createNote = (raw: string) => ({
      type: 'note',
      note: 'skipped-value',
      detail: 'second complete message',
      raw,
    });
    expect(readWhole({ content: 'Hello' })).toEqual([]);
    expect(readWhole({ content: '' })).toEqual([]);
    expect(readWhole('Hello')).toEqual([]);
    expect(readWhole([{ text: 'Hel' }, { text: 'lo' }])).toEqual([]);
    expect(readWhole({ content: 'Goodbye' })).toEqual([createNote('{"content":"Goodbye"}')]);
    expect(readWhole('Goodbye')).toEqual([createNote('Goodbye')]);
    const image = { type: 'image_url', image_url: { url: 'https://a.example/cat.png' } };
    const imageMessage = { content: [{ type: 'text', text: 'Hello' }, image] };
    expect(readWhole(imageMessage)).toEqual([{ type: 'image', choice: 0, url: image.image_url.url }]);
  });

  it('has nothing to add after its end mark, however alike it is written', () => {
    const createEntry = (text: string) => ({
      at: 0,
      data: JSON.stringify({ choices: [{ delta: { content: text } }] }),
    });
    const outcome = collectOutcome(
      readEvents([createEntry('Hel'), createEntry('lo'), { at: 0, data: '[DONE]' }, createEntry('EXTRA')]),
    );
    expect(outcome).toEqual({
      text: { 0: 'Hello' },
      done: true,
      notes: { 'after-done': 1 },
    } satisfies Outcome);
  });

  it('keeps what comes after its end mark in one note, with what of it is an error or usage', () => {
    const readAfterDone = (value: unknown) =>
      readEvents([
        { at: 0, data: '[DONE]' },
        { at: 0, data: typeof value === 'string' ? value : JSON.stringify(value) },
      ]).slice(1);
    const createNote = (raw: string) => ({ type: 'note', note: 'after-done', raw });
    expect(readAfterDone({ note: 'a' })).toEqual([createNote('{"note":"a"}')]);
    expect(readAfterDone('a word')).toEqual([createNote('a word')]);
    expect(readAfterDone({})).toEqual([{ type: 'keep-alive', comment: '{}' }]);
    expect(readAfterDone({ choices: [], usage: { total_tokens: 1 } })).toEqual([
      createNote('{"choices":[],"usage":{"total_tokens":1}}'),
      { type: 'usage', usage: { totalTokens: 1 } },
    ]);
    expect(readAfterDone({ error: 'late' })).toMatchObject([
      createNote('{"error":"late"}'),
      { type: 'error' },
    ]);
    expect(readAfterDone('[DONE]')).toEqual([{ type: 'note', note: 'after-done' }]);
  });

  it('has one error, notes another, and takes broken JSON for no words of anybody', () => {
    const read = (...dataTexts: string[]) =>
      readEvents([...dataTexts.map((data) => ({ at: 0, data })), { at: 0, data: '[DONE]' }]).flatMap(
        (event) =>
          event.type === 'error'
            ? [event.report.message]
            : event.type === 'note'
              ? [event.detail ?? event.note]
              : [],
      );
    expect(read('{"error":"a"}', '{"error":"a"}', '{"error":"b"}')).toEqual(['a', 'another error']);
    expect(read('Come back')).toEqual(['unreadable-event', 'Come back']);
    for (const broken of ['{come', ' [come', '"come']) expect(read(broken)).toEqual(['unreadable-event']);
    const contentChunk = { choices: [{ delta: { content: 'a' } }] };
    const endChunk = { choices: [{ delta: {}, finish_reason: 'stop' }] };
    expect(read('Come back', JSON.stringify(contentChunk))).toEqual(['unreadable-event']);
    expect(read(JSON.stringify(contentChunk), 'Come back')).toEqual(['unreadable-event', 'Come back']);
    expect(read(JSON.stringify(contentChunk), JSON.stringify(endChunk), 'Come back')).toEqual([
      'unreadable-event',
    ]);
    expect(read(JSON.stringify(contentChunk), 'Come back', JSON.stringify(endChunk))).toEqual([
      'unreadable-event',
    ]);
    expect(read('{"error":"a"}', 'Come back')).toEqual(['a', 'unreadable-event']);
    expect(read(`a${'b'.repeat(5000)}`)[1]).toBe(`a${'b'.repeat(4095)}`);
  });

  it('that is cut before or inside of a value says only what came', () => {
    expect(readEvents([{ at: 0, body: ' ', cut: true }])).toEqual([]);
    const readCut = (data: string) => readEvents([{ at: 0, data, unterminated: true }]);
    const createNote = (raw: string) => ({ type: 'note', note: 'unterminated-event', raw });
    for (const data of ['[1,2', '{"error":"a', '{"choices":[{"finish_reason":"st'])
      expect(readCut(data)).toEqual([createNote(data)]);
    const thinking = '{"choices":[{"delta":{"reasoning":"a';
    expect(readCut(thinking)).toEqual([
      createNote(thinking),
      { type: 'thinking-delta', choice: 0, text: 'a' },
    ]);
    const refusal = '{"choices":[{"delta":{"refusal":"a';
    expect(readCut(refusal)).toEqual([createNote(refusal), { type: 'refusal-delta', choice: 0, text: 'a' }]);
  });

  it('that was refused as too large says how much was sent', () => {
    const readReport = (requestBytes?: number) =>
      readEvents([
        { at: 0, status: 413, headers: {}, ...(requestBytes === undefined ? {} : { requestBytes }) },
        { at: 1, body: 'too much' },
      ])[1];
    const report = {
      source: 'gateway',
      kind: 'too-large',
      message: 'too much',
      status: 413,
      raw: 'too much',
    };
    expect(readReport(7)).toStrictEqual({ type: 'error', report: { ...report, requestBytes: 7 } });
    expect(readReport()).toStrictEqual({ type: 'error', report });
  });

  it('without a request id has none, and without a word is only called empty where it ended in order', () => {
    const lostError = { source: 'network', kind: 'connection-lost', message: 'gone' } as const;
    const startEvent = { type: 'response-start', status: 200, ok: true, headers: {} };
    const statusEntry = { at: 0, status: 200, headers: {} };
    expect(readEvents([statusEntry, { at: 1, end: 'lost', error: lostError }])).toStrictEqual([
      startEvent,
      { type: 'end', end: 'lost', report: lostError },
    ]);
    expect(readEvents([statusEntry, { at: 1, end: 'aborted' }])).toStrictEqual([
      startEvent,
      { type: 'end', end: 'aborted' },
    ]);
    expect(readEvents([statusEntry, { at: 1, end: 'closed' }])).toHaveLength(3);
  });

  it('that is whole and has choices is one, though they say nothing, and without a list where they do', () => {
    const read = (body: object) => collectOutcome(readEvents([{ at: 0, body: JSON.stringify(body) }]));
    expect(read({ choices: [] })).toEqual({ done: true });
    expect(read({ choices: { 0: { message: { content: 'a' } } } })).toEqual({ text: { 0: 'a' }, done: true });
    expect(read({ choices: {} }).errors).toHaveLength(1);
    expect(read({ choices: [{ delta: { content: 'a' } }] })).toEqual({ text: { 0: 'a' } });
    expect(read({ choices: [{ delta: {}, message: { content: 'a' } }] }).done).toBe(true);
  });

  it('that names a date to wait for and no clock is read by when it came, the same in every reading', () => {
    const tape: TapeEntry[] = [
      { at: 0, request: createRequest({}), requestId: 'r' },
      { at: 500, status: 429, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:02:00 GMT' } },
      { at: 600, body: 'slow down' },
      { at: 600, end: 'closed' },
    ];
    const readRetryAfterMs = (sentAt?: number) => {
      const errorEvent = tape.flatMap(createTapeReader(sentAt)).find((event) => event.type === 'error');
      return errorEvent?.report.retryAfterMs;
    };
    expect([readRetryAfterMs(10_000), readRetryAfterMs(10_000), readRetryAfterMs()]).toEqual([
      109_500,
      109_500,
      undefined,
    ]);
  });

  it('that was stopped while it came whole keeps its words and is not an error', () => {
    const outcome = collectOutcome(
      readEvents([
        { at: 0, request: createRequest({ isNonStreaming: true }), requestId: 'r' },
        { at: 1, status: 200, headers: {} },
        { at: 2, body: '{"choices":[{"message":{"content":"Hello wor', cut: true },
        { at: 3, end: 'aborted' },
      ]),
    );
    expect(outcome).toEqual({ text: { 0: 'Hello wor' }, notes: { 'cut-answer': 1 } } satisfies Outcome);
  });

  it('whose connection broke after its last byte is whole', () => {
    const outcome = collectOutcome(
      readEvents([
        { at: 0, status: 200, headers: {} },
        { at: 1, body: '{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}', cut: true },
        { at: 2, end: 'lost', error: { source: 'network', kind: 'connection-lost', message: 'gone' } },
      ]),
    );
    expect(outcome).toEqual({ text: { 0: 'Hello' }, ends: [[0, 'stop']], done: true } satisfies Outcome);
  });

  it('with an error status is an error even where the connection broke before its body', () => {
    const outcome = collectOutcome(
      readEvents([
        { at: 0, status: 500, headers: {} },
        { at: 1, end: 'lost', error: { source: 'network', kind: 'connection-lost', message: 'gone' } },
      ]),
    );
    expect(outcome.errors).toEqual([
      ['gateway', 'failed', 'The gateway returned status 500 without details.'],
    ]);
  });

  it('leaves every prototype alone', () => {
    for (const row of streamRows) readEvents(createTape(row, [toBytes(row.bytes)]));
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Object.keys(Array.prototype)).toEqual([]);
  });

  it('has 128 candidates at most, and notes what came beyond', () => {
    const choices = Array.from({ length: 130 }, () => ({ delta: { content: 'x' } }));
    const events = readEvents([
      { at: 0, data: JSON.stringify({ choices }) },
      { at: 0, end: 'closed' },
    ]);
    expect(events.filter(({ type }) => type === 'text-delta')).toHaveLength(128);
    expect(events.filter(({ type }) => type === 'note')).toHaveLength(1);
  });

  it('of any JSON never throws and never invents text', () => {
    const names = [
      'choices',
      'index',
      'delta',
      'message',
      'content',
      'tool_calls',
      'function',
      'arguments',
      'error',
      'usage',
      'reasoning',
      'type',
      'text',
      'detail',
      'object',
      '__proto__',
    ];
    const anything = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'medium' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('node'), { maxLength: 3 }),
        fc
          .array(fc.tuple(fc.constantFrom(...names), tie('node')), { maxLength: 5 })
          .map((entries) => Object.fromEntries(entries)),
      ),
    })).node;
    fc.assert(
      fc.property(anything, fc.constantFrom(undefined, 'error', 'other'), (value, event) => {
        const data = JSON.stringify(value) ?? 'null';
        const entries: TapeEntry[] = [
          { at: 0, data, ...(event === undefined ? {} : { event }) },
          { at: 0, body: data },
          { at: 0, end: 'closed' },
        ];
        const texts = readEvents(entries).flatMap((streamEvent) =>
          streamEvent.type === 'text-delta' ? [streamEvent.text] : [],
        );
        // The same word twice in a row may be two parts joined; what is said must stand in what came.
        for (const text of texts)
          for (const letter of text)
            expect(data.includes(letter) || data.includes(JSON.stringify(letter).slice(1, -1))).toBe(true);
      }),
      { numRuns: getCaseCount(2000) },
    );
  });

  it('of any bytes never throws and has at most one body', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }),
        fc.boolean(),
        (packets, isError) => {
          const decoder = createResponseDecoder({ isError, maxEventChars: 32 });
          const entries = [...packets.flatMap((packet) => decoder.push(packet, 0)), ...decoder.end(0, true)];
          readEvents([
            { at: 0, status: isError ? 500 : 200, headers: {} },
            ...entries,
            { at: 0, end: 'closed' },
          ]);
          expect(entries.filter((entry) => 'body' in entry).length).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
