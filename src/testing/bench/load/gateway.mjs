// The gateway of the load benchmarks, in a process of its own: each request says what it wants in the field `bench`.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

let open = 0;
let accepted = 0;
const pad = 'x'.repeat(20);
const sockets = new Set();

/** Epoch milliseconds with fractions, the same clock in every process of this machine. */
const clock = () => performance.timeOrigin + performance.now();

function stream(response, { events = 1, everyMs = 100, startMs = 0, comments = false }) {
  let n = 0;
  const hash = createHash('sha256');
  const next = () => {
    if (response.destroyed) return;
    n += 1;
    const event = comments ? `: still working, ${n}\n\n` : `data: {"n":${n},"t":${clock()},"p":"${pad}"}\n\n`;
    hash.update(event);
    response.write(event);
    if (n < events) return;
    clearInterval(timer);
    response.end(`data: [DONE] ${hash.digest('hex')}\n\n`);
  };
  let timer;
  const begin = () => {
    timer = setInterval(next, everyMs);
    next();
  };
  if (startMs > 0) setTimeout(begin, startMs);
  else begin();
  response.on('close', () => clearInterval(timer));
}

/** As fast as it is taken: in events of this size, all the bytes or without an end. */
function flood(response, { bytes = Number.POSITIVE_INFINITY, size = 64 * 1024 }) {
  const event = Buffer.from(`data: ${'x'.repeat(size - 8)}\n\n`);
  let sent = 0;
  const more = () => {
    while (!response.destroyed && sent < bytes) {
      sent += event.length;
      accepted += event.length;
      if (!response.write(event)) return void response.once('drain', more);
    }
    if (!response.destroyed) response.end();
  };
  more();
}

const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  let text = '';
  request.on('data', (data) => (text += data));
  request.on('end', () => {
    const wanted = JSON.parse(text || '{}').bench ?? {};
    open += 1;
    response.on('close', () => (open -= 1));
    if (wanted.silent) return;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    if (wanted.flood) flood(response, wanted);
    else stream(response, wanted);
  });
});
server.on('connection', (socket) => {
  socket.setNoDelay(true);
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
});
process.on('message', (question) => {
  if (question === 'report') process.send?.({ open, accepted, sockets: sockets.size });
});
process.on('disconnect', () => process.exit(0));
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
  process.send?.({ port: server.address().port }),
);
