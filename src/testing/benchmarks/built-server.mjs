import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Starts the built server of a checkout on a free port, as npm start does, on its demo gateway or the given one. */
export async function startServer({ root }, gatewayUrl = '') {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const flags = scripts.start.split(' ').filter((part) => part.startsWith('--'));
  const child = spawn(process.execPath, [...flags, path.join(root, 'dist/server/main.js')], {
    // Uses a folder without .env.local, so that the settings of this checkout do not affect the measurement.
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      PORT: '0',
      GATEWAY_RPM: '0',
      GATEWAY_BASE_URL: gatewayUrl,
      // With a key, all bytes pass through the redaction.
      GATEWAY_API_KEY: gatewayUrl && 'fk-benchmark-5d1c7b9a4e2f4c38',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Keeps the last log message, to explain why the server ended early.
  let lastMessage = '';
  child.stderr.on('data', (chunk) => (lastMessage = String(chunk)));
  const url = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const ready = /Bench ready at (http:\S+)/.exec(output);
      if (ready !== null) resolve(ready[1]);
    });
    child.once('exit', () => reject(new Error(`The server of ${root} ended: ${lastMessage}`)));
  });
  return { url, pid: child.pid, stop: () => child.kill('SIGKILL') };
}
