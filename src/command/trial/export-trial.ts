/** Writes a trial in another format. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { formatError } from '../../lib/format-error.ts';
import { buildPromptfooConfig } from '../../trials/files/promptfoo/build-promptfoo-config.ts';
import { describeExportNote } from '../../trials/files/promptfoo/config-notes.ts';
import type { ImportedTrial } from '../../trials/files/trial-file.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { readTrialSource } from './read-source.ts';
import { createTrialHost, type TrialHost } from './trial-host.ts';

export type ExportFormat = 'promptfoo' | 'csv';

/** Writes the trial to `out`, or prints it. Throws UsageError and ConfigurationError. */
export async function exportTrial(
  file: string,
  { as: format, out }: { as: ExportFormat; out?: string | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  const host = await createTrialHost(context);
  try {
    const source = await readTrialSource(path.resolve(context.folder, file), host.newId);
    const { text, notes } = await buildExport(source.imported, format, host);
    for (const note of [...source.notes, ...notes]) context.printError(note);
    if (out === undefined) context.print(text.replace(/\n$/, ''));
    else writeExport(path.resolve(context.folder, out), text);
    return exitCodes.asExpected;
  } finally {
    await host.close();
  }
}

async function buildExport(
  imported: ImportedTrial,
  format: ExportFormat,
  host: TrialHost,
): Promise<{ text: string; notes: string[] }> {
  if (format === 'promptfoo') {
    const { text, notes } = buildPromptfooConfig(imported.trial, imported.cases);
    return { text, notes: notes.map(describeExportNote) };
  }
  const trial = await host.open(imported);
  return { text: (await trial.exportCsv()).pieces.join(''), notes: [] };
}

function writeExport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`Could not write ${file}: ${formatError(error)}`);
  }
}
