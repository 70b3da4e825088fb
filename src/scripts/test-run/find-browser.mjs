// Finds the browsers for the browser tests. A missing browser fails the run, so no test is skipped silently.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { requirePackage } from '../packages.mjs';

const { env, platform } = process;

// Playwright's headless Chromium is preferred, because the tests then take only three quarters of the time.
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

/**
 * Returns the path of Chromium or Chrome, installing one if there is none; `undefined` after printing what to install.
 */
export async function findChromium() {
  const configuredPath = readConfiguredPath('CHROMIUM_PATH');
  if (configuredPath !== undefined) return configuredPath === '' ? undefined : configuredPath;
  requirePackage('playwright');
  const { chromium } = await import('playwright');
  const findInstalled = () =>
    findFirstExisting([chromium.executablePath(), ...(CHROMIUM_PATHS[platform] ?? [])]);
  const installedPath = findInstalled();
  if (installedPath !== undefined) return installedPath;

  console.error('No Chromium or Chrome is installed. Trying: playwright install chromium.');
  run(process.execPath, [requirePackage('playwright/cli.js'), 'install', 'chromium']);
  const downloaded = findInstalled();
  if (downloaded !== undefined) return downloaded;

  const asRoot = getRootCommand();
  if (asRoot !== undefined && existsSync('/usr/bin/apt-get')) {
    console.error('Trying: apt-get install chromium.');
    run(...asRoot('apt-get', ['update']));
    run(...asRoot('apt-get', ['install', '-y', 'chromium']));
    // Only Debian provides it as a package.
    run(...asRoot('apt-get', ['install', '-y', path.basename(HEADLESS_SHELL)]));
    const installed = findInstalled();
    if (installed !== undefined) return installed;
  }
  console.error(
    'The browser tests need Chromium. Install it (on Debian: apt-get install chromium) or set CHROMIUM_PATH to its program.',
  );
  return undefined;
}

/** Returns the path of Firefox, or `undefined` after printing that its tests are skipped. */
export function findFirefox() {
  const configuredPath = readConfiguredPath('FIREFOX_PATH');
  const firefoxPath =
    configuredPath === undefined ? findFirstExisting(FIREFOX_PATHS[platform] ?? []) : configuredPath;
  if (firefoxPath !== undefined && firefoxPath !== '') return firefoxPath;
  console.error(
    'Firefox is not installed, so the browser tests run in Chromium only. FIREFOX_PATH can name one elsewhere.',
  );
  return undefined;
}

/**
 * Returns the path from a variable; '' after reporting that no file exists there; `undefined` if the variable is unset.
 */
function readConfiguredPath(variable) {
  const configuredPath = env[variable];
  if (configuredPath === undefined || configuredPath === '') return undefined;
  if (existsSync(configuredPath)) return configuredPath;
  console.error(`${variable} is ${configuredPath}, but there is no such program.`);
  return '';
}

function findFirstExisting(names) {
  return names.find((name) => name !== undefined && name !== '' && existsSync(name));
}

/** Returns how to run a command as root, if that needs no password. */
function getRootCommand() {
  if (process.getuid?.() === 0) return (command, args) => [command, args];
  if (run('sudo', ['-n', 'true'], 'ignore')) return (command, args) => ['sudo', ['-n', command, ...args]];
  return undefined;
}

function run(command, args, stdio = ['ignore', 2, 2]) {
  return spawnSync(command, args, { stdio, env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
}

// Run directly, it prints the path for other tools.
if (process.argv[1] === import.meta.filename) {
  const chromiumPath = await findChromium();
  if (chromiumPath === undefined) process.exit(1);
  console.log(chromiumPath);
}
