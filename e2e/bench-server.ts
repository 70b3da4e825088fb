import { spawn } from 'node:child_process';
import path from 'node:path';

export interface BenchServer {
  url: string;
  pid: number;
  /** Returns everything the server has printed, to check for leaks. */
  getOutput: () => string;
  stop: () => Promise<void>;
}

/** src/scripts/records.mjs sets this to the build of another commit. */
const checkoutPath = process.env['BENCH_CHECKOUT'] ?? path.resolve(import.meta.dirname, '..');

/** Starts the built server on a free port with exactly these settings; resolves when it accepts connections. */
export function startBench(
  settings: Record<string, string> = {},
  { cwd = process.cwd() }: { cwd?: string } = {},
): Promise<BenchServer> {
  return start('dist/server/main.js', { NODE_ENV: 'production', ...settings }, cwd);
}

/** Starts the development server of `npm run dev`, which has the gallery that the build lacks. */
export function startDevBench(): Promise<BenchServer> {
  return start('node_modules/vite/bin/vite.js', { NODE_ENV: 'development' }, checkoutPath);
}

async function start(entry: string, settings: Record<string, string>, cwd: string): Promise<BenchServer> {
  const child = spawn(process.execPath, [path.join(checkoutPath, entry)], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...blankSettings, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exitPromise = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const readyMatch = /(?:Bench ready at|Local:) +(http:\S+)/.exec(output);
      if (readyMatch?.[1] !== undefined) resolve(readyMatch[1]);
    });
    void exitPromise.then(() => reject(new Error(`The server ended before it was ready:\n${output}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    getOutput: () => output,
    stop: async () => {
      child.kill('SIGKILL');
      await exitPromise;
    },
  };
}

/** Empty values count as unset and take precedence over the developer's .env.local. */
const blankSettings = {
  GATEWAYS: '',
  GATEWAY_BASE_URL: '',
  GATEWAY_API_KEY: '',
  GATEWAY_PRICES: '',
  GATEWAY_RPM: '0',
  // Answers arrive immediately; tests about pace set a speed.
  DEMO_GATEWAY_TOKENS_PER_SECOND: '0',
  GATEWAY_EXTRA_HEADERS: '',
  PLAYGROUND_PASSWORD: '',
  PLAYGROUND_ALLOWED_HOSTS: '',
  HOST: '',
};
