import { toFileName } from '../../conversation/files/session-export.ts';
import type { SessionId } from '../../conversation/session/types.ts';
import { formatBytes, pluralize } from '../../lib/format.ts';
import type { AppServices, LibraryServices, RunServices } from '../../state/create-playground.ts';
import { showToast } from '../../state/notices.ts';
import { saveFile } from '../../ui/display/save-file.ts';

/** Saves the given sessions in one importable file and shows a toast with its contents. */
export async function exportSessions(
  {
    sessionFiles,
    recorder,
    notices,
  }: Pick<LibraryServices, 'sessionFiles'> & Pick<RunServices, 'recorder'> & Pick<AppServices, 'notices'>,
  ids: readonly SessionId[],
): Promise<void> {
  await recorder.flush();
  const { exporter } = sessionFiles;
  const file = await exporter.buildJson(ids);
  if (!file) return;
  const name = ids.length === 1 ? toFileName(file.title, 'json') : `bench-${ids.length}-sessions.json`;
  const bytes = saveFile(file.pieces, name, 'application/json');
  const partialNote = file.isPartial ? ' Answers that were still streaming are incomplete.' : '';
  const contents = `${pluralize(file.sessions, 'session')} with ${pluralize(file.answers, 'answer')}`;
  showToast(notices, `Saved ${name}: ${contents}, ${formatBytes(bytes)}.${partialNote} No key is included.`);
}
