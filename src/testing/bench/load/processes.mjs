// The measured server and the gateway behind it, each in a process of its own.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = path.resolve(import.meta.dirname, '../../../..');
const blank = [
  'GATEWAY_BASE_URL',
  'GATEWAY_API_KEY',
  'GATEWAY_EXTRA_HEADERS',
  'PLAYGROUND_PASSWORD',
  'PLAYGROUND_ALLOWED_HOSTS',
  'HOST',
  'HTTP_PROXY',
  'HTTPS_PROXY',
];

/** What npm start gives to Node. */
const flags = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  .scripts.start.split(' ')
  .filter((part) => part.startsWith('--'));

function answerOf(child) {
  return new Promise((resolve) => {
    child.once('message', resolve);
    child.send('report');
  });
}

export async function startGateway() {
  const child = fork(path.join(import.meta.dirname, 'gateway.mjs'));
  const { port } = await new Promise((resolve) => child.once('message', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    chat: `http://127.0.0.1:${port}/v1/chat/completions`,
    report: () => answerOf(child),
    stop: () => child.kill('SIGKILL'),
  };
}

/** The server as it is built, with a key, so that every byte goes through the redaction. */
export async function startServer(gateway, settings = {}) {
  const child = fork(path.join(root, 'dist/server/main.js'), {
    cwd: root,
    execArgv: [...flags, '--expose-gc', '--import', path.join(import.meta.dirname, 'probe.mjs')],
    env: {
      PATH: process.env.PATH,
      ...Object.fromEntries(blank.map((name) => [name, ''])),
      NODE_ENV: 'production',
      PORT: '0',
      GATEWAY_RPM: '0',
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_API_KEY: 'fk-load-5d1c7b9a4e2f4c38',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let warnings = '';
  child.stderr.on('data', (data) => {
    if (/warning/i.test(String(data))) warnings += data;
  });
  const exited = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      const ready = /ready at (http:\S+)\//.exec(text);
      if (ready) resolve(ready[1]);
    });
    void exited.then(() => reject(new Error('The server ended before it was ready: npm run build')));
  });
  return {
    url,
    chat: `${url}/gateway/v1/chat/completions`,
    pid: child.pid,
    warnings: () => warnings,
    exited,
    signal: (name) => child.kill(name),
    report: () => answerOf(child),
    forget: () => child.send('forget'),
    /** In MB; read from outside, so that asking changes nothing. */
    rssMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The server after some use and a rest: what all growth is counted from. */
export async function idleReport(server, warmUp) {
  await warmUp();
  await sleep(1000);
  return { ...(await server.report()), rssMb: server.rssMb() };
}
