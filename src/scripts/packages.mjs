// Determines which npm packages are installed. No dependencies.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** npm's list of installed packages, written at the end of an installation. */
const installedList = path.join(root, 'node_modules/.package-lock.json');

/** Returns true if packages are missing or older than the lock file. */
export function isInstallationStale() {
  const getModifiedMs = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return getModifiedMs(installedList) < getModifiedMs(path.join(root, 'package-lock.json'));
}

/** Returns true if the development packages are also installed. */
export function hasDevPackages() {
  return existsSync(installedList) && readFileSync(installedList, 'utf8').includes('"dev": true');
}

/** Returns the path of a file in node_modules. Ends the process with code 2 if it is not installed. */
export function requirePackage(name) {
  const file = path.join(root, 'node_modules', name);
  if (existsSync(file)) return file;
  console.error('Run npm test once to install everything.');
  return process.exit(2);
}
