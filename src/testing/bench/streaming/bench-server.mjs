import { spawn } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../../..');

/** Starts the built Bench on a free port, on its demo gateway or the one given; `perMinute` requests at most, 0: no limit. */
export async function startBuiltBench(gatewayUrl = '', { perMinute = 0 } = {}) {
  const child = spawn(process.execPath, [path.join(root, 'dist/server/main.js')], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      PORT: '0',
      GATEWAY_RPM: String(perMinute),
      GATEWAY_BASE_URL: gatewayUrl,
      GATEWAY_API_KEY: gatewayUrl && 'bench-key',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const ready = /Bench ready at (http:\S+)/.exec(output);
      if (ready !== null) resolve(ready[1]);
    });
    child.once('exit', () => reject(new Error('Bench ended before it was ready.')));
  });
  return { url, stop: () => child.kill('SIGKILL') };
}
