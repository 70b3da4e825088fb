/** File actions for sessions and recordings; the modules that write and read files are preloaded. */
import type { SessionId, TurnId } from '../../../conversation/session/types.ts';
import { createPreloadableImport } from '../../../lib/lazy-import.ts';
import type { Playground } from '../../../state/create-playground.ts';
import { reportFailure } from '../../../state/notices.ts';
import { openFileDialog } from '../../../ui/display/open-file-dialog.ts';
import type { SessionFormat } from './save-session.ts';

const loadSessionSaver = createPreloadableImport(() => import('./save-session.ts'));
const loadTapeSaver = createPreloadableImport(() => import('./save-tape-file.ts'));
const loadSessionImporter = createPreloadableImport(() => import('./import-sessions.ts'));

/** Saves one session as a record or for reading; reports the result or the error. */
export async function saveSessionFile(
  playground: Playground,
  id: SessionId,
  format: SessionFormat,
): Promise<void> {
  const saving = await loadSessionSaver();
  await saving.saveSession(playground, id, format);
}

/** Saves the recordings of a session, or only of the given answers; reports the result. */
export async function saveRecordings(
  playground: Playground,
  id: SessionId,
  turnIds?: readonly TurnId[],
): Promise<void> {
  const tapes = await loadTapeSaver();
  await tapes.saveTapeFile(playground, id, turnIds);
}

/** Opens a file dialog for sessions or recordings, imports the selected file and shows the result. */
export function importFromDialog(playground: Playground): void {
  const onFiles = ([file]: readonly File[]) =>
    file && reportFailure(playground.notices, loadAndImportSessions(playground, file));
  openFileDialog('.json,.jsonl,application/json,application/jsonl', onFiles, false);
}

/** Loads the importer and imports the file. If the user navigates after this call, the page is not changed. */
async function loadAndImportSessions(playground: Playground, file: File): Promise<void> {
  const hasNavigated = playground.router.trackNavigation();
  const imports = await loadSessionImporter();
  await imports.importSessions(playground, file, hasNavigated);
}
