// Finds the browsers that the browser tests drive. A missing one fails the run, so no test is skipped silently.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { requirePackage } from '../packages.mjs';

const { env, platform } = process;

// Chromium without windows first, as Playwright has it: the tests take three quarters of the time with it.
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

const CHROMIUM_PATHS = {
  linux: [
    HEADLESS_SHELL,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/opt/google/chrome/chrome',
    '/usr/bin/microsoft-edge',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
    folder === undefined
      ? []
      : [
          path.join(folder, 'Google/Chrome/Application/chrome.exe'),
          path.join(folder, 'Microsoft/Edge/Application/msedge.exe'),
        ],
  ),
};

const FIREFOX_PATHS = {
  linux: ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/snap/bin/firefox'],
  darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
  win32: [env.PROGRAMFILES, env['PROGRAMFILES(X86)']].flatMap((folder) =>
    folder === undefined ? [] : [path.join(folder, 'Mozilla Firefox/firefox.exe')],
  ),
};

/** The path of a Chromium or Chrome, installed where there was none; undefined after saying what to install. */
export async function findChromium() {
  const given = givenPath('CHROMIUM_PATH');
  if (given !== undefined) return given === '' ? undefined : given;
  requirePackage('playwright');
  const { chromium } = await import('playwright');
  const known = () => firstExisting([chromium.executablePath(), ...(CHROMIUM_PATHS[platform] ?? [])]);
  const found = known();
  if (found !== undefined) return found;

  console.error('No Chromium or Chrome is installed. Trying: playwright install chromium.');
  run(process.execPath, [requirePackage('playwright/cli.js'), 'install', 'chromium']);
  const downloaded = known();
  if (downloaded !== undefined) return downloaded;

  const become = rootCommand();
  if (become !== undefined && existsSync('/usr/bin/apt-get')) {
    console.error('Trying: apt-get install chromium.');
    run(...become('apt-get', ['update']));
    run(...become('apt-get', ['install', '-y', 'chromium']));
    // Debian alone has it as a package of its own.
    run(...become('apt-get', ['install', '-y', path.basename(HEADLESS_SHELL)]));
    const installed = known();
    if (installed !== undefined) return installed;
  }
  console.error(
    'The browser tests need Chromium: install it (on Debian: apt-get install chromium) or set CHROMIUM_PATH to its program.',
  );
  return undefined;
}

/** The path of a Firefox, or undefined after saying that its tests do not run. */
export function findFirefox() {
  const given = givenPath('FIREFOX_PATH');
  const found = given === undefined ? firstExisting(FIREFOX_PATHS[platform] ?? []) : given;
  if (found !== undefined && found !== '') return found;
  console.error(
    'No Firefox is installed: the browser tests run in Chromium alone. FIREFOX_PATH names one elsewhere.',
  );
  return undefined;
}

/** The path that a variable names; '' after saying that nothing is there; undefined when it is unset. */
function givenPath(variable) {
  const given = env[variable];
  if (given === undefined || given === '') return undefined;
  if (existsSync(given)) return given;
  console.error(`${variable} is ${given}, but there is no such program.`);
  return '';
}

function firstExisting(names) {
  return names.find((name) => name !== undefined && name !== '' && existsSync(name));
}

/** How to run a command as root, where that needs no password. */
function rootCommand() {
  if (process.getuid?.() === 0) return (command, args) => [command, args];
  if (run('sudo', ['-n', 'true'], 'ignore')) return (command, args) => ['sudo', ['-n', command, ...args]];
  return undefined;
}

function run(command, args, stdio = ['ignore', 2, 2]) {
  return spawnSync(command, args, { stdio, env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
}

// As a command: prints the path, for other tools to use.
if (process.argv[1] === import.meta.filename) {
  const found = await findChromium();
  if (found === undefined) process.exit(1);
  console.log(found);
}
