/** WebSockets of a page in Node, with the interface of browser-page.ts; tests can break the connections. */
import { WebSocket } from 'ws';

import type { OpenSocket } from '../gateway/channel/channel-client.ts';

export interface ChannelSockets {
  open: OpenSocket;
  /** All sockets in the order in which they were opened. */
  sockets: WebSocket[];
  /** Breaks the connection without a close frame. */
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
        // Frames sent to a closing connection are lost, as in a browser.
        send: (frame) => socket.readyState === WebSocket.OPEN && socket.send(frame),
        close: () => socket.close(),
      };
    },
  };
}
