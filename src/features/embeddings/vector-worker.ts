import { createLocalEngine } from '../../embedding/local-engine.ts';
import { serveEngine } from '../../embedding/serve-engine.ts';

// A message to oneself comes after those that already wait, and is not held back like a timer.
const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];
port2.addEventListener('message', () => waiting.shift()?.());
port2.start();

const engine = createLocalEngine({
  now: () => performance.now(),
  pause: () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port1.postMessage(undefined);
    }),
});

// The server allows WebAssembly in this file alone: its name is part of the policy (src/server/security-headers.ts).
serveEngine(
  {
    postMessage: (message, transfer) => postMessage(message, { transfer }),
    addEventListener: (type, listener) => addEventListener(type, listener),
  },
  engine,
);
