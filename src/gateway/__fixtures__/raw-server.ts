import { createServer, type Socket } from 'node:net';

export interface RawServer {
  url: string;
  /** Resolves when the client has closed the connection of the request with this index, counted from 0. */
  waitForClose: (requestIndex: number) => Promise<void>;
  requests: string[];
  close: () => Promise<void>;
}

const createDeferred = () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
};

/** Starts a TCP server that sends exactly what `respond` writes once a whole request has arrived. */
export async function startRawServer(respond: (socket: Socket, request: string) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const closeDeferreds: ReturnType<typeof createDeferred>[] = [];
  const getCloseDeferred = (requestIndex: number) => (closeDeferreds[requestIndex] ??= createDeferred());
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const headEnd = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (headEnd === -1 || text.length < headEnd + 4 + length) return;
      const closeDeferred = getCloseDeferred(requests.length);
      socket.on('close', () => closeDeferred.resolve());
      requests.push(text);
      respond(socket, text);
      text = '';
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    waitForClose: (requestIndex) => getCloseDeferred(requestIndex).promise,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n';
export const chunkedHead = `${streamHead}transfer-encoding: chunked\r\n\r\n`;
export const closeDelimitedHead = `${streamHead}connection: close\r\n\r\n`;
export const lastChunk = '0\r\n\r\n';

export function encodeHttpChunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}
