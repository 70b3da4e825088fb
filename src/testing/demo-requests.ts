import type { DemoModel, DemoRequest, ModelOutput } from '../demo-gateway/model.ts';
import type { Message } from '../gateway/wire.ts';
import { isRecord, getOwnProperty, type JsonObject } from '../lib/json.ts';
import { createSeededRandom } from '../lib/random.ts';

export const demoKey = 'fk-test';

/** Creates a request to the demo gateway with a valid key and a JSON body. */
export function createDemoPost(path: string, body: unknown, init: RequestInit = {}): Request {
  return new Request(`http://demo.test${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demoKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  });
}

/** Creates a chat request that is answered without delays unless `fields` sets them. */
export function createChatPost(fields: Record<string, unknown>, init: RequestInit = {}): Request {
  const messages = [{ role: 'user', content: 'Go on' }];
  return createDemoPost(
    '/v1/chat/completions',
    { model: 'test/scripted', messages, demo_tokens_per_second: 0, ...fields },
    init,
  );
}

/** Creates a chat model that outputs these pieces; without abilities by default. */
export function createScriptedModel(
  reply: readonly ModelOutput[] | ((request: DemoRequest) => Iterable<ModelOutput>),
  abilities: Partial<DemoModel['abilities']> = {},
): DemoModel {
  return {
    id: 'test/scripted',
    description: 'Returns the output that the test provides.',
    abilities: { vision: false, tools: false, thinking: false, ...abilities },
    reply: typeof reply === 'function' ? reply : () => reply,
  };
}

/** Converts each string to a piece of text that counts as one token. */
export function toTextPieces(...pieces: string[]): ModelOutput[] {
  return pieces.map((text) => ({ text }));
}

/** Returns the data of all events of a stream as JSON, and the end marker as text. */
export async function parseEvents(response: Response): Promise<unknown[]> {
  const body = await response.text();
  return body
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''))
    .map((data): unknown => (data === '[DONE]' ? data : JSON.parse(data)));
}

/** Returns the text at a path of keys and indexes in JSON; empty if there is none. */
export function getTextAt(value: unknown, ...path: (string | number)[]): string {
  const result = getAt(value, ...path);
  return typeof result === 'string' ? result : '';
}

/** Returns the value at a path of keys and indexes in JSON, or undefined. */
export function getAt(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((current, key) => {
    if (Array.isArray(current) && typeof key === 'number') return current[key];
    return isRecord(current) ? getOwnProperty(current, String(key)) : undefined;
  }, value);
}

/** Creates a request in the form in which the demo gateway passes it to a model; a string is one user message. */
export function createModelRequest(
  messages: Message[] | string,
  {
    fields = {},
    seed = 1,
    isJsonMode = false,
  }: { fields?: JsonObject; seed?: number; isJsonMode?: boolean } = {},
): DemoRequest {
  return {
    messages: typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
    fields,
    candidate: 0,
    random: createSeededRandom(String(seed)),
    isJsonMode,
  };
}

export function collectOutput(model: DemoModel, request: DemoRequest): ModelOutput[] {
  return [...model.reply(request)];
}

export function getReplyText(model: DemoModel, request: DemoRequest): string {
  return collectOutput(model, request)
    .flatMap((piece) => ('text' in piece ? [piece.text] : []))
    .join('');
}

function createTool(
  name: string,
  description: string,
  properties: JsonObject,
  required: string[],
): JsonObject {
  const parameters = { type: 'object', properties, required, additionalProperties: false };
  return { type: 'function', function: { name, description, parameters } };
}

const citySchema = { type: 'string', description: 'Name of the city', examples: ['Paris', 'Tokyo'] };
const textSchema = { type: 'string' };

/** Tools with different kinds of parameters. */
export const toolKit: JsonObject[] = [
  createTool(
    'get_weather',
    'The current weather in a city.',
    { city: citySchema, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
    ['city'],
  ),
  createTool('get_time', 'The current time in a city.', { city: citySchema }, ['city']),
  createTool('search_email', 'Finds mails.', { text: textSchema }, ['text']),
  createTool('send_email', 'Sends a mail.', { to: { type: 'string', format: 'email' }, body: textSchema }, [
    'to',
    'body',
  ]),
  createTool('lookup_order', 'The packages of a customer.', { order_id: { type: 'integer' } }, ['order_id']),
];
