// The two ways of a request to the server: a POST of its own, or the channel; the page's own code in both.
import { fileURLToPath } from 'node:url';

import { build, runnerImport } from 'vite';
import { WebSocket } from 'ws';

const source = fileURLToPath(new URL('../../../gateway/channel/channel.ts', import.meta.url));

/** Makes channels in this process. */
export async function channelsOf(origin) {
  const { module } = await runnerImport(source);
  const sockets = new Set();
  const openSocket = (path, protocol, { opened, came, closed }) => {
    const socket = new WebSocket(origin.replace(/^http/, 'ws') + path, protocol, {
      origin,
      perMessageDeflate: false,
    });
    sockets.add(socket);
    socket.binaryType = 'arraybuffer';
    socket.on('error', () => undefined);
    socket.on('open', opened);
    socket.on('message', (data, isBinary) => came(isBinary ? data : Buffer.from(data).toString()));
    socket.on('close', (code) => {
      sockets.delete(socket);
      closed(code);
    });
    return {
      send: (frame) => socket.readyState === WebSocket.OPEN && socket.send(frame),
      close: () => socket.close(),
    };
  };
  return {
    create: () => module.createChannel({ openSocket, now: () => performance.now() }),
    end: () => sockets.forEach((socket) => socket.terminate()),
  };
}

/** The same for a page: a script that defines `bench.ask(way, wanted, signal)`. */
export async function pageScript() {
  const { output } = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: source, formats: ['iife'], name: 'channelModule', fileName: 'channel' },
    },
  }).then((result) => (Array.isArray(result) ? result[0] : result));
  return `${output[0].code}
    const openSocket = (path, protocol, { opened, came, closed }) => {
      const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + path, protocol);
      socket.binaryType = 'arraybuffer';
      socket.addEventListener('open', opened);
      socket.addEventListener('message', ({ data }) => came(data));
      socket.addEventListener('close', ({ code }) => closed(code));
      return { send: (frame) => socket.send(frame), close: () => socket.close() };
    };
    const channel = channelModule.createChannel({ openSocket, now: () => performance.now() });
    globalThis.bench = {
      channel,
      async ask(way, wanted, signal = new AbortController().signal) {
        const body = JSON.stringify({ model: 'north/one', messages: [], stream: true, bench: wanted });
        const path = '/v1/chat/completions';
        if (way === 'channel') {
          await channel.isThere();
          return channel.ask({ path, accept: '*/*', requestId: undefined, body, signal });
        }
        const headers = { 'content-type': 'application/json', 'x-gateway-playground': '1' };
        return fetch('/gateway' + path, { method: 'POST', headers, body, signal });
      },
    };`;
}
