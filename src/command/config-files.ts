/** Reads text files below the folder of a configuration: no links out of it, no devices, up to 50 MB each. */
import { constants } from 'node:fs';
import { open, readdir, realpath, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';

import { formatError } from '../lib/format-error.ts';
import {
  decodeConfigFile,
  type ConfigFiles,
  type ConfigFileText,
} from '../trials/files/promptfoo/config-files.ts';
import { trialLimits } from '../trials/trial.ts';

const outsideReason = 'only files below the folder of the configuration are read';

/** Returns the files below the folder of a configuration. */
export function createFolderFiles(folder: string): ConfigFiles {
  const pendingRoot = realpath(folder);
  /** Resolves links; `undefined` if there is no such file, or if it is outside of the folder. */
  const resolvePath = async (path: string): Promise<{ path: string } | { isOutside: boolean }> => {
    const root = await pendingRoot;
    const resolvedPath = await realpath(join(root, path)).catch(() => undefined);
    if (resolvedPath === undefined) return { isOutside: false };
    const isInside = resolvedPath === root || resolvedPath.startsWith(root.endsWith(sep) ? root : root + sep);
    return isInside ? { path: resolvedPath } : { isOutside: true };
  };
  return {
    readFile: async (path) => {
      const resolved = await resolvePath(path);
      if ('path' in resolved) return readTextFile(resolved.path);
      return resolved.isOutside ? { ok: false, reason: outsideReason } : undefined;
    },
    listFiles: async (subfolder) => {
      const resolved = await resolvePath(subfolder);
      if (!('path' in resolved)) return [];
      const entries = await readdir(resolved.path, { withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
  };
}

/** Reads a configuration that the user names. The reason why it cannot be read is the end of a sentence. */
export async function readConfigText(path: string): Promise<ConfigFileText> {
  const resolvedPath = await realpath(path).catch(() => undefined);
  return resolvedPath === undefined
    ? { ok: false, reason: 'there is no such file' }
    : readTextFile(resolvedPath);
}

/** Reads a regular file whose path has no links. A link or pipe in its place is neither followed nor waited for. */
async function readTextFile(path: string): Promise<ConfigFileText> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (!stats.isFile()) return { ok: false, reason: 'it is not a file' };
    if (stats.size > trialLimits.fileBytes) return { ok: false, reason: 'it is larger than 50 MB' };
    return decodeConfigFile(await file.readFile());
  } catch (error) {
    return { ok: false, reason: `it cannot be opened (${formatError(error).split(':')[0]})` };
  } finally {
    await file?.close();
  }
}
