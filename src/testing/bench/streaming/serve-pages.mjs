import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
};

/** Serves a folder on a free port of this machine; answers with its address and how to stop. */
export async function servePages(folder) {
  const server = createServer((request, response) => {
    const name = path.join(folder, path.normalize(new URL(request.url ?? '/', 'http://x').pathname));
    const file = createReadStream(name);
    file.on('error', () => response.writeHead(404).end());
    file.on('open', () => {
      response.writeHead(200, { 'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream' });
      file.pipe(response);
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
