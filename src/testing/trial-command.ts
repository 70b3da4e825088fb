/** Runs the trial command in the process of a test, with folders that are removed afterwards. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { onTestFinished } from 'vitest';

import type { CommandContext } from '../command/trial/command-context.ts';
import { createTrialWriter } from '../trials/files/trial-file.ts';
import type { Case, Trial } from '../trials/trial.ts';
import { createCases } from './open-trials.ts';
import { createColumns, createTestTrial } from './trials.ts';

export interface CommandFolder {
  folder: string;
  context: CommandContext;
  /** Lines printed so far, on both outputs. */
  lines: string[];
  /** Interrupts the command as Ctrl+C does. */
  interrupt: () => void;
  read: (name: string) => string;
  readJson: (name: string) => unknown;
  write: (name: string, text: string) => void;
}

/** Creates a temporary folder and a context with these settings. */
export function createCommandFolder(settings: Record<string, string> = {}): CommandFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-trial-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lines: string[] = [];
  let interrupt: () => void = () => undefined;
  return {
    folder,
    lines,
    interrupt: () => interrupt(),
    context: {
      getSetting: (name) => settings[name],
      version: '0.0.0',
      folder,
      print: (line) => void lines.push(line),
      printError: (line) => void lines.push(line),
      onInterrupt: (listener) => {
        interrupt = listener;
        return () => undefined;
      },
    },
    read: (name) => readFileSync(path.join(folder, name), 'utf8'),
    readJson: (name): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8')),
    write: (name, text) => writeFileSync(path.join(folder, name), text),
  };
}

/** Returns the file of a draft with two columns; the expected team of every case is billing. */
export function createTrialText(caseCount: number, changes: Partial<Trial> = {}): string {
  const cases: Case[] = createCases(caseCount);
  const trial = createTestTrial(caseCount, { columns: createColumns('north/one', 'south/two'), ...changes });
  const writer = createTrialWriter(trial);
  return [writer.writeHeader(null), ...cases.map(writer.writeCase)].join('');
}

/** Removes everything that differs between two runs of one trial: times, dates, and the IDs of runs and requests. */
export function normalizeRunText(text: string): unknown {
  const volatile = /(?:At|Ms|^at|^since|[rR]equestId|^runId|^created)$/;
  return JSON.parse(text, (name, value: unknown) => {
    if (volatile.test(name)) return undefined;
    const items: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
    if (items) return items.filter((item) => !String(item).includes(' times as long'));
    // Sentences about further cases contain the time that they take.
    return typeof value === 'string' ? value.replaceAll(/ \((?:\d+ (?:h|min|s) ?)+\)/g, '') : value;
  });
}

/** Returns the lines of a trial file without what differs between two runs. */
export const normalizeTrialText = (text: string): unknown[] => text.trim().split('\n').map(normalizeRunText);
