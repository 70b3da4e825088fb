import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

import { ConfigurationError } from './configuration-error.ts';

/** Returns the value of a variable, or undefined if it is unset or empty. */
export type SettingLookup = (name: string) => string | undefined;

/**
 * Creates a lookup in the environment, then in `.env.local`, then in `.env` of a folder. The first source that contains
 * the variable is used, so `GATEWAY_API_KEY= npm start` disables a key from a file.
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
    // Usually there is no such file, and an unreadable file must not prevent the demo gateway from starting.
    return {};
  }
}

/** Reads a whole number from 0 to `max`. Throws ConfigurationError. */
export function readInteger(getSetting: SettingLookup, name: string, fallback: number, max: number): number {
  const text = getSetting(name);
  if (text === undefined) return fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new ConfigurationError(`${name} is ${quoteText(text)}: it must be a whole number from 0 to ${max}.`);
}

/** Returns the beginning of a value in quotation marks, for messages. */
export function quoteText(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
