import { describe, expect, it } from 'vitest';

import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createTraceList, buildTraceEvents, findInitialEvent, type TraceEvent } from './trace-events.ts';
import { computeGapStats } from './trace-gaps.ts';
import { formatTraceJson } from './trace-json.ts';
import { findCollapsedGroup, findEventRowIndex, buildTraceRows } from './trace-rows.ts';

const createChunkText = (delta: object, finish: string | null = null) =>
  JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] });

const createTextChunk = (content: string) => createChunkText({ content });
const createFinishChunk = () => createChunkText({}, 'stop');

const headEntries: TapeEntry[] = [
  { at: 0, request: { model: 'm', messages: [], stream: true }, requestId: 'q' },
  { at: 5, status: 200, headers: { 'content-type': 'text/event-stream' } },
];

describe('event shown first', () => {
  const errorEntry: TapeEntry = { at: 20, data: '{"error":{"message":"broken"}}' };
  const textEntry: TapeEntry = { at: 10, data: createTextChunk('Hi') };

  it.each([
    ['failed', [textEntry, errorEntry, textEntry], 2],
    ['truncated', [textEntry, textEntry, textEntry], 3],
    ['complete', [textEntry, textEntry], 1],
  ] as const)('of an answer that is %s', (name, entries, number) => {
    const events = buildTraceEvents([...headEntries, ...entries]);
    expect(findInitialEvent(events, { phase: { name } })?.number).toBe(number);
  });
});

describe('trace events', () => {
  it('lists each received item with time, gap, kind and text', () => {
    const tape: TapeEntry[] = [
      ...headEntries,
      { at: 100, data: createChunkText({ role: 'assistant', content: '' }) },
      { at: 116, data: createChunkText({ reasoning_content: 'Hm' }) },
      { at: 130, comment: ' keep-alive' },
      { at: 150, data: createTextChunk('Hi ') },
      { at: 160, data: createChunkText({ content: 'you' }, 'stop') },
      {
        at: 170,
        data: createChunkText({
          tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }],
        }),
      },
      { at: 180, data: '{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}' },
      { at: 190, data: '{broken' },
      { at: 200, data: '{"choices":[{"index":0,"delta":{"strange":1}}]}' },
      { at: 210, data: '[DONE]' },
      { at: 211, end: 'closed' },
    ];
    const list = createTraceList();
    list.push(tape);
    const rows = list.events.map(({ number, entryIndex, atMs, gapMs, kind, extraKinds, text }) => [
      number,
      entryIndex,
      atMs,
      gapMs,
      kind,
      extraKinds,
      text,
    ]);
    expect(rows).toEqual([
      [1, 2, 100, 100, 'role', [], 'assistant'],
      [2, 3, 116, 16, 'reasoning', [], 'Hm'],
      [3, 4, 130, 14, 'comment', [], ' keep-alive'],
      [4, 5, 150, 20, 'content', [], 'Hi '],
      [5, 6, 160, 10, 'content', ['finish'], 'you finish_reason "stop"'],
      [6, 7, 170, 10, 'tool call', [], 'f {}'],
      [7, 8, 180, 10, 'usage', [], '3 in, 4 out'],
      [8, 9, 190, 10, 'other', [], '{broken'],
      [9, 10, 200, 10, 'other', [], 'delta with strange'],
      [10, 11, 210, 10, 'end', [], '[DONE]'],
    ]);
    expect(list.end).toEqual({ at: 211, end: 'closed' });
  });

  it('returns one event for a complete response, and the message of an error', () => {
    const wholeReply = JSON.stringify({
      choices: [{ index: 0, message: { role: 'assistant', content: 'All' }, finish_reason: 'stop' }],
    });
    expect(buildTraceEvents([...headEntries, { at: 9, body: wholeReply }])).toMatchObject([
      { kind: 'content', extraKinds: ['finish', 'end'], number: 1 },
    ]);
    expect(
      buildTraceEvents([...headEntries, { at: 9, data: '{"error":{"message":"Too many"}}' }]),
    ).toMatchObject([{ kind: 'error', text: 'Too many' }]);
  });

  it('gives the same events for a tape read as a whole or in parts', () => {
    const tape: TapeEntry[] = [
      ...headEntries,
      { at: 9, data: createTextChunk('a') },
      { at: 19, data: createTextChunk('b') },
      { at: 29, data: createFinishChunk() },
    ];
    const list = createTraceList();
    for (const entry of tape) list.push([entry]);
    expect(list.events).toEqual(buildTraceEvents(tape));
  });
});

function createEvents(...gaps: number[]): TraceEvent[] {
  let atMs = 0;
  return gaps.map((gapMs, index) => ({
    number: index + 1,
    entryIndex: index,
    atMs: (atMs += gapMs),
    gapMs,
    kind: 'content',
    extraKinds: [],
    text: `w${index + 1} `,
  }));
}

describe('trace rows', () => {
  const events = createEvents(10, 10, 10, 10, 10, 10, 400, 10, 10, 10, 10, 10, 10);

  it('collapses runs of events of one kind but keeps slow events visible', () => {
    const rows = buildTraceRows(events, { slowMs: 200, expandedGroups: new Set() });
    expect(
      rows.map((row) =>
        row.type === 'event' ? row.event.number : `${row.firstNumber} to ${row.lastNumber} ${row.text}`,
      ),
    ).toEqual([1, '2 to 6 w2 w3 w4 w5 w6 ', 7, '8 to 13 w8 w9 w10 w11 w12 w13 ']);
    expect(findCollapsedGroup(rows, 4)).toBe(2);
    expect(findCollapsedGroup(rows, 7)).toBeUndefined();
    expect(findEventRowIndex(rows, 7)).toBe(2);
    expect(findEventRowIndex(rows, 4)).toBe(-1);
  });

  it('shows the events of an expanded group and never collapses short runs', () => {
    const rows = buildTraceRows(events, { slowMs: 200, expandedGroups: new Set([2]) });
    expect(rows).toHaveLength(9);
    expect(rows.slice(1, 3)).toMatchObject([
      { type: 'group', isExpanded: true },
      { type: 'event', groupNumber: 2 },
    ]);
    expect(buildTraceRows(createEvents(1, 1, 1, 1), { slowMs: 200, expandedGroups: new Set() })).toHaveLength(
      4,
    );
  });

  it('shows all events of the selected kinds uncollapsed', () => {
    const mixed = [
      ...events,
      {
        ...createEvents(1)[0],
        number: 14,
        entryIndex: 13,
        atMs: 600,
        gapMs: 1,
        kind: 'content' as const,
        extraKinds: ['finish' as const],
        text: '',
      },
    ];
    const rows = buildTraceRows(mixed, {
      slowMs: 200,
      expandedGroups: new Set(),
      kinds: new Set(['finish'] as const),
    });
    expect(rows).toMatchObject([{ event: { number: 14 } }]);
  });
});

describe('gap statistics', () => {
  it('computes median, 95th percentile, maximum and a histogram with overflow', () => {
    const gaps = [900, ...Array.from({ length: 99 }, (_, index) => 14 + (index % 9)), 320];
    const stats = computeGapStats(createEvents(...gaps));
    expect(stats).toMatchObject({
      medianMs: 18,
      p95Ms: 22,
      maxMs: 320,
      overflowCount: 1,
      stallThresholdMs: 200,
    });
    expect((stats?.bins ?? []).reduce((sum, bin) => sum + bin.count, stats?.overflowCount ?? 0)).toBe(100);
  });

  it('returns undefined for fewer than three events', () => {
    expect(computeGapStats(createEvents(5, 5))).toBeUndefined();
    expect(computeGapStats(createEvents(5, 0, 0, 0))?.bins).toHaveLength(1);
  });
});

describe('formatted trace JSON', () => {
  const formatLines = (raw: string) =>
    formatTraceJson(raw).lines.map(
      ({ depth, tokens }) => '  '.repeat(depth) + tokens.map(({ text }) => text).join(''),
    );

  it('keeps every literal unchanged', () => {
    expect(
      formatLines('{"a":1.50,"b":[1e400,"x\\u00e9",{}],"c":{"a":null},"a":12345678901234567890}'),
    ).toEqual([
      '{',
      '  "a": 1.50,',
      '  "b": [',
      '    1e400,',
      '    "x\\u00e9",',
      '    {}',
      '  ],',
      '  "c": {',
      '    "a": null',
      '  },',
      '  "a": 12345678901234567890',
      '}',
    ]);
  });

  it('accepts fields of the OpenAI format as known', () => {
    const chunk = {
      id: 'c',
      created: 1,
      system_fingerprint: 'fp',
      service_tier: 'default',
      obfuscation: 'x1',
      choices: [
        {
          index: 0,
          delta: { role: 'assistant', content: 'a', refusal: null, annotations: [{ type: 'url_citation' }] },
          logprobs: { content: [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [] }], refusal: null },
          finish_reason: null,
        },
      ],
      usage: { prompt_tokens_details: { cached_tokens: 1 }, completion_tokens_details: { audio_tokens: 0 } },
      error: { param: null },
    };
    expect(formatTraceJson(JSON.stringify(chunk)).unknownPaths).toEqual([]);
  });

  it('shortens base64 strings', () => {
    expect(
      formatLines(JSON.stringify({ data: `data:image/png;base64,iVBORw0K${'A'.repeat(1_992)}==` }))[1],
    ).toBe('  "data": "data:image/png;base64,iVBORw0KAAAAAAAAAAAAAAAA… (2,002 base64 characters)"');
  });

  it('lists unknown fields once, with their paths', () => {
    const raw =
      '{"id":"c","x_groq":{"id":1},"choices":[{"index":0,"delta":{"reasoning_content":"a","tool_calls":[{"index":0,"function":{}}]},"logprobs":null},{"delta":{"reasoning_content":"b"}}],"usage":{"prompt_tokens":1,"completion_tokens_details":{"reasoning_tokens":1}}}';
    const { unknownPaths, lines } = formatTraceJson(raw);
    expect(unknownPaths).toEqual(['x_groq', 'choices[].delta.reasoning_content']);
    const unknownFields = lines.flatMap(({ tokens }) =>
      tokens.filter(({ isUnknownField }) => isUnknownField).map(({ text }) => text),
    );
    expect(unknownFields).toEqual(['"x_groq"', '"reasoning_content"', '"reasoning_content"']);
  });
});
