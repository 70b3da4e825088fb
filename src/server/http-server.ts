import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { ConfigurationError } from './configuration-error.ts';
import { formatErrorBody, getErrorStatus } from './proxy/error-response.ts';
import type { ServerError } from './proxy/error-response.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/** Creates a server with limits against slow and broken clients; a response may take any time. */
export function createHttpServer(listener: Listener): Server {
  const server = createServer({
    headersTimeout: 15_000,
    requestTimeout: 60_000,
    // Interval in ms for checking the two timeouts above; Node's default would add up to 30 s to each.
    connectionsCheckingInterval: 2000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // The guard sends these errors in our own format.
    requireHostHeader: false,
  });
  server.maxConnections = 4096;
  const openResponses = new WeakMap<Duplex, Set<ServerResponse>>();
  const trackResponse: Listener = (request, response) => {
    const responses = openResponses.get(request.socket) ?? new Set();
    openResponses.set(request.socket, responses.add(response));
    response.once('close', () => responses.delete(response));
    listener(request, response);
  };
  server.on('request', trackResponse);
  server.on('checkContinue', trackResponse);
  server.on('checkExpectation', trackResponse);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const startedResponses = [...(openResponses.get(socket) ?? [])].filter(
      (response) => response.headersSent,
    );
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    // A rejection written now would end up inside another response, or after a finished one that is still being sent.
    else if (startedResponses.some((response) => !response.writableEnded)) socket.destroy();
    else if (startedResponses.length > 0) socket.end(() => socket.destroy());
    else rejectConnection(socket, createMalformedError(error.code ?? ''));
  });
  server.on('connect', (_request, socket) => {
    rejectConnection(socket, { type: 'method_not_allowed', message: 'This server does not open tunnels.' });
  });
  return server;
}

/** Starts listening and returns the port. Throws ConfigurationError if HOST or PORT cannot be used. */
export function listen(server: Server, address: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ConfigurationError(describeListenError(error, address, port)));
    });
    server.listen(port, address, () => {
      const boundAddress = server.address();
      resolve(typeof boundAddress === 'object' && boundAddress !== null ? boundAddress.port : port);
    });
  });
}

function describeListenError(error: NodeJS.ErrnoException, address: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `PORT ${port} on ${address} is already in use by another program: stop it or set PORT to another number.`;
  if (error.code === 'EACCES')
    return `PORT ${port} is not allowed for this account: set PORT to a number above 1023.`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') {
    return `HOST is ${address}, which is not an address of this machine.`;
  }
  return `Could not open PORT ${port} on ${address}: ${error.message}.`;
}

function createMalformedError(code: string): ServerError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { type: 'invalid_request', message: 'The request took too long to arrive.' };
  if (code === 'HPE_HEADER_OVERFLOW')
    return { type: 'invalid_request', message: 'The request headers are too large.' };
  return { type: 'invalid_request', message: 'The HTTP request is malformed.' };
}

/** Writes an error response for a request that cannot be handled, and ends the connection. */
export function rejectConnection(socket: Duplex, error: ServerError): void {
  const body = formatErrorBody(error);
  const head = [
    `HTTP/1.1 ${getErrorStatus(error.type)} Refused`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
