// Loaded into the measured server before its own code: answers its parent with memory, files and delays of the event loop.
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
process.on('message', (question) => {
  if (question === 'forget') return void delay.reset();
  if (question !== 'report') return;
  globalThis.gc?.();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const files = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0;
  process.send?.({ rss, heapUsed, external, arrayBuffers, files, delayP99Ms: delay.percentile(99) / 1e6 });
});
// Only the channel to the parent would keep a stopping server alive.
process.channel?.unref();
