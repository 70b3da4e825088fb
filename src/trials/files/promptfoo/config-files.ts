/** Reads the files that a configuration names, through the caller, and only text files below its folder. */
import { decodeText, describeBinary } from '../../../lib/table/decode-text.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import { parseConfigDocument } from './config-document.ts';
import { configFileExtensions, type ConfigFileExtension } from './config-file-extensions.ts';
import type { NoteCollector } from './config-notes.ts';

/** Text of a file, or the reason why it cannot be read, as the end of a sentence. */
export type ConfigFileText = { ok: true; text: string } | { ok: false; reason: string };

/** Returns the text in the bytes of a file of any encoding. */
export function decodeConfigFile(bytes: Uint8Array): ConfigFileText {
  const binary = describeBinary(bytes);
  if (binary !== undefined) return { ok: false, reason: `it is ${binary}` };
  const { text } = decodeText(bytes);
  return text.includes('\0') ? { ok: false, reason: 'it is not text' } : { ok: true, text };
}

/** Files below the folder of a configuration. Paths are relative, with slashes, and have been checked. */
export interface ConfigFiles {
  /** Returns the text of a file; `undefined` if there is none. */
  readFile: (path: string) => Promise<ConfigFileText | undefined>;
  /** Lists the names of the files in a folder, for patterns such as `prompts/*.txt`; empty for the folder itself. */
  listFiles?: (folder: string) => Promise<readonly string[]>;
}

export interface ReadConfigFile {
  path: string;
  extension: ConfigFileExtension;
  text: string;
}

export interface ConfigFileReader {
  /** Returns the files that a `file://` reference or path names; adds a note about each that cannot be read. */
  read: (reference: string, subject: string) => Promise<ReadConfigFile[]>;
  /** Returns the YAML or JSON values of these files. */
  readValues: (reference: string, subject: string) => Promise<unknown[]>;
  /** Paths of files that the caller did not have. */
  missing: Set<string>;
}

const maxPatternFiles = 1_000;
const fileScheme = 'file://';

export function isFileReference(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(fileScheme);
}

/** Returns the path of a reference below the folder, or the reason why it is not read. */
export function checkPath(reference: string): { path: string } | { reason: string } {
  const rawPath = isFileReference(reference) ? reference.slice(fileScheme.length) : reference;
  const path = rawPath.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  if (path.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(path) || path.startsWith('~'))
    return { reason: 'only files below the folder of the configuration are read' };
  if (path.split('/').includes('..'))
    return { reason: 'only files below the folder of the configuration are read' };
  if (path.includes('{{') || path.includes('{%')) return { reason: 'file names with templates are not read' };
  if (/\.(?:[cm]?[jt]s|py|rb|go|sh)(?::|$)/i.test(path)) return { reason: 'Bench runs no code' };
  if (getExtension(path) === undefined)
    return { reason: `only ${configFileExtensions.join(', ')} files are read` };
  return { path };
}

function getExtension(path: string): ConfigFileExtension | undefined {
  const extension = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  return configFileExtensions.find((candidate) => candidate === extension);
}

export function createConfigFileReader(files: ConfigFiles, notes: NoteCollector): ConfigFileReader {
  const missing = new Set<string>();
  const texts = new Map<string, Promise<ConfigFileText | undefined>>();
  const readOnce = (path: string) => {
    const text = texts.get(path) ?? files.readFile(path);
    texts.set(path, text);
    return text;
  };

  /** Returns the paths that a pattern such as `prompts/*.txt` matches. */
  async function expandPattern(path: string): Promise<string[]> {
    if (!path.includes('*')) return [path];
    const [, folder = '', name = ''] = /^(.*\/)?([^/]*)$/.exec(path) ?? [];
    const pattern = new RegExp(`^${name.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '.*')}$`);
    const names = (await files.listFiles?.(folder.replace(/\/$/, ''))) ?? [];
    return names
      .filter((candidate) => pattern.test(candidate))
      .toSorted()
      .slice(0, maxPatternFiles)
      .map((candidate) => `${folder}${candidate}`);
  }

  async function read(reference: string, subject: string): Promise<ReadConfigFile[]> {
    const checked = checkPath(reference);
    if ('reason' in checked) {
      notes.add({ subject, reason: checked.reason });
      return [];
    }
    const paths = await expandPattern(checked.path);
    if (paths.length === 0) {
      missing.add(checked.path);
      notes.add({ subject, reason: `no file matches ${sanitizeForSentence(checked.path)}` });
    }
    const readFiles: ReadConfigFile[] = [];
    for (const path of paths) {
      const file = await readOnce(path);
      const extension = getExtension(path);
      if (!file) missing.add(path);
      if (file?.ok && extension) readFiles.push({ path, extension, text: file.text.replace(/^\uFEFF/, '') });
      else
        notes.add({
          subject,
          reason: file?.ok === false ? file.reason : `the file ${sanitizeForSentence(path)} is missing`,
        });
    }
    return readFiles;
  }

  return {
    missing,
    read,
    readValues: async (reference, subject) => {
      const values: unknown[] = [];
      for (const { path, text } of await read(reference, subject)) {
        const parsed = parseConfigDocument(text);
        if (parsed.ok) values.push(parsed.value);
        else notes.add({ subject, reason: `${sanitizeForSentence(path)} cannot be read: ${parsed.reason}` });
      }
      return values;
    },
  };
}
