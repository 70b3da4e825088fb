import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embedMany, generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import OpenAI, { AuthenticationError, BadRequestError, NotFoundError, RateLimitError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { demoKey, createScriptedModel, getTextAt, toTextPieces } from '../testing/demo-requests.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createDemoGateway } from './gateway.ts';
import type { DemoModel, DemoRequest, ModelOutput } from './model.ts';

/** Calls a weather tool for two cities, then repeats the results. */
function* generateWeatherReply({ messages }: DemoRequest): Generator<ModelOutput> {
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
  if (results.length > 0) yield* toTextPieces('The results are ', results.join(' and '), '.');
  else
    for (const city of ['Paris', 'Rome'])
      yield { toolCall: { name: 'weather', arguments: JSON.stringify({ city }) } };
}

let wordCount = 0;
let resolveEnded: () => void = () => undefined;
const replyEnded = new Promise<void>((resolve) => {
  resolveEnded = resolve;
});

function* generateEndlessReply(): Generator<ModelOutput> {
  try {
    for (; ; wordCount += 1) yield { text: 'word ' };
  } finally {
    resolveEnded();
  }
}

const reasoningOutput: ModelOutput[] = [{ thinking: '6 times 7 ' }, { thinking: 'is 42.' }];
const models: DemoModel[] = [
  { ...createScriptedModel(generateWeatherReply, { tools: true }), id: 'test/weather' },
  { ...createScriptedModel([...reasoningOutput, ...toTextPieces('It ', 'is ', '42.')]), id: 'test/thinker' },
  { ...createScriptedModel(generateEndlessReply), id: 'test/endless' },
];

const noDelay = { demo_tokens_per_second: 0 };
let gatewayServer: TestServer;
let limitedServer: TestServer;

beforeAll(async () => {
  gatewayServer = await startTestServer(createDemoGateway({ key: demoKey, models }));
  limitedServer = await startTestServer(createDemoGateway({ key: demoKey, models, requestsPerMinute: 1 }));
});

afterAll(async () => {
  await gatewayServer.close();
  await limitedServer.close();
});

const messages = [{ role: 'user' as const, content: 'What is 6 times 7?' }];

function createClient(server: TestServer, apiKey = demoKey): OpenAI {
  return new OpenAI({ baseURL: `${server.url}/v1`, apiKey, maxRetries: 0 });
}

function createProvider(server: TestServer, apiKey = demoKey) {
  return createOpenAICompatible({ name: 'demo', baseURL: `${server.url}/v1`, apiKey, includeUsage: true });
}

function createCompletion(
  server: TestServer,
  key = demoKey,
  model = 'test/thinker',
  fields = {},
): Promise<unknown> {
  return createClient(server, key).chat.completions.create({ model, messages, ...noDelay, ...fields });
}

async function catchError(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('unmodified openai client', () => {
  it('lists all models with the openai client', async () => {
    const ids: string[] = [];
    for await (const model of createClient(gatewayServer).models.list()) ids.push(model.id);
    expect(ids).toEqual([
      'test/weather',
      'test/thinker',
      'test/endless',
      'demo/meaning-en',
      'demo/embedding-8B',
      'demo/embedding-4B',
      'demo/embedding-0.6B',
      'demo/embedding-fixed',
    ]);
  });

  it('reads a complete response with usage and request ID', async () => {
    const request = { model: 'test/thinker', messages, ...noDelay };
    const { data, request_id: requestId } = await createClient(gatewayServer)
      .chat.completions.create(request)
      .withResponse();
    expect(data.choices[0]?.message.content).toBe('It is 42.');
    expect(data.usage).toMatchObject({
      completion_tokens: 5,
      completion_tokens_details: { reasoning_tokens: 2 },
    });
    expect(requestId).toMatch(/^[a-z0-9]{8,}$/);
  });

  it('streams deltas with the usage in the last chunk', async () => {
    const stream = createClient(gatewayServer).chat.completions.stream({
      model: 'test/thinker',
      messages,
      stream_options: { include_usage: true },
      ...noDelay,
    });
    const deltas: string[] = [];
    stream.on('content', (delta) => deltas.push(delta));
    const final = await stream.finalChatCompletion();
    expect(deltas.filter((delta) => delta !== '')).toEqual(['It ', 'is ', '42.']);
    expect(final.choices[0]).toMatchObject({ message: { content: 'It is 42.' }, finish_reason: 'stop' });
    expect(await stream.totalUsage()).toMatchObject({ completion_tokens: 5 });
  });

  it.each([false, true])('runs tools until the model answers, streaming: %s', async (stream) => {
    const requestedCities: string[] = [];
    const request = {
      model: 'test/weather',
      messages,
      ...noDelay,
      tools: [
        {
          type: 'function' as const,
          function: {
            name: 'weather',
            description: 'The weather of a city',
            parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            parse: JSON.parse,
            function: ({ city }: { city: string }) => {
              requestedCities.push(city);
              return `${city}: 20 degrees`;
            },
          },
        },
      ],
    };
    const { completions } = createClient(gatewayServer).chat;
    const runner = stream
      ? completions.runTools({ ...request, stream: true })
      : completions.runTools(request);
    expect(await runner.finalContent()).toBe('The results are Paris: 20 degrees and Rome: 20 degrees.');
    expect(requestedCities).toEqual(['Paris', 'Rome']);
  });

  it('parses a JSON mode response with the openai client', async () => {
    const response = await createClient(gatewayServer).chat.completions.create({
      model: 'test/thinker',
      messages,
      response_format: { type: 'json_object' },
      ...noDelay,
    });
    expect(JSON.parse(response.choices[0]?.message.content ?? '')).toEqual({ answer: 'It is 42.' });
  });

  it("decodes the client's default base64 embeddings to the same vectors as float", async () => {
    const request = { model: 'demo/embedding-8B', input: ['one text', 'another text'], dimensions: 256 };
    const decoded = await createClient(gatewayServer).embeddings.create(request);
    const float = await createClient(gatewayServer).embeddings.create({
      ...request,
      encoding_format: 'float',
    });
    expect(decoded.data.map(({ embedding }) => embedding.length)).toEqual([256, 256]);
    expect(decoded.data.map(({ embedding }) => embedding)).toEqual(
      float.data.map(({ embedding }) => embedding),
    );
  });

  it("throws the client's own error types for 401, 404, 400 and 429", async () => {
    const authError = await catchError(createCompletion(gatewayServer, 'fk-wrong'));
    expect(authError).toBeInstanceOf(AuthenticationError);
    expect(authError).toMatchObject({
      status: 401,
      type: 'invalid_api_key',
      code: '401',
    });
    expect(getTextAt(authError, 'requestID')).toMatch(/^[a-z0-9]{8,}$/);
    expect(await catchError(createCompletion(gatewayServer, demoKey, 'no/model'))).toBeInstanceOf(
      NotFoundError,
    );
    expect(
      await catchError(createCompletion(gatewayServer, demoKey, 'test/thinker', { temperature: 9 })),
    ).toBeInstanceOf(BadRequestError);
    await createCompletion(limitedServer);
    const rateLimitError = await catchError(createCompletion(limitedServer));
    expect(rateLimitError).toBeInstanceOf(RateLimitError);
    expect(rateLimitError).toMatchObject({ type: 'rate_limit_exceeded', code: '429' });
  });

  it('stops the generation when the client aborts a stream', async () => {
    const request = { model: 'test/endless', messages, stream: true as const };
    const stream = await createClient(gatewayServer).chat.completions.create(request);
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await replyEnded;
    expect(wordCount).toBeGreaterThan(0);
  });
});

describe('unmodified openai-compatible provider of the AI SDK', () => {
  const options = { providerOptions: { demo: noDelay }, maxRetries: 0 };
  const weather = tool({
    description: 'The weather of a city',
    inputSchema: jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    }),
    execute: ({ city }) => `${city}: 20 degrees`,
  });

  it('generates text with reasoning and usage through the AI SDK', async () => {
    const result = await generateText({
      model: createProvider(gatewayServer)('test/thinker'),
      prompt: 'What is 6 times 7?',
      ...options,
    });
    expect([result.text, result.reasoningText, result.finishReason]).toEqual([
      'It is 42.',
      '6 times 7 is 42.',
      'stop',
    ]);
    expect(result.usage).toMatchObject({ outputTokens: 5, outputTokenDetails: { reasoningTokens: 2 } });
  });

  it('streams text with reasoning and usage through the AI SDK', async () => {
    const result = streamText({
      model: createProvider(gatewayServer)('test/thinker'),
      prompt: 'What is 6 times 7?',
      ...options,
    });
    const parts: string[] = [];
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta' || part.type === 'reasoning-delta')
        parts.push(`${part.type}:${part.text}`);
    }
    expect(parts).toEqual([
      'reasoning-delta:6 times 7 ',
      'reasoning-delta:is 42.',
      'text-delta:It ',
      'text-delta:is ',
      'text-delta:42.',
    ]);
    expect(await result.usage).toMatchObject({ outputTokens: 5, outputTokenDetails: { reasoningTokens: 2 } });
  });

  it('runs tools until the model answers through the AI SDK', async () => {
    const request = {
      model: createProvider(gatewayServer)('test/weather'),
      tools: { weather },
      prompt: 'Weather?',
      ...options,
    };
    const generated = await generateText({ ...request, stopWhen: stepCountIs(3) });
    const streamed = streamText({ ...request, stopWhen: stepCountIs(3) });
    for (const text of [generated.text, await streamed.text]) {
      expect(text).toBe('The results are Paris: 20 degrees and Rome: 20 degrees.');
    }
  });

  it('embeds several texts with the given dimensions', async () => {
    const model = createProvider(gatewayServer).embeddingModel('demo/embedding-0.6B');
    const result = await embedMany({
      model,
      values: ['red apple', 'red apples', 'blue sky'],
      providerOptions: { demo: { dimensions: 64 } },
    });
    expect(result.embeddings.map(({ length }) => length)).toEqual([64, 64, 64]);
    expect(result.usage.tokens).toBe(6);
  });

  it("passes the gateway's error message on through the AI SDK", async () => {
    const generation = generateText({
      model: createProvider(gatewayServer, 'fk-wrong')('test/thinker'),
      prompt: 'x',
      ...options,
    });
    await expect(generation).rejects.toMatchObject({ statusCode: 401, message: 'The API key is not valid.' });
  });
});
