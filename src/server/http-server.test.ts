import { createServer, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { afterEach, describe, expect, it } from 'vitest';

import { waitUntil } from '../testing/wait-until.ts';
import { ConfigurationError } from './configuration-error.ts';
import { createHttpServer, listen } from './http-server.ts';

const servers: Server[] = [];

function createTestServer(listener: Parameters<typeof createHttpServer>[0] = () => undefined): Server {
  const server = createHttpServer(listener);
  servers.push(server);
  return server;
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
});

/** Sends these bytes and returns the response until the server ends the connection. */
async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

describe('listen', () => {
  it('returns the port on which the server listens', async () => {
    const server = createTestServer((_request, response) => response.end('here'));
    const port = await listen(server, '127.0.0.1', 0);
    expect(port).toBeGreaterThan(0);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here');
  });

  it('reports that another program uses the port', async () => {
    const otherServer = createServer();
    servers.push(otherServer);
    const port = await listen(otherServer, '127.0.0.1', 0);
    const listening = listen(createTestServer(), '127.0.0.1', port);
    await expect(listening).rejects.toBeInstanceOf(ConfigurationError);
    await expect(listening).rejects.toThrow(`PORT ${port} on 127.0.0.1 is already in use by another program`);
  });

  it('reports that HOST is not an address of this machine', async () => {
    await expect(listen(createTestServer(), '192.0.2.77', 0)).rejects.toThrow(
      'HOST is 192.0.2.77, which is not an address of this machine.',
    );
  });

  it.each([
    ['EACCES', 'PORT 80 is not allowed for this account: set PORT to a number above 1023.'],
    ['EADDRNOTAVAIL', 'HOST is bench.test, which is not an address of this machine.'],
    ['ENOTFOUND', 'HOST is bench.test, which is not an address of this machine.'],
    ['EAI_AGAIN', 'HOST is bench.test, which is not an address of this machine.'],
    ['EMFILE', 'Could not open PORT 80 on bench.test: too many files.'],
  ])('describes %s as a listen error in one sentence', async (code, sentence) => {
    const server = createHttpServer(() => undefined);
    server.listen = () => {
      server.emit('error', Object.assign(new Error('too many files'), { code }));
      return server;
    };
    await expect(listen(server, 'bench.test', 80)).rejects.toThrow(sentence);
  });
});

describe('unreadable request', () => {
  it('answers an unreadable request with an API error and ends the connection', async () => {
    const port = await listen(createTestServer(), '127.0.0.1', 0);
    const responseText = await sendBytes(port, 'no request at all\r\n\r\n');
    const [head = '', body = ''] = responseText.split('\r\n\r\n');
    expect(head.split('\r\n')).toEqual([
      'HTTP/1.1 400 Refused',
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `Content-Length: ${body.length}`,
    ]);
    expect(JSON.parse(body)).toMatchObject({
      error: { type: 'invalid_request', message: 'The HTTP request is malformed.' },
    });
  });

  it('reports request headers that are too large', async () => {
    const port = await listen(createTestServer(), '127.0.0.1', 0);
    const responseText = await sendBytes(port, `GET / HTTP/1.1\r\nX-Long: ${'y'.repeat(20_000)}\r\n\r\n`);
    expect(responseText).toContain('The request headers are too large.');
  });

  it('reports a request that took too long to arrive', async () => {
    // Stays open after its writable side has ended, as a socket does.
    const socket = new PassThrough({ autoDestroy: false });
    createTestServer().emit(
      'clientError',
      Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      socket,
    );
    expect(await text(socket)).toContain('The request took too long to arrive.');
    expect(socket.destroyed).toBe(true);
  });

  it('sends a rejection after a finished response, and in place of one that has not begun', async () => {
    const port = await listen(
      createTestServer(({ url }, response) => {
        if (url === '/over') response.end('over');
      }),
      '127.0.0.1',
      0,
    );
    const socket = connect(port, '127.0.0.1');
    const receivedText = text(socket);
    socket.write('GET /over HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write('rubbish\r\n\r\n');
    expect((await receivedText).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(await sendBytes(port, 'GET /begun HTTP/1.1\r\nHost: x\r\n\r\nrubbish\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });

  it('sends no rejection after a response that is still being sent', async () => {
    const length = 20_000_000;
    let isWritten = false;
    const port = await listen(
      createTestServer((_request, response) => {
        response.end('x'.repeat(length));
        isWritten = true;
      }),
      '127.0.0.1',
      0,
    );
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await waitUntil(() => isWritten);
    socket.write('rubbish\r\n\r\n');
    const responseText = await text(socket);
    expect(responseText.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(responseText.length - responseText.indexOf('\r\n\r\n') - 4).toBe(length);
  });

  it('sends no rejection over a lost connection', () => {
    const resetSocket = new PassThrough();
    createTestServer().emit('clientError', Object.assign(new Error(), { code: 'ECONNRESET' }), resetSocket);
    expect([resetSocket.destroyed, resetSocket.read()]).toEqual([true, null]);

    const endedSocket = new PassThrough();
    endedSocket.end();
    createTestServer().emit('clientError', new Error('broken'), endedSocket);
    expect([endedSocket.destroyed, endedSocket.read()]).toEqual([true, null]);
  });

  it('rejects CONNECT without opening a tunnel', async () => {
    const port = await listen(createTestServer(), '127.0.0.1', 0);
    const responseText = await sendBytes(port, 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(responseText).toMatch(/^HTTP\/1\.1 405 /);
    expect(responseText).toContain('This server does not open tunnels.');
  });
});

it('passes a request with an Expect header to the same listener', async () => {
  const expectHeaders: (string | undefined)[] = [];
  const server = createTestServer(({ headers }, response) => {
    expectHeaders.push(headers.expect);
    response.end();
  });
  const port = await listen(server, '127.0.0.1', 0);
  for (const expect of ['100-continue', 'something else']) {
    await new Promise((resolve) => {
      request({ port, headers: { expect, 'content-length': '0' } }, (response) =>
        response.resume().once('end', resolve),
      ).end();
    });
  }
  expect(expectHeaders).toEqual(['100-continue', 'something else']);
});
