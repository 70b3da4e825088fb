/** A scripted gateway on a real socket that records the requests it receives. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { isRecord, parseJson } from '../lib/json.ts';
import { createGate } from './builders.ts';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** Raw request body. */
  text: string;
  /** Resolves if the client closes its socket before the answer is finished. */
  disconnection: Promise<void>;
}

export type ChatScript = (answer: ScriptedResponse, request: ReceivedRequest) => Promise<void> | void;

export interface ScriptedGateway {
  url: string;
  /** Chat and embeddings requests, in order. */
  posts: ReceivedRequest[];
  setChatScript: (script: ChatScript) => void;
  /** Body of /v1/models; a number means an empty response with that status. */
  models: unknown;
  /** Answers /v1/models in place of `models`, for responses that are not JSON or have another status. */
  setModelsScript: (script: ((answer: ScriptedResponse) => void) | undefined) => void;
  /** `delayMs` is the delay of the health route. */
  health: { status: number; body: string; delayMs?: number };
  healthRequests: number;
  /** Restores the initial state and cuts answers that an earlier test left open. */
  reset: () => void;
  close: () => Promise<void>;
}

/** Methods for a script to send chunks of a stream or a whole answer. */
export class ScriptedResponse {
  readonly response: ServerResponse;
  constructor(response: ServerResponse) {
    this.response = response;
  }

  /** Sends the headers of an event stream. */
  openStream(headers: Record<string, string> = {}): void {
    this.response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    this.response.flushHeaders();
  }

  writeRaw(text: string): void {
    this.response.write(text);
  }

  sendEvent(value: unknown): void {
    if (!this.response.headersSent) this.openStream();
    this.writeRaw(`data: ${JSON.stringify(value)}\n\n`);
  }

  sendDelta(delta: Record<string, unknown>, index = 0): void {
    this.sendEvent({ ...envelope, choices: [{ index, delta, finish_reason: null }] });
  }

  sendText(text: string): void {
    this.sendDelta({ content: text });
  }

  sendFinishReason(reason = 'stop', index = 0): void {
    this.sendEvent({ ...envelope, choices: [{ index, delta: {}, finish_reason: reason }] });
  }

  sendUsage(promptTokens: number, completionTokens: number): void {
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    };
    this.sendEvent({ ...envelope, choices: [], usage });
  }

  sendDone(): void {
    this.writeRaw('data: [DONE]\n\n');
    this.response.end();
  }

  sendJson(status: number, value: unknown, headers: Record<string, string> = {}): void {
    this.sendBody(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });
  }

  /** Sends a whole answer of any kind. */
  sendBody(status: number, text: string, headers: Record<string, string> = {}): void {
    this.response.writeHead(status, headers);
    this.response.end(text);
  }

  /** Sends a complete stream with this text. */
  sendAnswer(...texts: string[]): void {
    for (const text of texts) this.sendText(text);
    this.sendFinishReason();
    this.sendDone();
  }

  /** Sends the call of one tool with its arguments in these pieces. */
  sendToolCall(index: number, id: string, name: string, ...pieces: string[]): void {
    this.sendDelta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
    for (const piece of pieces) this.sendDelta({ tool_calls: [{ index, function: { arguments: piece } }] });
  }

  /** Cuts the connection in the middle of an answer. */
  breakConnection(): void {
    this.response.destroy();
  }

  /** Writes raw bytes that bypass Node's response: malformed headers, bodies of the wrong length. */
  writeBytes(bytes: string | Uint8Array): void {
    this.response.socket?.write(bytes);
  }
}

const envelope = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'north/one',
};

/** Calls two tools, and answers once it has their results. */
export const callTwoTools: ChatScript = (answer, { text }) => {
  if (text.includes('"role":"tool"')) return answer.sendAnswer('Both are known.');
  answer.sendToolCall(0, 'call_a', 'getWeather', '{"city":"Oslo"}');
  answer.sendToolCall(1, 'call_b', 'getTime', '{"city":"Oslo"}');
  answer.sendFinishReason('tool_calls');
  return answer.sendDone();
};

/** The default answer of tests that do not depend on it. */
export const sendHello: ChatScript = async (answer) => {
  answer.sendDelta({ role: 'assistant', content: '' });
  for (const word of ['Hello', ' from', ' the', ' gateway']) {
    answer.sendText(word);
    await sleep(5);
  }
  answer.sendFinishReason();
  answer.sendDone();
};

/** Creates a script that sends a text and pauses until `finish` is called, which sends the rest and ends the answer. */
export function createPausedAnswer(
  start: string,
  ...rest: string[]
): {
  script: ChatScript;
  finish: () => void;
} {
  const gate = createGate();
  const script: ChatScript = async (answer) => {
    answer.sendText(start);
    await gate.opened;
    answer.sendAnswer(...rest);
  };
  return { script, finish: gate.open };
}

async function sendHealth(health: ScriptedGateway['health'], response: ServerResponse): Promise<void> {
  await sleep(health.delayMs ?? 0);
  response.writeHead(health.status).end(health.body);
}

/** Returns the state before any test has changed it. */
function createInitialState(): Pick<ScriptedGateway, 'posts' | 'models' | 'health' | 'healthRequests'> {
  return {
    posts: [],
    models: { object: 'list', data: [{ id: 'north/one' }, { id: 'north/two' }, { id: 'south/embed-small' }] },
    health: { status: 200, body: '{"status":"ok"}' },
    healthRequests: 0,
  };
}

export async function startScriptedGateway(): Promise<ScriptedGateway> {
  let script: ChatScript = sendHello;
  let modelsScript: ((answer: ScriptedResponse) => void) | undefined;
  const openResponses = new Set<ServerResponse>();
  const gateway: ScriptedGateway = {
    url: '',
    ...createInitialState(),
    setChatScript: (next) => {
      script = next;
    },
    setModelsScript: (next) => {
      modelsScript = next;
    },
    reset: () => {
      script = sendHello;
      modelsScript = undefined;
      Object.assign(gateway, createInitialState());
      for (const response of openResponses) response.destroy();
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const path = request.url ?? '';
      if (path === '/healthz') {
        gateway.healthRequests += 1;
        return void sendHealth(gateway.health, response);
      }
      if (path === '/v1/models') {
        if (modelsScript) return modelsScript(new ScriptedResponse(response));
        if (typeof gateway.models === 'number') return response.writeHead(gateway.models).end();
        return new ScriptedResponse(response).sendJson(200, gateway.models);
      }
      openResponses.add(response);
      const disconnection = new Promise<void>((resolve) => {
        response.on('close', () => {
          openResponses.delete(response);
          if (!response.writableFinished) resolve();
        });
      });
      const parsed = parseJson(text);
      const body = parsed.ok && isRecord(parsed.value) ? parsed.value : {};
      const receivedRequest = {
        method: request.method ?? '',
        path,
        headers: request.headers,
        body,
        text,
        disconnection,
      };
      gateway.posts.push(receivedRequest);
      return void script(new ScriptedResponse(response), receivedRequest);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The scripted gateway has no port');
  gateway.url = `http://127.0.0.1:${address.port}`;
  const closeServer = gateway.close;
  gateway.close = () => {
    server.closeAllConnections();
    return closeServer();
  };
  return gateway;
}
