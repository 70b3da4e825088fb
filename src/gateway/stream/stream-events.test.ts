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

/** Converts the row to a tape without using a network. */
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

describe('events of an answer', () => {
  it.each(streamRows.map((row) => [row.name, row] as const))(
    'yields the same events for every split of the bytes: %s',
    async (_name, row) => {
      const bytes = toBytes(row.bytes);
      const tape = createTape(row, [bytes]);
      expect(collectOutcome(readEvents(tape))).toEqual(row.outcome);
      // Compared as text, since one matcher call for each of thousands of splits would be slow.
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

  it('begins with status, headers and request ID, and ends with the end of the transport', () => {
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

  it('reads an event without data as a keep-alive with its name', () => {
    expect(readEvents([{ at: 0, event: 'ping', data: ' ' }])).toEqual([
      { type: 'keep-alive', comment: 'ping' },
    ]);
    expect(readEvents([{ at: 0, data: '' }])).toEqual([{ type: 'keep-alive', comment: '' }]);
  });

  it('reads counts written as text only if they are digits', () => {
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

  it('reports only metadata that has changed', () => {
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
    // One note per field, however often the field changes.
    expect(events.flatMap((event) => (event.type === 'note' ? [event.detail] : []))).toEqual([
      'id a, then b',
      'model m, then n',
      'created 1, then 2',
    ]);
    expect(readEvents([createEntry({ model: 'm' })])).toStrictEqual([{ type: 'identity', model: 'm' }]);
  });

  it('keeps unreadable parts raw, each with a description', () => {
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
      // Opaque: kept with the message for the model that wrote it.
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

  it('reports only the new part of each piece of a call', () => {
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

  it('keeps a whole message after its pieces only if it differs from them', () => {
    // Most chunks are alike and are read without parsing.
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

  it('ignores text after the end marker, even in similar chunks', () => {
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

  it('keeps content after the end marker in one note, but reports errors and usage in it', () => {
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

  it('reports the first error, notes a second one, and never reads broken JSON as a message', () => {
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

  it('reads only the received part of an answer that was cut before or inside a value', () => {
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

  it('includes the sent size in the report of a request that was too large', () => {
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

  it('reports an answer without content as empty only if it ended properly', () => {
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

  it('accepts a whole response with choices in any shape, even empty ones', () => {
    const read = (body: object) => collectOutcome(readEvents([{ at: 0, body: JSON.stringify(body) }]));
    expect(read({ choices: [] })).toEqual({ done: true });
    expect(read({ choices: { 0: { message: { content: 'a' } } } })).toEqual({ text: { 0: 'a' }, done: true });
    expect(read({ choices: {} }).errors).toHaveLength(1);
    expect(read({ choices: [{ delta: { content: 'a' } }] })).toEqual({ text: { 0: 'a' } });
    expect(read({ choices: [{ delta: {}, message: { content: 'a' } }] }).done).toBe(true);
  });

  it('resolves a retry date by the arrival time if there is no Date header, the same in every reading', () => {
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

  it('keeps the text of a whole response that was stopped, without an error', () => {
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

  it('treats a response as whole if the connection broke after its last byte', () => {
    const outcome = collectOutcome(
      readEvents([
        { at: 0, status: 200, headers: {} },
        { at: 1, body: '{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}', cut: true },
        { at: 2, end: 'lost', error: { source: 'network', kind: 'connection-lost', message: 'gone' } },
      ]),
    );
    expect(outcome).toEqual({ text: { 0: 'Hello' }, ends: [[0, 'stop']], done: true } satisfies Outcome);
  });

  it('reports an error status even if the connection broke before its body', () => {
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

  it('leaves every prototype unchanged', () => {
    for (const row of streamRows) readEvents(createTape(row, [toBytes(row.bytes)]));
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Object.keys(Array.prototype)).toEqual([]);
  });

  it('reads at most 128 candidates and notes all others', () => {
    const choices = Array.from({ length: 130 }, () => ({ delta: { content: 'x' } }));
    const events = readEvents([
      { at: 0, data: JSON.stringify({ choices }) },
      { at: 0, end: 'closed' },
    ]);
    expect(events.filter(({ type }) => type === 'text-delta')).toHaveLength(128);
    expect(events.filter(({ type }) => type === 'note')).toHaveLength(1);
  });

  it('never throws and never invents text for any JSON', () => {
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
        // A repeated word may consist of two joined parts, so each character is compared with what arrived.
        const inventedLetters = Array.from(texts.join('')).filter(
          (letter) => !data.includes(letter) && !data.includes(JSON.stringify(letter).slice(1, -1)),
        );
        expect(inventedLetters).toEqual([]);
      }),
      { numRuns: getCaseCount(2000) },
    );
  });

  it('never throws and yields at most one body for any bytes', () => {
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
