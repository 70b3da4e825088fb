// A gateway in a separate process. The field `benchmark` of a request sets the number of events and their interval.
import { createServer } from 'node:http';

const padding = 'x'.repeat(20);

const server = createServer((request, response) => {
  let text = '';
  request.on('data', (data) => (text += data));
  request.on('end', () => {
    const { events, everyMs } = JSON.parse(text).benchmark;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    let sentCount = 0;
    const timer = setInterval(() => {
      sentCount += 1;
      // Milliseconds since the epoch with fractions: the same clock in all processes of this machine.
      const sentAt = performance.timeOrigin + performance.now();
      response.write(`data: ${JSON.stringify({ number: sentCount, sentAt, padding })}\n\n`);
      if (sentCount === events) response.end('data: [DONE]\n\n');
    }, everyMs);
    response.on('close', () => clearInterval(timer));
  });
});
server.on('connection', (socket) => socket.setNoDelay(true));
process.on('disconnect', () => process.exit(0));
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => process.send?.(server.address().port));
