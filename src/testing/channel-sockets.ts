/** WebSockets of a page in Node, as browser-page.ts gives them; a test may cut them. */
import { WebSocket } from 'ws';

import type { OpenSocket } from '../gateway/channel/channel-client.ts';

export interface ChannelSockets {
  open: OpenSocket;
  /** All that were opened, the last one last. */
  sockets: WebSocket[];
  /** The connection breaks without a goodbye. */
  breakConnection: () => void;
}

export function createChannelSockets(origin: string): ChannelSockets {
  const sockets: WebSocket[] = [];
  return {
    sockets,
    breakConnection: () => sockets.at(-1)?.terminate(),
    open: (path, protocol, { onOpen, onMessage, onClose }) => {
      const socket = new WebSocket(origin.replace(/^http/, 'ws') + path, protocol, { origin });
      sockets.push(socket);
      socket.binaryType = 'arraybuffer';
      socket.on('error', () => undefined);
      socket.on('open', onOpen);
      socket.on('message', (data: ArrayBuffer, isBinary) =>
        onMessage(isBinary ? data : Buffer.from(data).toString()),
      );
      socket.on('close', onClose);
      return {
        // Like a browser's: what is said to a connection that closes is lost.
        send: (frame) => socket.readyState === WebSocket.OPEN && socket.send(frame),
        close: () => socket.close(),
      };
    },
  };
}
