import { describe, expect, it } from 'vitest';

import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createTraceList, traceEventsOf, type TraceEvent } from './trace-events.ts';
import { gapStatsOf } from './trace-gaps.ts';
import { layOutJson } from './trace-json.ts';
import { foldOf, rowOfEvent, traceRowsOf } from './trace-rows.ts';

const chunk = (delta: object, finish: string | null = null) =>
  JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] });

const textChunk = (content: string) => chunk({ content });
const finishChunk = () => chunk({}, 'stop');

const head: TapeEntry[] = [
  { at: 0, request: { model: 'm', messages: [], stream: true }, requestId: 'q' },
  { at: 5, status: 200, headers: { 'content-type': 'text/event-stream' } },
];

describe('the events of a tape', () => {
  it('are what came over the wire, each with its time, its gap, its kind and its words', () => {
    const tape: TapeEntry[] = [
      ...head,
      { at: 100, data: chunk({ role: 'assistant', content: '' }) },
      { at: 116, data: chunk({ reasoning_content: 'Hm' }) },
      { at: 130, comment: ' keep-alive' },
      { at: 150, data: textChunk('Hi ') },
      { at: 160, data: chunk({ content: 'you' }, 'stop') },
      {
        at: 170,
        data: chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }] }),
      },
      { at: 180, data: '{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}' },
      { at: 190, data: '{broken' },
      { at: 200, data: '{"choices":[{"index":0,"delta":{"strange":1}}]}' },
      { at: 210, data: '[DONE]' },
      { at: 211, end: 'closed' },
    ];
    const list = createTraceList();
    list.push(tape);
    const seen = list.events.map(({ number, entry, atMs, gapMs, kind, also, text }) => [
      number,
      entry,
      atMs,
      gapMs,
      kind,
      also,
      text,
    ]);
    expect(seen).toEqual([
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

  it('of a whole reply are one event, and of an error its words', () => {
    const whole = JSON.stringify({
      choices: [{ index: 0, message: { role: 'assistant', content: 'All' }, finish_reason: 'stop' }],
    });
    expect(traceEventsOf([...head, { at: 9, body: whole }])).toMatchObject([
      { kind: 'content', also: ['finish', 'end'], number: 1 },
    ]);
    expect(traceEventsOf([...head, { at: 9, data: '{"error":{"message":"Too many"}}' }])).toMatchObject([
      { kind: 'error', text: 'Too many' },
    ]);
  });

  it('are the same read at once or in pieces', () => {
    const tape: TapeEntry[] = [
      ...head,
      { at: 9, data: textChunk('a') },
      { at: 19, data: textChunk('b') },
      { at: 29, data: finishChunk() },
    ];
    const list = createTraceList();
    for (const entry of tape) list.push([entry]);
    expect(list.events).toEqual(traceEventsOf(tape));
  });
});

function eventsOf(...gaps: number[]): TraceEvent[] {
  let atMs = 0;
  return gaps.map((gapMs, index) => ({
    number: index + 1,
    entry: index,
    atMs: (atMs += gapMs),
    gapMs,
    kind: 'content',
    also: [],
    text: `w${index + 1} `,
  }));
}

describe('the rows of the list', () => {
  const events = eventsOf(10, 10, 10, 10, 10, 10, 400, 10, 10, 10, 10, 10, 10);

  it('fold runs of one kind, with slow events in sight', () => {
    const rows = traceRowsOf(events, { slowMs: 200, open: new Set() });
    expect(
      rows.map((row) =>
        row.type === 'event' ? row.event.number : `${row.first} to ${row.last} ${row.text}`,
      ),
    ).toEqual([1, '2 to 6 w2 w3 w4 w5 w6 ', 7, '8 to 13 w8 w9 w10 w11 w12 w13 ']);
    expect(foldOf(rows, 4)).toBe(2);
    expect(foldOf(rows, 7)).toBeUndefined();
    expect(rowOfEvent(rows, 7)).toBe(2);
    expect(rowOfEvent(rows, 4)).toBe(-1);
  });

  it('show what is in an open fold beneath it, and short runs as they are', () => {
    const rows = traceRowsOf(events, { slowMs: 200, open: new Set([2]) });
    expect(rows).toHaveLength(9);
    expect(rows.slice(1, 3)).toMatchObject([
      { type: 'fold', open: true },
      { type: 'event', inFold: 2 },
    ]);
    expect(traceRowsOf(eventsOf(1, 1, 1, 1), { slowMs: 200, open: new Set() })).toHaveLength(4);
  });

  it('of chosen kinds are all of them, unfolded', () => {
    const mixed = [
      ...events,
      {
        ...eventsOf(1)[0],
        number: 14,
        entry: 13,
        atMs: 600,
        gapMs: 1,
        kind: 'content' as const,
        also: ['finish' as const],
        text: '',
      },
    ];
    const rows = traceRowsOf(mixed, { slowMs: 200, open: new Set(), kinds: new Set(['finish'] as const) });
    expect(rows).toMatchObject([{ event: { number: 14 } }]);
  });
});

describe('the gaps', () => {
  it('are told by their median, by what nearly all stay under, and by the longest, in bins that hold them all', () => {
    const gaps = [900, ...Array.from({ length: 99 }, (_, index) => 14 + (index % 9)), 320];
    const stats = gapStatsOf(eventsOf(...gaps));
    expect(stats).toMatchObject({ medianMs: 18, nearlyAllMs: 22, longestMs: 320, beyond: 1, stallMs: 200 });
    expect((stats?.bins ?? []).reduce((sum, bin) => sum + bin.count, stats?.beyond ?? 0)).toBe(100);
  });

  it('need three events', () => {
    expect(gapStatsOf(eventsOf(5, 5))).toBeUndefined();
    expect(gapStatsOf(eventsOf(5, 0, 0, 0))?.bins).toHaveLength(1);
  });
});

describe('raw JSON laid out', () => {
  const shown = (raw: string) =>
    layOutJson(raw).lines.map(
      ({ depth, tokens }) => '  '.repeat(depth) + tokens.map(({ text }) => text).join(''),
    );

  it('keeps every literal unchanged', () => {
    expect(shown('{"a":1.50,"b":[1e400,"x\\u00e9",{}],"c":{"a":null},"a":12345678901234567890}')).toEqual([
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

  it('does not mark fields of the OpenAI format as unknown', () => {
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
    expect(layOutJson(JSON.stringify(chunk)).outside).toEqual([]);
  });

  it('shortens strings of base64', () => {
    expect(shown(JSON.stringify({ data: `data:image/png;base64,iVBORw0K${'A'.repeat(1_992)}==` }))[1]).toBe(
      '  "data": "data:image/png;base64,iVBORw0KAAAAAAAAAAAAAAAA… (2,002 characters of base64)"',
    );
  });

  it('points out the fields outside the specification, once and with their place', () => {
    const raw =
      '{"id":"c","x_groq":{"id":1},"choices":[{"index":0,"delta":{"reasoning_content":"a","tool_calls":[{"index":0,"function":{}}]},"logprobs":null},{"delta":{"reasoning_content":"b"}}],"usage":{"prompt_tokens":1,"completion_tokens_details":{"reasoning_tokens":1}}}';
    const { outside, lines } = layOutJson(raw);
    expect(outside).toEqual(['x_groq', 'choices[].delta.reasoning_content']);
    const marked = lines.flatMap(({ tokens }) =>
      tokens.filter(({ isOutside }) => isOutside).map(({ text }) => text),
    );
    expect(marked).toEqual(['"x_groq"', '"reasoning_content"', '"reasoning_content"']);
  });
});
