import { connectHelper, serveEngine } from '../../embedding/engine/engine-messages.ts';
import type { EngineHelper } from '../../embedding/engine/engine.ts';
import { createLocalEngine } from '../../embedding/engine/local-engine.ts';

/** Message from the page besides calls: a port to a helper, or the port on which this worker is the helper. */
export interface HelperMessage {
  role: 'has-helper' | 'is-helper';
  port: MessagePort;
}

// A message from the worker to itself is queued behind pending messages and, unlike a timer, is not throttled.
const { port1, port2 } = new MessageChannel();
const pendingResumes: (() => void)[] = [];
port2.addEventListener('message', () => pendingResumes.shift()?.());
port2.start();

const helpers: EngineHelper[] = [];
const engine = createLocalEngine({
  now: () => performance.now(),
  pause: () =>
    new Promise((resolve) => {
      pendingResumes.push(resolve);
      port1.postMessage(undefined);
    }),
  helpers,
});

addEventListener('message', ({ data }: MessageEvent<HelperMessage | { id: number }>) => {
  if (!('role' in data)) return;
  const { role, port } = data;
  if (role === 'is-helper') serveEngine(port, engine);
  else helpers.push(connectHelper(port));
  port.start();
});

// The server allows WebAssembly in this file only: its name is part of the policy
// (src/server/guard/security-headers.ts).
serveEngine(
  {
    postMessage: (message, transfer) => postMessage(message, { transfer }),
    addEventListener: (type, listener) => addEventListener(type, listener),
  },
  engine,
);
