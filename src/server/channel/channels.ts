import { randomBytes } from 'node:crypto';

import type { WebSocket } from 'ws';

import { noResumeCloseCode } from '../../lib/channel-frames.ts';
import { readPageFrame } from './page-frames.ts';
import { createServerChannel, type ServerChannelDeps, type ServerChannel } from './server-channel.ts';

/** All channels of the server. */
export interface Channels {
  /** Handles an accepted connection, whose first frame contains the name of the channel to resume, if any. */
  connect: (socket: WebSocket, peer: ChannelPeer) => void;
  /** Returns true if the maximum number of channels is open, or if the server is stopping. */
  isFull: () => boolean;
  /** Ends all channels of a client that has logged out. */
  closeForOwner: (owner: string) => void;
  /** Accepts no new channels and ends each channel after its last run. */
  drain: () => void;
  end: () => void;
}

/** The client of a connection, identified by its upgrade request. */
export interface ChannelPeer extends Pick<
  ServerChannelDeps,
  'owner' | 'createRequest' | 'handle' | 'onRunEnd'
> {
  /** End of the login session in epoch ms. */
  endsAt: number | undefined;
}

const MAX_CHANNELS = 1024;
const FIRST_FRAME_TIMEOUT_MS = 10_000;
/**
 * Ping interval in ms. A connection that misses two pings in a row is dead, even without a close; proxies in between
 * keep idle connections open for longer than this.
 */
const PING_INTERVAL_MS = 15_000;

export function createChannels({ stallTimeoutMs }: Pick<ServerChannelDeps, 'stallTimeoutMs'>): Channels {
  const channels = new Map<string, ServerChannel>();
  const sockets = new Set<WebSocket>();
  const socketsAwaitingPong = new WeakSet<WebSocket>();
  let isDraining = false;

  const pingTimer = setInterval(() => {
    for (const socket of sockets) {
      if (socketsAwaitingPong.has(socket)) socket.terminate();
      socketsAwaitingPong.add(socket);
      socket.ping();
    }
  }, PING_INTERVAL_MS);
  pingTimer.unref();

  function openChannel(peer: ChannelPeer): ServerChannel {
    const name = randomBytes(24).toString('base64url');
    const channel = createServerChannel({
      ...peer,
      name,
      stallTimeoutMs,
      now: () => performance.now(),
      onEnd: () => void channels.delete(name),
    });
    channels.set(name, channel);
    return channel;
  }

  return {
    isFull: () => isDraining || channels.size >= MAX_CHANNELS,
    connect(socket, peer) {
      sockets.add(socket);
      socket.on('pong', () => socketsAwaitingPong.delete(socket));
      const { endsAt } = peer;
      // A login session lasts a day, well below the 24 days that a timer can run.
      const sessionTimer = endsAt === undefined ? undefined : setTimeout(end, endsAt - Date.now());
      const firstFrameTimer = setTimeout(() => socket.terminate(), FIRST_FRAME_TIMEOUT_MS);
      let channel: ServerChannel | undefined;
      function end() {
        channel?.end();
        socket.close(noResumeCloseCode);
      }
      socket.once('close', () => {
        sockets.delete(socket);
        clearTimeout(firstFrameTimer);
        clearTimeout(sessionTimer);
      });
      socket.on('error', () => undefined);
      socket.once('message', (data: Buffer, isBinary: boolean) => {
        clearTimeout(firstFrameTimer);
        const frame = isBinary ? undefined : readPageFrame(data.toString());
        if (frame === undefined || !('runs' in frame) || isDraining) return end();
        const existingChannel = channels.get(frame.channel ?? '');
        channel = existingChannel?.owner === peer.owner ? existingChannel : openChannel(peer);
        // A channel that no longer exists has no runs to resume; the new name in the reply informs the page.
        if (!channel.attach(socket, channel === existingChannel ? frame.runs : [])) end();
      });
    },
    closeForOwner: (owner) => {
      for (const channel of channels.values()) if (channel.owner === owner) channel.end();
    },
    drain() {
      isDraining = true;
      for (const channel of channels.values()) channel.drain();
    },
    end() {
      clearInterval(pingTimer);
      for (const channel of channels.values()) channel.end();
      for (const socket of sockets) socket.terminate();
    },
  };
}
