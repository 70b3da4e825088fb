// A gateway in this process that gives every chat request the same answer, as fast as it is taken.
import { createServer } from 'node:http';

/** `answer` may be set at any time: the bytes of a stream of events. */
export async function startAnsweringGateway() {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const isChat = request.method === 'POST';
      response.writeHead(200, { 'content-type': isChat ? 'text/event-stream' : 'application/json' });
      response.end(isChat ? gateway.answer : '{"object":"list","data":[]}');
    });
  });
  await new Promise((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  const gateway = {
    answer: '',
    url: `http://127.0.0.1:${server.address().port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return gateway;
}
