import { describe, expect, it } from 'vitest';

import {
  getAt,
  createChatPost,
  demoKey,
  parseEvents,
  createScriptedModel,
  getTextAt,
  toTextPieces,
} from '../../testing/demo-requests.ts';
import { createDemoGateway } from '../gateway.ts';
import type { DemoRequest, ModelOutput } from '../model.ts';

function createGateway(reply: readonly ModelOutput[] | ((request: DemoRequest) => Iterable<ModelOutput>)) {
  let idCount = 0;
  return createDemoGateway({
    key: demoKey,
    models: [createScriptedModel(reply)],
    now: () => 1_700_000_000_500,
    createId: () => `id${(idCount += 1)}`,
  });
}

async function fetchCompletion(
  reply: readonly ModelOutput[],
  fields: Record<string, unknown> = {},
): Promise<unknown> {
  return (await createGateway(reply)(createChatPost(fields))).json();
}

async function fetchStreamEvents(
  reply: readonly ModelOutput[],
  fields: Record<string, unknown> = {},
): Promise<unknown[]> {
  return parseEvents(await createGateway(reply)(createChatPost({ stream: true, ...fields })));
}

function getStreamedText(events: unknown[], choice = 0): string {
  return events
    .filter((event) => getAt(event, 'choices', 0, 'index') === choice)
    .map((event) => getTextAt(event, 'choices', 0, 'delta', 'content'))
    .join('');
}

const lookCall: ModelOutput = { toolCall: { name: 'look', arguments: '{"city":"Málaga","days":12}' } };
const mixedOutput: ModelOutput[] = [
  { thinking: 'Well' },
  { thinking: ', so' },
  ...toTextPieces('I ', 'look'),
  lookCall,
  lookCall,
];

describe('complete response (§2.4)', () => {
  it('returns a chat.completion with its usage', async () => {
    expect(await fetchCompletion(toTextPieces('Hel', 'lo'))).toEqual({
      id: 'chatcmpl-id1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'test/scripted',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
    });
  });

  it('includes reasoning, tool calls and their token counts in the completion', async () => {
    const completion = await fetchCompletion(mixedOutput);
    expect(getAt(completion, 'choices', 0)).toEqual({
      index: 0,
      message: {
        role: 'assistant',
        content: 'I look',
        reasoning_content: 'Well, so',
        tool_calls: [
          {
            id: 'call_id2',
            type: 'function',
            function: { name: 'look', arguments: '{"city":"Málaga","days":12}' },
          },
          {
            id: 'call_id3',
            type: 'function',
            function: { name: 'look', arguments: '{"city":"Málaga","days":12}' },
          },
        ],
      },
      finish_reason: 'tool_calls',
    });
    expect(getAt(completion, 'usage', 'completion_tokens_details')).toEqual({ reasoning_tokens: 2 });
  });

  it('returns an empty string as content if the model produces no text', async () => {
    expect(getAt(await fetchCompletion([lookCall]), 'choices', 0, 'message', 'content')).toBe('');
    expect(getAt(await fetchCompletion([]), 'choices', 0, 'message', 'content')).toBe('');
  });
});

describe('streamed response (§2.5, §6)', () => {
  it('streams the role first, then the text, the finish reason in a separate chunk and the end marker', async () => {
    const events = await fetchStreamEvents(toTextPieces('Hel', 'lo'));
    expect(events.map((event) => getAt(event, 'choices', 0) ?? event)).toEqual([
      { index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null },
      { index: 0, delta: { content: 'Hel' }, finish_reason: null },
      { index: 0, delta: { content: 'lo' }, finish_reason: null },
      { index: 0, delta: {}, finish_reason: 'stop' },
      '[DONE]',
    ]);
    expect(events[0]).toMatchObject({
      id: 'chatcmpl-id1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'test/scripted',
    });
    expect(events.every((event) => getAt(event, 'usage') === undefined)).toBe(true);
  });

  it('streams the usage last, in a chunk without choices, if it is requested', async () => {
    const events = await fetchStreamEvents(toTextPieces('Hel', 'lo'), {
      stream_options: { include_usage: true },
    });
    expect(getAt(events.at(-2), 'choices')).toEqual([]);
    expect(getAt(events.at(-2), 'usage')).toEqual({
      prompt_tokens: 5,
      completion_tokens: 2,
      total_tokens: 7,
    });
    expect(events.filter((event) => getAt(event, 'usage') !== undefined)).toHaveLength(1);
  });

  it('sends streams as text/event-stream with cache-control no-cache', async () => {
    const response = await createGateway(toTextPieces('a'))(createChatPost({ stream: true }));
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-request-id')).toBe('id2');
    await response.body?.cancel();
  });

  it('streams each tool call as an index, ID and name, followed by small fragments of its arguments', async () => {
    const deltas = (await fetchStreamEvents(mixedOutput)).map((event) =>
      getAt(event, 'choices', 0, 'delta', 'tool_calls', 0),
    );
    const secondCallDeltas = deltas.filter((delta) => getAt(delta, 'index') === 1);
    expect(secondCallDeltas[0]).toEqual({
      index: 1,
      id: 'call_id4',
      type: 'function',
      function: { name: 'look', arguments: '' },
    });
    const fragments = secondCallDeltas.slice(1).map((delta) => String(getAt(delta, 'function', 'arguments')));
    expect(fragments.join('')).toBe('{"city":"Málaga","days":12}');
    expect(Math.max(...fragments.map(({ length }) => length))).toBeLessThanOrEqual(7);
    expect(fragments.length).toBeGreaterThan(4);
  });

  it.each([
    ['all features at once', mixedOutput, {}],
    ['a stop sequence', toTextPieces('one, t', 'wo, th', 'ree'), { stop: 'two' }],
    ['a token limit', mixedOutput, { max_tokens: 7 }],
    ['a JSON object', toTextPieces('plain'), { response_format: { type: 'json_object' } }],
  ] satisfies [string, ModelOutput[], Record<string, unknown>][])(
    'streams the same content as a complete response: %s',
    async (_, pieces, fields) => {
      const message = getAt(await fetchCompletion(pieces, fields), 'choices', 0);
      const events = await fetchStreamEvents(pieces, fields);
      const deltas = events.map((event) => getAt(event, 'choices', 0, 'delta'));
      const joinText = (...path: (string | number)[]) =>
        deltas.map((delta) => getTextAt(delta, ...path)).join('');
      expect(joinText('content')).toBe(getTextAt(message, 'message', 'content'));
      expect(joinText('reasoning_content')).toBe(getTextAt(message, 'message', 'reasoning_content'));
      expect(joinText('tool_calls', 0, 'function', 'name')).toBe(
        [0, 1]
          .map((index) => getTextAt(message, 'message', 'tool_calls', index, 'function', 'name'))
          .join(''),
      );
      expect(getAt(events.at(-2), 'choices', 0, 'finish_reason')).toBe(getAt(message, 'finish_reason'));
    },
  );
});

describe('max_tokens', () => {
  it('ends the answer with finish reason length at max_tokens', async () => {
    const completion = await fetchCompletion(toTextPieces('a', 'b', 'c'), { max_tokens: 2 });
    expect(getAt(completion, 'choices', 0)).toMatchObject({
      message: { content: 'ab' },
      finish_reason: 'length',
    });
    expect(getAt(completion, 'usage', 'completion_tokens')).toBe(2);
  });

  it('finishes with stop if the answer has exactly max_tokens tokens', async () => {
    expect(
      getAt(await fetchCompletion(toTextPieces('a', 'b'), { max_tokens: 2 }), 'choices', 0, 'finish_reason'),
    ).toBe('stop');
  });

  it('counts reasoning and fragments of tool calls towards max_tokens', async () => {
    const reasoningAnswer = await fetchCompletion(
      [{ thinking: 'x' }, { thinking: 'y' }, ...toTextPieces('a')],
      { max_tokens: 2 },
    );
    expect(getAt(reasoningAnswer, 'choices', 0)).toEqual({
      index: 0,
      message: { role: 'assistant', content: '', reasoning_content: 'xy' },
      finish_reason: 'length',
    });
    const toolAnswer = await fetchCompletion([lookCall], { max_tokens: 3 });
    expect(getAt(toolAnswer, 'choices', 0, 'finish_reason')).toBe('length');
    expect(
      '{"city":"Málaga","days":12}'.startsWith(
        String(getAt(toolAnswer, 'choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments')),
      ),
    ).toBe(true);
  });

  it('ends an endless model after requesting at most one token beyond max_tokens', async () => {
    let generatedCount = 0;
    const gateway = createGateway(function* () {
      for (;;) {
        generatedCount += 1;
        yield { text: 'x' };
      }
    });
    await (await gateway(createChatPost({ max_tokens: 10 }))).json();
    expect(generatedCount).toBe(11);
  });
});

describe('stop', () => {
  it('ends the answer before a stop sequence, even if it spans several pieces', async () => {
    const events = await fetchStreamEvents(toTextPieces('one E', 'N', 'D two'), { stop: ['END'] });
    expect(getStreamedText(events)).toBe('one ');
    expect(getAt(events.at(-2), 'choices', 0, 'finish_reason')).toBe('stop');
  });

  it('releases text that begins like a stop sequence but does not complete it', async () => {
    expect(getStreamedText(await fetchStreamEvents(toTextPieces('E', 'N', 'ough EN'), { stop: 'END' }))).toBe(
      'ENough EN',
    );
  });

  it('counts all generated tokens, including those of the stop sequence', async () => {
    expect(
      getAt(
        await fetchCompletion(toTextPieces('a', 'S', 'T', 'b'), { stop: 'ST' }),
        'usage',
        'completion_tokens',
      ),
    ).toBe(3);
  });

  it('releases the held-back text if max_tokens ends the answer', async () => {
    expect(
      getAt(
        await fetchCompletion(toTextPieces('aE', 'N', 'D'), { stop: 'END', max_tokens: 2 }),
        'choices',
        0,
      ),
    ).toMatchObject({
      message: { content: 'aEN' },
      finish_reason: 'length',
    });
  });

  it('ignores stop sequences in reasoning and tool arguments', async () => {
    const completion = await fetchCompletion([{ thinking: 'END' }, lookCall], { stop: ['END', 'city'] });
    expect(getAt(completion, 'choices', 0, 'message', 'reasoning_content')).toBe('END');
    expect(getAt(completion, 'choices', 0, 'finish_reason')).toBe('tool_calls');
  });
});

/** Fetches the outputs of two candidates, without the leading number and the trailing dots. */
async function fetchCandidatePair(
  gateway: (request: Request) => Promise<Response>,
  fields: Record<string, unknown>,
) {
  const completion: unknown = await (await gateway(createChatPost({ n: 2, ...fields }))).json();
  return [0, 1].map((index) =>
    getTextAt(completion, 'choices', index, 'message', 'content').replace(/^\d|\.+$/g, ''),
  );
}

describe('n (number of candidates)', () => {
  const countingGateway = createGateway(({ candidate, random }) =>
    toTextPieces(`${candidate}`, `:${random().toFixed(6)}`, ...Array<string>(candidate).fill('.')),
  );

  it('interleaves the candidates under their indexes and counts the tokens of all candidates', async () => {
    const events = await parseEvents(
      await countingGateway(createChatPost({ stream: true, n: 3, stream_options: { include_usage: true } })),
    );
    const order = events.flatMap((event) => getAt(event, 'choices', 0, 'index') ?? []);
    expect(order.slice(0, 6)).toEqual([0, 0, 1, 1, 2, 2]);
    expect([0, 1, 2].map((choice) => getStreamedText(events, choice).replace(/:0\.\d+/, ''))).toEqual([
      '0',
      '1.',
      '2..',
    ]);
    expect(events.filter((event) => getAt(event, 'choices', 0, 'finish_reason') === 'stop')).toHaveLength(3);
    expect(getAt(events.at(-2), 'usage', 'completion_tokens')).toBe(9);
  });

  it('repeats the same distinct candidates for the same seed', async () => {
    const first = await fetchCandidatePair(countingGateway, { seed: 7 });
    expect(await fetchCandidatePair(countingGateway, { seed: 7 })).toEqual(first);
    expect(first[0]).not.toBe(first[1]);
    expect(await fetchCandidatePair(countingGateway, { seed: 8 })).not.toEqual(first);
    expect(await fetchCandidatePair(countingGateway, {})).not.toEqual(
      await fetchCandidatePair(countingGateway, {}),
    );
  });
});

describe('response_format json_object', () => {
  const jsonMode = { response_format: { type: 'json_object' } };

  it.each([
    ['prose', toTextPieces('He said "no"')],
    ['a list', toTextPieces('[1', ']')],
    ['the beginning of an object', toTextPieces('{"a":')],
  ])('wraps text that is not a JSON object in JSON mode: %s', async (_name, pieces) => {
    const content = getTextAt(await fetchCompletion(pieces, jsonMode), 'choices', 0, 'message', 'content');
    const text = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
    expect(JSON.parse(content)).toEqual({ answer: text });
  });

  it('leaves a JSON object unchanged in JSON mode', async () => {
    expect(getStreamedText(await fetchStreamEvents(toTextPieces('{"a"', ': 1', '}'), jsonMode))).toBe(
      '{"a": 1}',
    );
  });

  it('leaves reasoning and tool calls unchanged in JSON mode', async () => {
    const completion = await fetchCompletion([{ thinking: 'x' }, lookCall], jsonMode);
    expect(getAt(completion, 'choices', 0, 'message')).toMatchObject({ content: '', reasoning_content: 'x' });
  });

  it('cuts JSON off at max_tokens, even for an endless model', async () => {
    const gateway = createGateway(function* () {
      for (;;) yield { text: 'word ' };
    });
    const completion: unknown = await (await gateway(createChatPost({ ...jsonMode, max_tokens: 20 }))).json();
    expect(getAt(completion, 'choices', 0, 'finish_reason')).toBe('length');
    expect(getAt(completion, 'choices', 0, 'message', 'content')).toContain('{"answer":"word word');
  });
});
