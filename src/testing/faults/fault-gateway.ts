/**
 * The fault gateway: a raw TCP server that answers each chat request with the bytes of a row, in the packets, with
 * the pauses and with the end that the row names. What it says is data (faults/*-rows.ts); nothing here knows a row.
 */
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { bytesOf, type Segment } from '../../gateway/__fixtures__/segments.ts';

/** Bytes, silence for a time or until a promise resolves, or bytes in packets of a size of their own. */
export type Step =
  | Segment
  | { gapMs: number }
  | { until: Promise<void> }
  | { inPacketsOf: number; bytes: Segment[] };

/** One answer, byte for byte. */
export interface FaultAnswer {
  /** 200 unless it says otherwise. */
  status?: number;
  /** text/event-stream unless it says otherwise; `null`: none. */
  contentType?: string | null;
  headers?: Record<string, string> | [string, string][];
  /** chunked unless it says otherwise. A number is a content-length; `close`: until the connection closes; `raw`: the body has its own head. */
  framing?: 'chunked' | 'close' | 'raw' | number;
  body: Step[];
  /** whole (unless it says otherwise): as the framing asks. fin: closed without it. reset: TCP reset. hold: left open. */
  end?: 'whole' | 'fin' | 'reset' | 'hold';
}

export interface FaultPost {
  /** Of the request, unchanged. */
  head: string;
  body: string;
  /** Resolves when the other side, or the row, has closed the connection. */
  closed: Promise<void>;
  /** Resolves when the row has said all. */
  said: Promise<void>;
}

export interface FaultGateway {
  url: string;
  /** Every chat request that arrived, in order. */
  posts: FaultPost[];
  /** What the next chat requests are answered with, until it is told another; a function chooses by the body. */
  answerWith: (answer: FaultAnswer | ((body: string) => FaultAnswer)) => void;
  close: () => Promise<void>;
}

const models = '{"object":"list","data":[{"id":"north/one"}]}';

export async function startFaultGateway(): Promise<FaultGateway> {
  const sockets = new Set<Socket>();
  const posts: FaultPost[] = [];
  let current: FaultAnswer | ((body: string) => FaultAnswer) = { body: [] };

  function answer(socket: Socket, head: string, body: string): void {
    if (!head.startsWith('POST ')) {
      const text = head.startsWith('GET /healthz') ? '{"status":"ok"}' : models;
      socket.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
      );
      return;
    }
    const closed = new Promise<void>((resolve) => {
      if (socket.destroyed) resolve();
      socket.once('close', () => resolve());
    });
    posts.push({
      head,
      body,
      closed,
      said: say(socket, typeof current === 'function' ? current(body) : current),
    });
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    // One listener for each packet that waits to leave.
    socket.setMaxListeners(0);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let received = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      for (;;) {
        const end = received.indexOf('\r\n\r\n');
        if (end === -1) return;
        const head = received.toString('latin1', 0, end);
        const whole = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (received.length < whole) return;
        const body = received.toString('utf8', end + 4, whole);
        received = received.subarray(whole);
        answer(socket, head, body);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The fault gateway has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    posts,
    answerWith: (next) => {
      current = next;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function say(socket: Socket, { body, end = 'whole', ...answer }: FaultAnswer): Promise<void> {
  const { framing = 'chunked' } = answer;
  if (framing !== 'raw') await write(socket, Buffer.from(headOf(answer), 'latin1'));
  for (const step of body) {
    if (socket.destroyed) return;
    if (typeof step === 'object' && 'gapMs' in step) await sleep(step.gapMs);
    else if (typeof step === 'object' && 'until' in step) await step.until;
    else
      for (const packet of packetsOf(step))
        await write(socket, framing === 'chunked' ? asChunk(packet) : packet);
  }
  if (end === 'hold') return;
  // What was written has to be on its way before a reset would throw it away.
  if (end === 'reset') {
    await sleep(30);
    socket.resetAndDestroy();
  } else if (end === 'fin' || framing === 'close' || framing === 'raw') socket.end();
  else if (framing === 'chunked') await write(socket, Buffer.from('0\r\n\r\n'));
}

function headOf({
  status = 200,
  contentType = 'text/event-stream',
  headers = {},
  framing = 'chunked',
}: Omit<FaultAnswer, 'body'>): string {
  const lines = [`HTTP/1.1 ${status} Said`];
  if (contentType !== null) lines.push(`content-type: ${contentType}`);
  for (const [name, value] of Array.isArray(headers) ? headers : Object.entries(headers))
    lines.push(`${name}: ${value}`);
  if (framing === 'chunked') lines.push('transfer-encoding: chunked');
  if (framing === 'close') lines.push('connection: close');
  if (typeof framing === 'number') lines.push(`content-length: ${framing}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function* packetsOf(step: Segment | { inPacketsOf: number; bytes: Segment[] }): Generator<Uint8Array> {
  const isSplit = typeof step === 'object' && 'inPacketsOf' in step;
  const bytes = bytesOf(isSplit ? step.bytes : [step]);
  const size = isSplit ? step.inPacketsOf : bytes.length;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function asChunk(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** Resolves when the bytes have left, or nobody takes them any more. */
function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed || socket.writableEnded) return resolve();
    socket.once('close', resolve);
    socket.write(bytes, () => {
      socket.off('close', resolve);
      resolve();
    });
  });
}
