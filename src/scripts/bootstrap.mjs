// Runs before the other scripts on a bare clone: no dependencies. Says nothing when there is nothing to do.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** `engines` of package.json, for people whose npm only warns. */
function isNodeSupported(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
}

/** Milliseconds since the epoch, or 0 when the file is missing. */
function modifiedAt(file) {
  return statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (!isNodeSupported(process.versions.node)) {
  console.error(`Bench needs Node 20.19, 22.12 or newer; this is Node ${process.versions.node}.`);
  process.exit(1);
}

if (modifiedAt('node_modules/.package-lock.json') < modifiedAt('package-lock.json')) {
  console.error('Installing packages (npm ci).');
  const isWindows = process.platform === 'win32';
  // Its messages go to standard error: standard output is for the ready line alone.
  const { status } = spawnSync(
    'npm',
    ['ci', '--include=dev', '--ignore-scripts', '--no-fund', '--no-audit'],
    {
      cwd: root,
      shell: isWindows,
      stdio: ['ignore', 2, 2],
    },
  );
  if (status !== 0) {
    console.error('The packages could not be installed: see the npm message above.');
    process.exit(status ?? 1);
  }
}
