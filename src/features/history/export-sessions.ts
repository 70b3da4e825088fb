import { toFileName } from '../../conversation/files/session-export.ts';
import type { SessionId } from '../../conversation/session/types.ts';
import { formatBytes, pluralize } from '../../lib/format.ts';
import type { AppServices, LibraryServices, RunServices } from '../../state/create-playground.ts';
import { showToast } from '../../state/notices.ts';
import { saveFile } from '../../ui/display/save-file.ts';

/** Saves the given sessions, or all of them, in one importable file and shows a toast with its contents. */
export async function exportSessions(
  {
    sessionFiles,
    recorder,
    notices,
  }: Pick<LibraryServices, 'sessionFiles'> & Pick<RunServices, 'recorder'> & Pick<AppServices, 'notices'>,
  ids: readonly SessionId[] | undefined,
): Promise<void> {
  await recorder.flush();
  const { exporter } = sessionFiles;
  const file = await exporter.buildJson(ids);
  if (!file) return;
  const name = buildFileName(ids, file.title);
  const bytes = saveFile(file.pieces, name, 'application/json');
  const partialNote = file.isPartial ? ' Answers that were still streaming are incomplete.' : '';
  const trialsText = file.trials === 0 ? '' : ` and ${pluralize(file.trials, 'trial')}`;
  const contents = `${pluralize(file.sessions, 'session')} with ${pluralize(file.answers, 'answer')}${trialsText}`;
  showToast(
    notices,
    `Saved ${name}: ${contents}, ${formatBytes(bytes)}.${partialNote} No key or gateway address is included.`,
  );
}

function buildFileName(ids: readonly SessionId[] | undefined, title: string): string {
  if (ids === undefined) return 'bench-all-sessions.json';
  return ids.length === 1 ? toFileName(title, 'json') : `bench-${ids.length}-sessions.json`;
}
