import { describe, expect, it } from 'vitest';

import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { RuleName, RuleResult } from './conformance-finding.ts';
import { checkConformance } from './conformance.ts';

const requestId = 'bench-1';
const chunkHead = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'north/one',
};
const usage = { prompt_tokens: 9, completion_tokens: 12, total_tokens: 21 };

interface Fixture {
  request: JsonObject;
  headers: Record<string, string>;
  chunks: JsonObject[];
  /** Gap between chunks in ms. */
  gapMs: number;
  sendsDone: boolean;
  end: 'closed' | 'aborted' | 'lost' | 'timeout';
}

const createChoiceChunk = (delta: JsonObject, finishReason: string | null = null, index = 0): JsonObject => ({
  ...chunkHead,
  choices: [{ index, delta, finish_reason: finishReason }],
});

function createCleanFixture(): Fixture {
  return {
    request: { stream: true, max_tokens: 40, stop: ['END'], n: 1 },
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': requestId },
    chunks: [
      createChoiceChunk({ role: 'assistant', content: '' }),
      ...['One', ' two', ' three', ' four', ' five', ' six', ' seven', ' eight', ' nine', ' ten', '.'].map(
        (text) => createChoiceChunk({ content: text }),
      ),
      createChoiceChunk({}, 'stop'),
      { ...chunkHead, choices: [], usage },
    ],
    gapMs: 20,
    sendsDone: true,
    end: 'closed',
  };
}

function createRequest(fields: JsonObject): ChatRequest {
  return { model: 'north/one', messages: [{ role: 'user', content: 'Count' }], ...fields };
}

function buildTape(fixture: Fixture): TapeEntry[] {
  let at = 400;
  const events: TapeEntry[] = fixture.chunks.map((chunk) => ({
    at: (at += fixture.gapMs),
    data: JSON.stringify(chunk),
  }));
  return [
    { at: 0, request: createRequest(fixture.request), requestId },
    { at: 300, status: 200, headers: fixture.headers, proxied: true },
    ...events,
    ...(fixture.sendsDone ? [{ at, data: '[DONE]' }] : []),
    { at, end: fixture.end },
  ];
}

function getVerdicts(tape: readonly TapeEntry[]): Map<RuleName, RuleResult> {
  return new Map(checkConformance(tape).map((finding) => [finding.rule, finding.verdict]));
}

/** Returns the rules whose result differs from that of the clean response. */
function findChangedVerdicts(
  tape: readonly TapeEntry[],
  baseline: readonly TapeEntry[] = buildTape(createCleanFixture()),
): string[] {
  const [before, after] = [getVerdicts(baseline), getVerdicts(tape)];
  const rules = new Set([...before.keys(), ...after.keys()]);
  return [...rules]
    .filter((rule) => before.get(rule) !== after.get(rule))
    .map((rule) => `${rule} ${after.get(rule) ?? 'gone'}`);
}

const findFaults = (tape: readonly TapeEntry[]) =>
  checkConformance(tape).filter((finding) => finding.verdict === 'fault');

function buildTapeWith(change: (fixture: Fixture) => void): TapeEntry[] {
  const fixture = createCleanFixture();
  change(fixture);
  return buildTape(fixture);
}

/** Returns the tape with the data of one event replaced. */
function buildTapeWithData(
  index: number,
  replace: (entry: { at: number; data: string }) => TapeEntry,
): TapeEntry[] {
  let dataIndex = -1;
  return buildTape(createCleanFixture()).map((entry) => {
    if (!('data' in entry)) return entry;
    dataIndex += 1;
    return dataIndex === index ? replace(entry) : entry;
  });
}

describe('a stream that follows the specification', () => {
  it('passes every rule for a stream that follows the specification, except for a note about the end marker', () => {
    const findings = checkConformance(buildTape(createCleanFixture()));
    expect(
      findings.filter(({ verdict }) => verdict !== 'pass').map(({ rule, verdict }) => [rule, verdict]),
    ).toEqual([['end', 'note']]);
    expect(findings.map(({ rule }) => rule)).toEqual([
      'content-type',
      'delivery',
      'framing',
      'object',
      'identity',
      'fields',
      'role',
      'finish-reason',
      'usage',
      'end',
      'buffering',
      'other-fields',
      'n',
      'stop',
      'max_tokens',
      'request-id',
    ]);
  });

  it('cites a section in every finding', () => {
    for (const finding of checkConformance(buildTape(createCleanFixture())))
      expect(finding.section).toMatch(/^§[2-7](\.\d)?$/);
  });
});

describe('a broken stream', () => {
  it('reports only the rule that the stream breaks', () => {
    const rows: [string, TapeEntry[]][] = [
      ['content-type fault', buildTapeWith((f) => void (f.headers['content-type'] = 'text/plain'))],
      ['content-type fault', buildTapeWith((f) => void delete f.headers['content-type'])],
      ['delivery fault', buildTapeWith((f) => void (f.request['stream'] = false))],
      ['framing fault', buildTapeWithData(3, (entry) => ({ ...entry, data: '{"id": oops' }))],
      [
        'framing fault',
        buildTapeWithData(3, ({ at, data }) => ({
          at,
          data: `${data}\n${JSON.stringify(createChoiceChunk({ content: 'x' }))}`,
        })),
      ],
      ['framing fault', buildTapeWithData(13, (entry) => ({ ...entry, unterminated: true }))],
      [
        'object fault',
        buildTapeWith(
          (f) => void (f.chunks[4] = { ...createChoiceChunk({ content: ' x' }), object: 'text_completion' }),
        ),
      ],
      [
        'identity fault',
        buildTapeWith(
          (f) => void (f.chunks[4] = { ...createChoiceChunk({ content: ' x' }), id: 'chatcmpl-2' }),
        ),
      ],
      [
        'identity fault',
        buildTapeWith(
          (f) => void (f.chunks[4] = { ...createChoiceChunk({ content: ' x' }), model: 'north/two' }),
        ),
      ],
      [
        'fields fault',
        buildTapeWith(
          (f) => void (f.chunks[4] = { ...createChoiceChunk({ content: ' x' }), created: '1700000000' }),
        ),
      ],
      ['fields fault', buildTapeWith((f) => void (f.chunks[4] = createChoiceChunk({ content: 12 })))],
      [
        'role fault',
        buildTapeWith((f) => void (f.chunks[0] = createChoiceChunk({ role: 'model', content: '' }))),
      ],
      ['finish-reason fault', buildTapeWith((f) => void (f.chunks[12] = createChoiceChunk({})))],
      [
        'finish-reason fault',
        buildTapeWith((f) => void (f.chunks[11] = createChoiceChunk({ content: '.' }, 'stop'))),
      ],
      [
        'finish-reason fault',
        buildTapeWith((f) => f.chunks.splice(13, 0, createChoiceChunk({ content: ' more' }))),
      ],
      [
        'finish-reason fault',
        buildTapeWith((f) => void (f.chunks[4] = createChoiceChunk({ content: ' x' }, ''))),
      ],
      [
        'usage fault',
        buildTapeWith(
          (f) => void (f.chunks[13] = { ...chunkHead, choices: [], usage: { ...usage, total_tokens: '21' } }),
        ),
      ],
      ['tool-calls fault', buildTapeWith((f) => void (f.chunks[12] = createChoiceChunk({}, 'tool_calls')))],
      ['n fault', buildTapeWith((f) => void (f.request['n'] = 3))],
      ['stop fault', buildTapeWith((f) => void (f.request['stop'] = ' five'))],
      ['max_tokens fault', buildTapeWith((f) => void (f.request['max_tokens'] = 5))],
      [
        'response_format fault',
        buildTapeWith((f) => void (f.request['response_format'] = { type: 'json_object' })),
      ],
      ['buffering note', buildTapeWith((f) => void (f.gapMs = 0))],
    ];
    expect(rows.map(([, tape]) => findChangedVerdicts(tape))).toEqual(rows.map(([expected]) => [expected]));
  });

  it('returns the index of the tape entry with the fault', () => {
    const tape = buildTapeWithData(3, (entry) => ({ ...entry, data: 'oops' }));
    const [fault] = findFaults(tape);
    expect(tape[fault?.entryIndex ?? -1]).toMatchObject({ data: 'oops' });
  });
});

describe('streams with unspecified details', () => {
  const reasoningChunk = {
    ...chunkHead,
    system_fingerprint: 'fp_1',
    choices: [{ index: 0, delta: { reasoning_content: 'Hm' }, finish_reason: null, logprobs: null }],
  };
  it.each<[string, TapeEntry[]]>([
    ['no end marker', buildTapeWith((f) => void (f.sendsDone = false))],
    [
      'an event after the end marker',
      [...buildTape(createCleanFixture()).slice(0, -1), { at: 900, data: '{}' }, { at: 901, end: 'closed' }],
    ],
    [
      'chunks with empty choices in the middle',
      buildTapeWith((f) => f.chunks.splice(5, 0, { ...chunkHead, choices: [] })),
    ],
    ['a delta without content', buildTapeWith((f) => f.chunks.splice(5, 0, createChoiceChunk({})))],
    ['null content', buildTapeWith((f) => f.chunks.splice(5, 0, createChoiceChunk({ content: null })))],
    [
      'no finish_reason key before the end',
      buildTapeWith(
        (f) => void (f.chunks[4] = { ...chunkHead, choices: [{ index: 0, delta: { content: 'x' } }] }),
      ),
    ],
    ['provider metadata', buildTapeWith((f) => f.chunks.splice(5, 0, reasoningChunk))],
    [
      'a provider-specific finish reason',
      buildTapeWith((f) => void (f.chunks[12] = createChoiceChunk({}, 'eos'))),
    ],
    ['no usage', buildTapeWith((f) => void f.chunks.pop())],
    [
      'usage in the final chunk',
      buildTapeWith((f) => f.chunks.splice(12, 2, { ...createChoiceChunk({}, 'stop'), usage })),
    ],
    [
      'usage in every chunk',
      buildTapeWith((f) => void (f.chunks = f.chunks.map((chunk) => ({ ...chunk, usage })))),
    ],
    [
      'null usage in every chunk but the last',
      buildTapeWith((f) => void (f.chunks = f.chunks.map((chunk) => ({ usage: null, ...chunk })))),
    ],
    ['no role in any chunk', buildTapeWith((f) => void (f.chunks[0] = createChoiceChunk({ content: '' })))],
    [
      'the role in every chunk',
      buildTapeWith(
        (f) =>
          void (f.chunks = f.chunks.map((_, i) =>
            i < 12 ? createChoiceChunk({ role: 'assistant', content: `${i}` }) : (f.chunks[i] ?? {}),
          )),
      ),
    ],
    [
      'a different model name',
      buildTapeWith(
        (f) => void (f.chunks = f.chunks.map((chunk) => ({ ...chunk, model: 'north/one-2026' }))),
      ),
    ],
    ['named events', buildTapeWithData(3, (entry) => ({ ...entry, event: 'message' }))],
    [
      'comments between events',
      [
        ...buildTape(createCleanFixture()).slice(0, 5),
        { at: 420, comment: 'ping' },
        ...buildTape(createCleanFixture()).slice(5),
      ],
    ],
    ['no request ID', buildTapeWith((f) => void delete f.headers['x-request-id'])],
    [
      'a request for thinking that the model ignores',
      buildTapeWith((f) => void (f.request['enable_thinking'] = true)),
    ],
    [
      'more reasoning than the budget',
      buildTapeWith((f) => {
        f.request['thinking_budget'] = 128;
        f.chunks[13] = {
          ...chunkHead,
          choices: [],
          usage: { ...usage, completion_tokens_details: { reasoning_tokens: 500 } },
        };
      }),
    ],
    [
      'an answer that violates the requested schema',
      buildTapeWith((f) => void (f.request['response_format'] = { type: 'json_schema' })),
    ],
    [
      'truncated JSON',
      buildTapeWith((f) => {
        f.request['response_format'] = { type: 'json_object' };
        f.chunks[12] = createChoiceChunk({}, 'length');
      }),
    ],
    [
      'a stream stopped by the user',
      buildTapeWith((f) => {
        f.chunks.splice(6);
        f.sendsDone = false;
        f.end = 'aborted';
      }),
    ],
    [
      'a lost connection',
      buildTapeWith((f) => {
        f.chunks.splice(6);
        f.sendsDone = false;
        f.end = 'lost';
      }),
    ],
    [
      'an error inside the stream',
      buildTapeWith((f) => {
        f.chunks.splice(6);
        f.chunks.push({ error: { message: 'overloaded' } });
        f.sendsDone = false;
      }),
    ],
    [
      'tool calls with unusual indexes and no IDs',
      buildTapeWith((f) => {
        f.chunks[5] = createChoiceChunk({
          tool_calls: [{ index: 3, function: { name: 'f', arguments: '{' } }],
        });
        f.chunks[12] = createChoiceChunk({}, 'tool_calls');
      }),
    ],
  ])('finds no fault in a stream with %s', (_name, tape) => {
    expect(checkConformance(tape).length).toBeGreaterThan(5);
    expect(findFaults(tape)).toEqual([]);
  });

  it('accepts interleaved candidates with separate finish reasons', () => {
    const tape = buildTapeWith((f) => {
      f.request['n'] = 2;
      f.chunks = [0, 1].flatMap((index) => [
        createChoiceChunk({ role: 'assistant' }, null, index),
        createChoiceChunk({ content: 'a' }, null, index),
      ]);
      f.chunks.push(
        createChoiceChunk({ content: 'b' }, null, 0),
        createChoiceChunk({}, 'stop', 0),
        createChoiceChunk({ content: 'c' }, null, 1),
        createChoiceChunk({}, 'length', 1),
      );
    });
    expect(findFaults(tape)).toEqual([]);
    expect(getVerdicts(tape).get('n')).toBe('pass');
  });
});

const completeBody: JsonObject = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'north/one',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Ten.' }, finish_reason: 'stop' }],
  usage,
};

function buildBodyTape(body: JsonObject | string, status = 200, request: JsonObject = {}): TapeEntry[] {
  return [
    { at: 0, request: createRequest(request), requestId },
    {
      at: 5,
      status,
      headers: { 'content-type': 'application/json', 'x-request-id': requestId },
      proxied: true,
    },
    { at: 6, body: typeof body === 'string' ? body : JSON.stringify(body) },
    { at: 6, end: 'closed' },
  ];
}

describe('a complete response', () => {
  it('passes every rule for a complete response', () => {
    const findings = checkConformance(buildBodyTape(completeBody));
    expect(findings.map(({ verdict }) => verdict)).toEqual(findings.map(() => 'pass'));
    expect(findings.length).toBeGreaterThan(7);
  });

  const createBody = (message: JsonObject, finishReason: string | null = 'stop'): JsonObject => ({
    ...completeBody,
    choices: [{ index: 0, message, finish_reason: finishReason }],
  });
  const { usage: _, ...withoutUsage } = completeBody;

  it('reports only the rule that the complete response breaks', () => {
    const rows: [string, TapeEntry[]][] = [
      ['object fault', buildBodyTape({ ...completeBody, object: 'chat.completion.chunk' })],
      ['identity note', buildBodyTape({ ...completeBody, model: 'north/other' })],
      ['fields fault', buildBodyTape({ ...completeBody, id: 7 })],
      ['fields fault', buildBodyTape(createBody({ role: 'user', content: 'Ten.' }))],
      ['fields fault', buildBodyTape(createBody({ role: 'assistant', content: null }))],
      ['finish-reason fault', buildBodyTape(createBody({ role: 'assistant', content: 'Ten.' }, null))],
      ['finish-reason note', buildBodyTape(createBody({ role: 'assistant', content: 'Ten.' }, 'eos'))],
      ['usage fault', buildBodyTape(withoutUsage)],
      ['usage fault', buildBodyTape({ ...completeBody, usage: { prompt_tokens: 1 } })],
      ['other-fields note', buildBodyTape({ ...completeBody, provider: 'x' })],
      ['delivery fault', buildBodyTape(completeBody, 200, { stream: true })],
    ];
    expect(rows.map(([, tape]) => findChangedVerdicts(tape, buildBodyTape(completeBody)))).toEqual(
      rows.map(([expected]) => [expected]),
    );
  });

  it("makes no remark on other fields of OpenAI's format", () => {
    const message = { role: 'assistant', content: 'Ten.', refusal: null, annotations: [], audio: null };
    const body = {
      ...completeBody,
      system_fingerprint: 'fp_1',
      service_tier: 'default',
      choices: [{ index: 0, message, logprobs: { content: [], refusal: null }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 9,
        completion_tokens: 1,
        total_tokens: 10,
        prompt_tokens_details: { cached_tokens: 1 },
      },
    };
    expect(findChangedVerdicts(buildBodyTape(body), buildBodyTape(completeBody))).toEqual([]);
  });

  it('reports a delivery fault if the body is not an answer', () => {
    for (const body of ['', '<html></html>', '[]'])
      expect(findFaults(buildBodyTape(body)).map(({ rule }) => rule)).toEqual(['delivery']);
  });
});

describe('an error response', () => {
  const createErrorBody = (type: string, code: string | number): JsonObject => ({
    error: { message: 'No.', type, code },
  });
  it('requires the error of §5.4 for a rejected key', () => {
    expect(findFaults(buildBodyTape(createErrorBody('invalid_api_key', '401'), 401))).toEqual([]);
    expect(findFaults(buildBodyTape(createErrorBody('authentication_error', '401'), 401))).toMatchObject([
      { rule: 'error-shape', section: '§5.4' },
    ]);
    expect(findFaults(buildBodyTape({ detail: 'no' }, 401))).toMatchObject([
      { rule: 'error-shape', section: '§5.4' },
    ]);
  });

  it('reports the shape of other errors as a note, because they may come from a provider', () => {
    expect(getVerdicts(buildBodyTape(createErrorBody('overloaded', '503'), 503)).get('error-shape')).toBe(
      'pass',
    );
    for (const body of [createErrorBody('overloaded', 503), { detail: 'no' }, 'Bad gateway']) {
      expect(getVerdicts(buildBodyTape(body, 503)).get('error-shape')).toBe('note');
    }
  });

  it('returns no findings for errors from the Bench server', () => {
    const tape = buildBodyTape(createErrorBody('gateway_unreachable', '502'), 502).map((entry): TapeEntry => {
      return 'status' in entry ? { at: entry.at, status: entry.status, headers: entry.headers } : entry;
    });
    expect(checkConformance(tape)).toEqual([]);
  });
});
