import { createServer } from 'node:net';
import type { Socket } from 'node:net';

/** One request received by the scripted gateway, and the socket to answer on. */
export interface RawGatewayRequest {
  head: string;
  body: string;
  socket: Socket;
  /** Resolves when the other side has closed or broken the connection. */
  closed: Promise<void>;
}

export interface RawGateway {
  url: string;
  port: number;
  requests: RawGatewayRequest[];
  countConnections: () => number;
  close: () => Promise<void>;
}

/** Starts a gateway on a raw socket that sends exactly the bytes of a script. */
export async function startRawGateway(respond: (request: RawGatewayRequest) => void): Promise<RawGateway> {
  const sockets = new Set<Socket>();
  const requests: RawGatewayRequest[] = [];
  let connectionCount = 0;
  const server = createServer((socket) => {
    connectionCount += 1;
    sockets.add(socket);
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => {
        sockets.delete(socket);
        resolve();
      });
    });
    socket.on('error', () => undefined);
    let received = '';
    // Joined only when enough bytes have arrived: joining 20 MB on every packet takes seconds.
    let pending: string[] = [];
    let missingBytes = 0;
    socket.on('data', (bytes) => {
      pending.push(bytes.toString('latin1'));
      missingBytes -= bytes.length;
      if (missingBytes > 0) return;
      received += pending.join('');
      pending = [];
      for (;;) {
        const end = received.indexOf('\r\n\r\n');
        if (end === -1) return;
        const head = received.slice(0, end);
        const requestEnd = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
        missingBytes = requestEnd - received.length;
        if (missingBytes > 0) return;
        const request = { head, body: received.slice(end + 4, requestEnd), socket, closed };
        received = received.slice(requestEnd);
        requests.push(request);
        respond(request);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    countConnections: () => connectionCount,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** Head of a chunked event stream. */
export const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';

/** Returns text as one chunk of a chunked body. */
export function formatChunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

export const LAST_CHUNK = '0\r\n\r\n';

/** Returns a whole response with a content length. */
export function formatWholeResponse(status: string, headers: string, body: string): string {
  return `HTTP/1.1 ${status}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
