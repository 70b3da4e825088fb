import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

/** The value of a variable, or undefined when it is unset or empty. */
export type SettingLookup = (name: string) => string | undefined;

/**
 * Looks a variable up in the environment, then `.env.local`, then `.env` of a folder. The first place that
 * names it decides, so that `GATEWAY_API_KEY= npm start` switches a key off that a file sets.
 */
export function createSettingLookup(
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): SettingLookup {
  const sources = [
    environment,
    readEnvFile(path.join(folder, '.env.local')),
    readEnvFile(path.join(folder, '.env')),
  ];
  return (name) => {
    for (const source of sources) {
      const value = Object.hasOwn(source, name) ? source[name] : undefined;
      if (value !== undefined) return value.trim() === '' ? undefined : value.trim();
    }
    return undefined;
  };
}

function readEnvFile(file: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    // No such file is the usual case, and an unreadable one must not stop the demo gateway from starting.
    return {};
  }
}
