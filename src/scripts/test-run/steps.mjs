// Runs the tools that make up npm test. No dependencies.
import { spawn } from 'node:child_process';
import path from 'node:path';

import { root } from '../packages.mjs';

/**
 * Runs a Node script to its end. Parallel steps buffer their output, so that each can be read as a whole; a silent step
 * fails on any output. Returns the exit code and the duration in seconds.
 */
export async function runStep({
  name,
  script,
  args = [],
  env = process.env,
  isAlone = true,
  isSilent = false,
}) {
  const title = `\n> ${name}: ${path.basename(script)} ${args.join(' ')}`.trimEnd();
  if (isAlone) console.error(title);
  const startedAt = performance.now();
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    env,
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  const output = [];
  child.stdout?.on('data', (data) => output.push(data));
  child.stderr?.on('data', (data) => output.push(data));
  const exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  const code = exitCode === 0 && isSilent && output.length > 0 ? 1 : exitCode;
  if (!isAlone) {
    console.error(title);
    process.stderr.write(Buffer.concat(output));
  }
  if (code !== 0) console.error(`Failed: ${name}.`);
  return { name, code, seconds: (performance.now() - startedAt) / 1000 };
}

/** Runs steps in order, two at a time. Returns the result of each. */
export async function runInParallel(steps) {
  const pendingSteps = [...steps];
  const results = [];
  const runWorker = async () => {
    for (let step = pendingSteps.shift(); step !== undefined; step = pendingSteps.shift())
      results.push(await runStep({ ...step, isAlone: false }));
  };
  await Promise.all([runWorker(), runWorker()]);
  return results;
}

const PARENT_CHECK_MS = 250;

/**
 * npm runs this process in a shell that exits on SIGTERM without forwarding it. If npm started this process, the end of
 * the shell is therefore treated as the signal, so that no server is left running.
 */
export function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  timer.unref();
}
