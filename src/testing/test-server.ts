import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** A server on a free loopback port; closing it also closes its open connections. */
export interface TestServer {
  url: string;
  close: () => Promise<void>;
}

/** Serves a handler on a real socket. A client that disconnects aborts the request's signal and cancels the answer. */
export async function startTestServer(handler: (request: Request) => Promise<Response>): Promise<TestServer> {
  const handleRequest = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const disconnectController = new AbortController();
    outgoing.once('close', () => disconnectController.abort());
    const response = await handler(await toRequest(incoming, disconnectController.signal));
    outgoing.writeHead(response.status, [...response.headers].flat());
    outgoing.flushHeaders();
    if (response.body === null) outgoing.end();
    else await pipeline(response.body, outgoing);
  };
  const server = createServer((incoming, outgoing) => {
    handleRequest(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) if (chunk instanceof Uint8Array) chunks.push(chunk);
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const method = incoming.method ?? 'GET';
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks);
  return new Request(`http://127.0.0.1${incoming.url ?? '/'}`, { method, headers, body, signal });
}
