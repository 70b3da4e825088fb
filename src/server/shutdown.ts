import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import type { Channels } from './channel/channels.ts';

export interface ShutdownOptions {
  server: Server;
  /** Connections that are no longer the server's own. */
  channels?: Pick<Channels, 'drain' | 'end'>;
  /** How long running answers may take to finish. */
  graceMs: number;
  now: () => number;
  /** Everything is closed; `code` is the exit code. */
  exit: (code: number) => void;
}

/** A terminal and npm both pass Ctrl+C on, so one press may arrive twice. */
const SAME_PRESS_MS = 200;

/**
 * Handles SIGINT and SIGTERM: stop accepting, let running answers finish for a while,
 * exit 0; a second signal ends at once.
 */
export function createShutdown({
  server,
  channels,
  graceMs,
  now,
  exit,
}: ShutdownOptions): (signal: 'SIGINT' | 'SIGTERM') => void {
  // Node does not count these as idle, and browsers open some in advance.
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.prependListener('request', ({ socket }) => unused.delete(socket));
  server.prependListener('upgrade', ({ socket }) => unused.delete(socket));
  let first: { signal: string; at: number } | undefined;
  return (signal) => {
    if (first !== undefined) {
      const isSamePress =
        signal === 'SIGINT' && first.signal === 'SIGINT' && now() - first.at < SAME_PRESS_MS;
      if (!isSamePress) exit(signal === 'SIGINT' ? 130 : 143);
      return;
    }
    first = { signal, at: now() };
    server.close(() => {
      exit(0);
    });
    channels?.drain();
    // A connection whose answer ends now would stay open for the next request.
    const idle = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
    }, 50);
    const end = setTimeout(() => {
      server.closeAllConnections();
      channels?.end();
    }, graceMs);
    server.once('close', () => {
      clearInterval(idle);
      clearTimeout(end);
    });
  };
}
