import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { onTestFinished } from 'vitest';

import { canaryKey } from '../../testing/canary-key.ts';
import { createUpgradeListener } from '../channel/upgrade.ts';
import { readConfig } from '../config.ts';
import { createGuardSettings } from '../guard/allowed-hosts.ts';
import { isApiPath } from '../guard/guard.ts';
import { createHttpServer, listen } from '../http-server.ts';
import { createNodeListener } from '../node-adapter.ts';
import { createPlaygroundHandler, getStallTimeoutMs } from '../playground-handler.ts';
import { startRawGateway, type RawGateway, type RawGatewayRequest } from './raw-gateway.ts';

/** The playground server without the app, on a free port. */
export interface TestPlayground {
  port: number;
  origin: string;
  /** Lines of the server log. */
  log: string[];
  /** Sends a POST in the same way as the app. */
  post: (
    path: string,
    body: unknown,
    init?: { headers?: Record<string, string>; signal?: AbortSignal },
  ) => Promise<Response>;
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** Sends raw bytes and returns the response until the server ends the connection. */
  sendRaw: (bytes: string) => Promise<string>;
  /** Opens a raw connection. */
  open: () => Promise<Socket>;
  close: () => Promise<void>;
}

export async function startTestPlayground(
  settings: Readonly<Record<string, string>> = {},
): Promise<TestPlayground> {
  const config = readConfig((name) => (settings[name] === '' ? undefined : settings[name]), { port: 0 });
  const playground = createPlaygroundHandler(config, '0.0.0');
  const log: string[] = [];
  let port = 0;
  let lastId = 0;
  const common = {
    getGuardSettings: () => createGuardSettings(config, port),
    createId: () => `id-${(lastId += 1)}`,
    log: (line: string) => void log.push(playground.redact(line)),
  };
  const server = createHttpServer(
    createNodeListener({
      ...common,
      handle: playground.handle,
      isLogged: isApiPath,
      stallTimeoutMs: getStallTimeoutMs(config),
    }),
  );
  server.on('upgrade', createUpgradeListener({ ...common, getPlayground: async () => playground }));
  port = await listen(server, '127.0.0.1', 0);
  const origin = `http://127.0.0.1:${port}`;
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => {
        resolve(socket);
      });
      socket.once('error', reject);
    });
  return {
    port,
    origin,
    log,
    open,
    post: (path, body, init = {}) =>
      fetch(origin + path, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json', 'x-gateway-playground': '1', ...init.headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(init.signal === undefined ? {} : { signal: init.signal }),
      }),
    get: (path, headers = {}) => fetch(origin + path, { headers, redirect: 'manual' }),
    async sendRaw(bytes) {
      const socket = await open();
      let received = '';
      socket.on('data', (data) => (received += data.toString('latin1')));
      socket.on('error', () => undefined);
      const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.write(Buffer.from(bytes, 'latin1'));
      await ended;
      return received;
    },
    close: async () => {
      server.closeAllConnections();
      playground.channels.end();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await playground.close();
    },
  };
}

/** Starts a raw gateway and a playground in front of it, without a rate limit, for one test. */
export async function startWithGateway(
  respond: (request: RawGatewayRequest) => void,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ gateway: RawGateway; playground: TestPlayground }> {
  const gateway = await startRawGateway(respond);
  onTestFinished(gateway.close);
  const playground = await startTestPlayground({
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_API_KEY: canaryKey,
    GATEWAY_RPM: '0',
    ...settings,
  });
  onTestFinished(playground.close);
  return { gateway, playground };
}
