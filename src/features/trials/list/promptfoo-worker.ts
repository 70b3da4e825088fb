/** Reads a promptfoo configuration in a worker, because large or malicious files would block the page. */
import { formatError } from '../../../lib/format-error.ts';
import { decodeConfigFile, type ConfigFiles } from '../../../trials/files/promptfoo/config-files.ts';
import {
  parsePromptfooConfig,
  type PromptfooResult,
} from '../../../trials/files/promptfoo/parse-promptfoo-config.ts';
import { trialLimits } from '../../../trials/trial.ts';

export interface PromptfooRequest {
  config: File;
  /** Files that the configuration may name. */
  files: readonly File[];
}

async function readConfig({ config, files }: PromptfooRequest): Promise<PromptfooResult> {
  try {
    const file = await readFile(config);
    if (!file.ok) return { ok: false, reason: `The configuration cannot be read: ${file.reason}.` };
    return await parsePromptfooConfig(file.text, createChosenFiles(files));
  } catch (error) {
    return { ok: false, reason: formatError(error) };
  }
}

/** Browsers do not reveal folders of chosen files, so files are found by their names. */
function createChosenFiles(files: readonly File[]): ConfigFiles {
  const getName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  return {
    readFile: async (path) => {
      const file = files.find(({ name }) => name === getName(path));
      return file && readFile(file);
    },
    listFiles: async () => files.map(({ name }) => name),
  };
}

async function readFile(file: File): Promise<ReturnType<typeof decodeConfigFile>> {
  if (file.size > trialLimits.fileBytes) return { ok: false, reason: 'it is larger than 50 MB' };
  return decodeConfigFile(new Uint8Array(await file.arrayBuffer()));
}

addEventListener('message', ({ data }: MessageEvent<PromptfooRequest>) => {
  void readConfig(data).then((result) => postMessage(result));
});
