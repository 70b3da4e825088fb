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
export function createShutdownHandler({
  server,
  channels,
  graceMs,
  now,
  exit,
}: ShutdownOptions): (signal: 'SIGINT' | 'SIGTERM') => void {
  // Node does not count these as idle, and browsers open some in advance.
  const unusedSockets = new Set<Socket>();
  server.on('connection', (socket) => {
    unusedSockets.add(socket);
    socket.once('close', () => unusedSockets.delete(socket));
  });
  server.prependListener('request', ({ socket }) => unusedSockets.delete(socket));
  server.prependListener('upgrade', ({ socket }) => unusedSockets.delete(socket));
  let firstSignal: { signal: string; atMs: number } | undefined;
  return (signal) => {
    if (firstSignal !== undefined) {
      const isSamePress =
        signal === 'SIGINT' && firstSignal.signal === 'SIGINT' && now() - firstSignal.atMs < SAME_PRESS_MS;
      if (!isSamePress) exit(signal === 'SIGINT' ? 130 : 143);
      return;
    }
    firstSignal = { signal, atMs: now() };
    server.close(() => {
      exit(0);
    });
    channels?.drain();
    // A connection whose answer ends now would stay open for the next request.
    const idleTimer = setInterval(() => {
      server.closeIdleConnections();
      for (const socket of unusedSockets) socket.destroy();
    }, 50);
    const graceTimer = setTimeout(() => {
      server.closeAllConnections();
      channels?.end();
    }, graceMs);
    server.once('close', () => {
      clearInterval(idleTimer);
      clearTimeout(graceTimer);
    });
  };
}
