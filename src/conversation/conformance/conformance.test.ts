import { describe, expect, it } from 'vitest';

import type { TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { RuleName, Verdict } from './conformance-finding.ts';
import { conformanceOf } from './conformance.ts';

const requestId = 'bench-1';
const head = {
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
  /** Milliseconds between chunks. */
  gapMs: number;
  done: boolean;
  end: 'closed' | 'aborted' | 'lost' | 'timeout';
}

const choice = (delta: JsonObject, finish: string | null = null, index = 0): JsonObject => ({
  ...head,
  choices: [{ index, delta, finish_reason: finish }],
});

function clean(): Fixture {
  return {
    request: { stream: true, max_tokens: 40, stop: ['END'], n: 1 },
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': requestId },
    chunks: [
      choice({ role: 'assistant', content: '' }),
      ...['One', ' two', ' three', ' four', ' five', ' six', ' seven', ' eight', ' nine', ' ten', '.'].map(
        (text) => choice({ content: text }),
      ),
      choice({}, 'stop'),
      { ...head, choices: [], usage },
    ],
    gapMs: 20,
    done: true,
    end: 'closed',
  };
}

function requestOf(fields: JsonObject): ChatRequest {
  return { model: 'north/one', messages: [{ role: 'user', content: 'Count' }], ...fields };
}

function tapeOf(fixture: Fixture): TapeEntry[] {
  let at = 400;
  const events: TapeEntry[] = fixture.chunks.map((chunk) => ({
    at: (at += fixture.gapMs),
    data: JSON.stringify(chunk),
  }));
  return [
    { at: 0, request: requestOf(fixture.request), requestId },
    { at: 300, status: 200, headers: fixture.headers, proxied: true },
    ...events,
    ...(fixture.done ? [{ at, data: '[DONE]' }] : []),
    { at, end: fixture.end },
  ];
}

function verdictsOf(tape: readonly TapeEntry[]): Map<RuleName, Verdict> {
  return new Map(conformanceOf(tape).map((finding) => [finding.rule, finding.verdict]));
}

/** The rules whose verdict is not that of the clean answer. */
function changed(tape: readonly TapeEntry[], against: readonly TapeEntry[] = tapeOf(clean())): string[] {
  const [before, after] = [verdictsOf(against), verdictsOf(tape)];
  const rules = new Set([...before.keys(), ...after.keys()]);
  return [...rules]
    .filter((rule) => before.get(rule) !== after.get(rule))
    .map((rule) => `${rule} ${after.get(rule) ?? 'gone'}`);
}

const faults = (tape: readonly TapeEntry[]) =>
  conformanceOf(tape).filter((finding) => finding.verdict === 'fault');

function with_(change: (fixture: Fixture) => void): TapeEntry[] {
  const fixture = clean();
  change(fixture);
  return tapeOf(fixture);
}

/** The tape with the data of one event exchanged. */
function withData(index: number, exchange: (entry: { at: number; data: string }) => TapeEntry): TapeEntry[] {
  let seen = -1;
  return tapeOf(clean()).map((entry) => {
    if (!('data' in entry)) return entry;
    seen += 1;
    return seen === index ? exchange(entry) : entry;
  });
}

describe('a stream as the specification has it', () => {
  it('passes every rule, and says of the end marker only that it was seen', () => {
    const findings = conformanceOf(tapeOf(clean()));
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

  it('cites a section at every rule', () => {
    for (const finding of conformanceOf(tapeOf(clean()))) expect(finding.section).toMatch(/^§[2-7](\.\d)?$/);
  });
});

describe('a broken stream', () => {
  it('is told by exactly the rule it breaks', () => {
    const rows: [string, TapeEntry[]][] = [
      ['content-type fault', with_((f) => void (f.headers['content-type'] = 'text/plain'))],
      ['content-type fault', with_((f) => void delete f.headers['content-type'])],
      ['delivery fault', with_((f) => void (f.request['stream'] = false))],
      ['framing fault', withData(3, (entry) => ({ ...entry, data: '{"id": oops' }))],
      [
        'framing fault',
        withData(3, ({ at, data }) => ({ at, data: `${data}\n${JSON.stringify(choice({ content: 'x' }))}` })),
      ],
      ['framing fault', withData(13, (entry) => ({ ...entry, unterminated: true }))],
      [
        'object fault',
        with_((f) => void (f.chunks[4] = { ...choice({ content: ' x' }), object: 'text_completion' })),
      ],
      [
        'identity fault',
        with_((f) => void (f.chunks[4] = { ...choice({ content: ' x' }), id: 'chatcmpl-2' })),
      ],
      [
        'identity fault',
        with_((f) => void (f.chunks[4] = { ...choice({ content: ' x' }), model: 'north/two' })),
      ],
      [
        'fields fault',
        with_((f) => void (f.chunks[4] = { ...choice({ content: ' x' }), created: '1700000000' })),
      ],
      ['fields fault', with_((f) => void (f.chunks[4] = choice({ content: 12 })))],
      ['role fault', with_((f) => void (f.chunks[0] = choice({ role: 'model', content: '' })))],
      ['finish-reason fault', with_((f) => void (f.chunks[12] = choice({})))],
      ['finish-reason fault', with_((f) => void (f.chunks[11] = choice({ content: '.' }, 'stop')))],
      ['finish-reason fault', with_((f) => f.chunks.splice(13, 0, choice({ content: ' more' })))],
      ['finish-reason fault', with_((f) => void (f.chunks[4] = choice({ content: ' x' }, '')))],
      [
        'usage fault',
        with_((f) => void (f.chunks[13] = { ...head, choices: [], usage: { ...usage, total_tokens: '21' } })),
      ],
      ['tool-calls fault', with_((f) => void (f.chunks[12] = choice({}, 'tool_calls')))],
      ['n fault', with_((f) => void (f.request['n'] = 3))],
      ['stop fault', with_((f) => void (f.request['stop'] = ' five'))],
      ['max_tokens fault', with_((f) => void (f.request['max_tokens'] = 5))],
      ['response_format fault', with_((f) => void (f.request['response_format'] = { type: 'json_object' }))],
      ['buffering note', with_((f) => void (f.gapMs = 0))],
    ];
    expect(rows.map(([, tape]) => changed(tape))).toEqual(rows.map(([expected]) => [expected]));
  });

  it('names the entry that shows it', () => {
    const tape = withData(3, (entry) => ({ ...entry, data: 'oops' }));
    const [fault] = faults(tape);
    expect(tape[fault?.entry ?? -1]).toMatchObject({ data: 'oops' });
  });
});

describe('what the specification leaves open is never a fault', () => {
  const reasoned = {
    ...head,
    system_fingerprint: 'fp_1',
    choices: [{ index: 0, delta: { reasoning_content: 'Hm' }, finish_reason: null, logprobs: null }],
  };
  it.each<[string, TapeEntry[]]>([
    ['no end marker', with_((f) => void (f.done = false))],
    [
      'an event after the end marker',
      [...tapeOf(clean()).slice(0, -1), { at: 900, data: '{}' }, { at: 901, end: 'closed' }],
    ],
    [
      'chunks with empty choices in the middle',
      with_((f) => f.chunks.splice(5, 0, { ...head, choices: [] })),
    ],
    ['a delta without content', with_((f) => f.chunks.splice(5, 0, choice({})))],
    ['content null', with_((f) => f.chunks.splice(5, 0, choice({ content: null })))],
    [
      'no finish_reason key before the end',
      with_((f) => void (f.chunks[4] = { ...head, choices: [{ index: 0, delta: { content: 'x' } }] })),
    ],
    ['metadata of the provider', with_((f) => f.chunks.splice(5, 0, reasoned))],
    ['a finish reason of the provider', with_((f) => void (f.chunks[12] = choice({}, 'eos')))],
    ['no usage', with_((f) => void f.chunks.pop())],
    ['usage in the final chunk', with_((f) => f.chunks.splice(12, 2, { ...choice({}, 'stop'), usage }))],
    ['usage in every chunk', with_((f) => void (f.chunks = f.chunks.map((chunk) => ({ ...chunk, usage }))))],
    [
      'usage null until the last',
      with_((f) => void (f.chunks = f.chunks.map((chunk) => ({ usage: null, ...chunk })))),
    ],
    ['no role at all', with_((f) => void (f.chunks[0] = choice({ content: '' })))],
    [
      'the role in every chunk',
      with_(
        (f) =>
          void (f.chunks = f.chunks.map((_, i) =>
            i < 12 ? choice({ role: 'assistant', content: `${i}` }) : (f.chunks[i] ?? {}),
          )),
      ),
    ],
    [
      'another name for the model',
      with_((f) => void (f.chunks = f.chunks.map((chunk) => ({ ...chunk, model: 'north/one-2026' })))),
    ],
    ['events with a name', withData(3, (entry) => ({ ...entry, event: 'message' }))],
    [
      'comments between events',
      [...tapeOf(clean()).slice(0, 5), { at: 420, comment: 'ping' }, ...tapeOf(clean()).slice(5)],
    ],
    ['no request ID', with_((f) => void delete f.headers['x-request-id'])],
    ['thinking asked for and ignored', with_((f) => void (f.request['enable_thinking'] = true))],
    [
      'more reasoning than the budget',
      with_((f) => {
        f.request['thinking_budget'] = 128;
        f.chunks[13] = {
          ...head,
          choices: [],
          usage: { ...usage, completion_tokens_details: { reasoning_tokens: 500 } },
        };
      }),
    ],
    [
      'a schema that the answer does not follow',
      with_((f) => void (f.request['response_format'] = { type: 'json_schema' })),
    ],
    [
      'JSON that was cut',
      with_((f) => {
        f.request['response_format'] = { type: 'json_object' };
        f.chunks[12] = choice({}, 'length');
      }),
    ],
    [
      'a stream that the person stopped',
      with_((f) => {
        f.chunks.splice(6);
        f.done = false;
        f.end = 'aborted';
      }),
    ],
    [
      'a connection that was lost',
      with_((f) => {
        f.chunks.splice(6);
        f.done = false;
        f.end = 'lost';
      }),
    ],
    [
      'an error inside the stream',
      with_((f) => {
        f.chunks.splice(6);
        f.chunks.push({ error: { message: 'overloaded' } });
        f.done = false;
      }),
    ],
    [
      'tool calls with odd indexes and no ids',
      with_((f) => {
        f.chunks[5] = choice({ tool_calls: [{ index: 3, function: { name: 'f', arguments: '{' } }] });
        f.chunks[12] = choice({}, 'tool_calls');
      }),
    ],
  ])('%s', (_name, tape) => {
    expect(conformanceOf(tape).length).toBeGreaterThan(5);
    expect(faults(tape)).toEqual([]);
  });

  it('interleaved candidates, each with its own finish reason', () => {
    const tape = with_((f) => {
      f.request['n'] = 2;
      f.chunks = [0, 1].flatMap((index) => [
        choice({ role: 'assistant' }, null, index),
        choice({ content: 'a' }, null, index),
      ]);
      f.chunks.push(
        choice({ content: 'b' }, null, 0),
        choice({}, 'stop', 0),
        choice({ content: 'c' }, null, 1),
        choice({}, 'length', 1),
      );
    });
    expect(faults(tape)).toEqual([]);
    expect(verdictsOf(tape).get('n')).toBe('pass');
  });
});

const wholeBody: JsonObject = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'north/one',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Ten.' }, finish_reason: 'stop' }],
  usage,
};

function wholeTape(body: JsonObject | string, status = 200, request: JsonObject = {}): TapeEntry[] {
  return [
    { at: 0, request: requestOf(request), requestId },
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

describe('a whole answer', () => {
  it('passes every rule', () => {
    const findings = conformanceOf(wholeTape(wholeBody));
    expect(findings.map(({ verdict }) => verdict)).toEqual(findings.map(() => 'pass'));
    expect(findings.length).toBeGreaterThan(7);
  });

  const one = (message: JsonObject, finish: string | null = 'stop'): JsonObject => ({
    ...wholeBody,
    choices: [{ index: 0, message, finish_reason: finish }],
  });
  const { usage: _, ...withoutUsage } = wholeBody;

  it('is told by exactly the rule it breaks', () => {
    const rows: [string, TapeEntry[]][] = [
      ['object fault', wholeTape({ ...wholeBody, object: 'chat.completion.chunk' })],
      ['identity note', wholeTape({ ...wholeBody, model: 'north/other' })],
      ['fields fault', wholeTape({ ...wholeBody, id: 7 })],
      ['fields fault', wholeTape(one({ role: 'user', content: 'Ten.' }))],
      ['fields fault', wholeTape(one({ role: 'assistant', content: null }))],
      ['finish-reason fault', wholeTape(one({ role: 'assistant', content: 'Ten.' }, null))],
      ['finish-reason note', wholeTape(one({ role: 'assistant', content: 'Ten.' }, 'eos'))],
      ['usage fault', wholeTape(withoutUsage)],
      ['usage fault', wholeTape({ ...wholeBody, usage: { prompt_tokens: 1 } })],
      ['other-fields note', wholeTape({ ...wholeBody, provider: 'x' })],
      ['delivery fault', wholeTape(wholeBody, 200, { stream: true })],
    ];
    expect(rows.map(([, tape]) => changed(tape, wholeTape(wholeBody)))).toEqual(
      rows.map(([expected]) => [expected]),
    );
  });

  it('is a fault where nothing comes that is an answer', () => {
    for (const body of ['', '<html></html>', '[]'])
      expect(faults(wholeTape(body)).map(({ rule }) => rule)).toEqual(['delivery']);
  });
});

describe('an error', () => {
  const error = (type: string, code: string | number): JsonObject => ({
    error: { message: 'No.', type, code },
  });
  it('of a rejected key must be the one of §5.4', () => {
    expect(faults(wholeTape(error('invalid_api_key', '401'), 401))).toEqual([]);
    expect(faults(wholeTape(error('authentication_error', '401'), 401))).toMatchObject([
      { rule: 'error-shape', section: '§5.4' },
    ]);
    expect(faults(wholeTape({ detail: 'no' }, 401))).toMatchObject([
      { rule: 'error-shape', section: '§5.4' },
    ]);
  });

  it('of another kind may come from a provider, so its shape is only told', () => {
    expect(verdictsOf(wholeTape(error('overloaded', '503'), 503)).get('error-shape')).toBe('pass');
    for (const body of [error('overloaded', 503), { detail: 'no' }, 'Bad gateway']) {
      expect(verdictsOf(wholeTape(body, 503)).get('error-shape')).toBe('note');
    }
  });

  it('that our own server made says nothing of the gateway', () => {
    const tape = wholeTape(error('gateway_unreachable', '502'), 502).map((entry): TapeEntry => {
      return 'status' in entry ? { at: entry.at, status: entry.status, headers: entry.headers } : entry;
    });
    expect(conformanceOf(tape)).toEqual([]);
  });
});
