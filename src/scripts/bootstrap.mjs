// Installs packages before other scripts run: those for building and serving and, with --all, those for testing. No
// dependencies. Prints nothing if everything is installed.
import { spawnSync } from 'node:child_process';

import { hasDevPackages, isInstallationStale, root } from './packages.mjs';

/** Repeats `engines` of package.json, since npm only warns. */
function isNodeSupported(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
}

if (!isNodeSupported(process.versions.node)) {
  console.error(`Bench needs Node 20.19, 22.12 or newer. This is Node ${process.versions.node}.`);
  process.exit(1);
}

// npm ci removes packages that it does not install, so development packages are included if they are already installed.
const includesDev = process.argv.includes('--all') || hasDevPackages();
if (isInstallationStale() || (includesDev && !hasDevPackages())) {
  const kind = includesDev ? '--include=dev' : '--omit=dev';
  console.error(`Installing packages (npm ci ${kind}).`);
  // npm's output goes to standard error, since standard output is reserved for the ready line.
  const { status } = spawnSync('npm', ['ci', kind, '--ignore-scripts', '--no-fund', '--no-audit'], {
    cwd: root,
    shell: process.platform === 'win32',
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    console.error('Could not install the packages. See the npm message above.');
    process.exit(status ?? 1);
  }
}
