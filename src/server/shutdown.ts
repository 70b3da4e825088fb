import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import type { Channels } from './channel/channels.ts';

export interface ShutdownOptions {
  server: Server;
  /** Upgraded connections, which the server no longer manages. */
  channels?: Pick<Channels, 'drain' | 'end'>;
  /** Maximum time in ms for running answers to finish. */
  graceMs: number;
  now: () => number;
  /** Called with the exit code when everything is closed. */
  exit: (code: number) => void;
}

/** The terminal and npm both forward Ctrl+C, so one press may arrive twice within this time in ms. */
const SAME_PRESS_MS = 200;

/**
 * Handles SIGINT and SIGTERM: stops accepting, lets running answers finish for a while and exits with 0; a second
 * signal ends immediately.
 */
export function createShutdownHandler({
  server,
  channels,
  graceMs,
  now,
  exit,
}: ShutdownOptions): (signal: 'SIGINT' | 'SIGTERM') => void {
  // Node does not count unused connections as idle, and browsers open some in advance.
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
    // A connection whose answer ends now would otherwise stay open for the next request.
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
