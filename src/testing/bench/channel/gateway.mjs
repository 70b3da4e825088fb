// A gateway in this process that notes when each request came and when it was left.
import { createServer } from 'node:http';

export async function startNotingGateway() {
  /** `at`: came; `firstAt`: its first event left; `leftAt`: the connection closed before the end. In ms of this process. */
  const requests = [];
  const sockets = new Set();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (data) => (text += data));
    request.on('end', () => {
      if (request.method !== 'POST') {
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end('{"object":"list","data":[]}');
      }
      const { firstMs = 0, everyMs = 50, forMs = 1000 } = JSON.parse(text).bench ?? {};
      const noted = { at: performance.now(), firstAt: 0, leftAt: 0, endedAt: 0 };
      requests.push(noted);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      let timer;
      const say = () => {
        noted.firstAt ||= performance.now();
        response.write('data: {"choices":[{"index":0,"delta":{"content":"word "}}]}\n\n');
        if (performance.now() - noted.at < forMs) return;
        clearInterval(timer);
        noted.endedAt = performance.now();
        response.end('data: [DONE]\n\n');
      };
      setTimeout(() => {
        timer = setInterval(say, everyMs);
        say();
      }, firstMs);
      response.on('close', () => {
        clearInterval(timer);
        if (!noted.endedAt) noted.leftAt = performance.now();
      });
    });
  });
  server.on('connection', (socket) => sockets.add(socket.setNoDelay(true)));
  await new Promise((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
