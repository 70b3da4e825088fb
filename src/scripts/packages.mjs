// Knows which npm packages are installed. No dependencies.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** npm's own list of what it installed, written at the end of an installation. */
const installedList = path.join(root, 'node_modules/.package-lock.json');

/** True while packages are missing, or the lock file is newer than they are. */
export function isInstallationStale() {
  const getModifiedMs = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return getModifiedMs(installedList) < getModifiedMs(path.join(root, 'package-lock.json'));
}

/** True if the packages for checking are installed, not only those for building and serving. */
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
