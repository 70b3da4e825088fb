/** The parts of its process that a command needs. */
import type { SettingLookup } from '../../server/settings-source.ts';

export interface CommandContext {
  getSetting: SettingLookup;
  version: string;
  /** Folder that relative file names start from. */
  folder: string;
  /** Writes a line to standard output; `printError` writes to standard error. */
  print: (line: string) => void;
  printError: (line: string) => void;
  /** Replaces the line of progress on a terminal; undefined if standard error is not a terminal. */
  showProgress?: ((line: string) => void) | undefined;
  /** Calls the listener on the first interrupt; a second one ends the process. Returns a function that removes it. */
  onInterrupt: (listener: () => void) => () => void;
  /** Module of the thread that scores answers; without it, slow patterns block the process. */
  scoreThread?: URL | undefined;
}
