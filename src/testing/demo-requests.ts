import type { DemoModel, DemoRequest, Piece } from '../demo-gateway/model.ts';
import { isRecord, ownProperty } from '../lib/json.ts';

export const demoKey = 'fk-test';

/** A request to the demo gateway with a valid key and a JSON body, as clients send it. */
export function demoPost(path: string, body: unknown, init: RequestInit = {}): Request {
  return new Request(`http://demo.test${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demoKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  });
}

/** A chat request without waiting; the fields overrule. */
export function chatPost(fields: Record<string, unknown>, init: RequestInit = {}): Request {
  const messages = [{ role: 'user', content: 'Go on' }];
  return demoPost(
    '/v1/chat/completions',
    { model: 'test/scripted', messages, demo_tokens_per_second: 0, ...fields },
    init,
  );
}

/** A chat model that says the given pieces; `abilities` are none unless given. */
export function scriptedModel(
  reply: readonly Piece[] | ((request: DemoRequest) => Iterable<Piece>),
  abilities: Partial<DemoModel['abilities']> = {},
): DemoModel {
  return {
    id: 'test/scripted',
    about: 'Says what the test gave it.',
    abilities: { vision: false, tools: false, thinking: false, ...abilities },
    reply: typeof reply === 'function' ? reply : () => reply,
  };
}

/** Each string as one piece of text, which counts as one token. */
export function texts(...pieces: string[]): Piece[] {
  return pieces.map((text) => ({ text }));
}

/** The data of each event of a whole stream, as JSON; the end marker as its text. */
export async function eventsOf(response: Response): Promise<unknown[]> {
  const body = await response.text();
  return body
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''))
    .map((data): unknown => (data === '[DONE]' ? data : JSON.parse(data)));
}

/** The text at a path of keys and indexes in JSON; the empty text where there is none. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** What lies at a path of keys and indexes in JSON, or undefined. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((found, key) => {
    if (Array.isArray(found) && typeof key === 'number') return found[key];
    return isRecord(found) ? ownProperty(found, String(key)) : undefined;
  }, value);
}
