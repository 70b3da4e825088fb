import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { ConfigurationError } from './configuration-error.ts';
import { errorBody, statusOf } from './proxy/error-response.ts';
import type { OwnError } from './proxy/error-response.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** A server with limits against slow and broken clients; an answer may last as long as it likes. */
export function createHttpServer(listener: Listener): Server {
  const server = createServer({
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    // How often the two above are looked at; Node's own 30 s would make them three times as long.
    connectionsCheckingInterval: 2000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // The guard answers these in our own shape.
    requireHostHeader: false,
  });
  server.maxConnections = 4096;
  const answers = new WeakMap<Duplex, Set<ServerResponse>>();
  const follow: Listener = (request, response) => {
    const running = answers.get(request.socket) ?? new Set();
    answers.set(request.socket, running.add(response));
    response.once('close', () => running.delete(response));
    listener(request, response);
  };
  server.on('request', follow);
  server.on('checkContinue', follow);
  server.on('checkExpectation', follow);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const running = [...(answers.get(socket) ?? [])].filter((response) => response.headersSent);
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    // A refusal written now would stand inside of the answer, or behind one that is complete and on its way.
    else if (running.some((response) => !response.writableEnded)) socket.destroy();
    else if (running.length > 0) socket.end(() => socket.destroy());
    else refuseConnection(socket, malformed(error.code ?? ''));
  });
  server.on('connect', (_request, socket) => {
    refuseConnection(socket, { type: 'method_not_allowed', message: 'This server does not open tunnels.' });
  });
  return server;
}

/** Starts listening and returns the port. Throws ConfigurationError where HOST or PORT cannot be used. */
export function listen(server: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ConfigurationError(listenFault(error, address, port)));
    });
    server.listen(port, address, () => {
      const bound = server.address();
      resolve(typeof bound === 'object' && bound !== null ? bound.port : port);
    });
  });
}

function listenFault(error: NodeJS.ErrnoException, address: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `PORT ${port} on ${address} is already taken by another program: stop it or set PORT to another number.`;
  if (error.code === 'EACCES')
    return `PORT ${port} cannot be used by this account: set PORT to a number above 1023.`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') {
    return `HOST is ${address}, which is not an address of this machine.`;
  }
  return `PORT ${port} on ${address} cannot be opened: ${error.message}.`;
}

function malformed(code: string): OwnError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { type: 'invalid_request', message: 'The request took too long to arrive.' };
  if (code === 'HPE_HEADER_OVERFLOW')
    return { type: 'invalid_request', message: 'The headers of the request are too large.' };
  return { type: 'invalid_request', message: 'This is not a well-formed HTTP request.' };
}

/** Writes the answer to what is not to be answered as a request, and ends the connection. */
export function refuseConnection(socket: Duplex, error: OwnError): void {
  const body = errorBody(error);
  const head = [
    `HTTP/1.1 ${statusOf(error.type)} Refused`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
