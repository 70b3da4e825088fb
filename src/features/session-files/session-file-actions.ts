/** File actions for sessions and recordings; the modules that write and read files are preloaded. */
import type { SessionId, TurnId } from '../../conversation/session/types.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import {
  useAppServices,
  useLibraryServices,
  useRunServices,
  useSessionServices,
} from '../../state/contexts.tsx';
import type {
  AppServices,
  LibraryServices,
  RunServices,
  SessionServices,
} from '../../state/create-playground.ts';
import { reportFailure } from '../../state/notices.ts';
import { openFileDialog } from '../../ui/display/open-file-dialog.ts';
import type { SessionFormat } from './save-session.ts';

const loadSessionSaver = createPreloadableImport(() => import('./save-session.ts'));
const loadTapeSaver = createPreloadableImport(() => import('./save-tape-file.ts'));
const loadSessionImporter = createPreloadableImport(() => import('./import-sessions.ts'));

/** Services that save and import sessions. */
export type SessionFileServices = Pick<LibraryServices, 'sessionFiles' | 'library'> &
  Pick<RunServices, 'recorder'> &
  Pick<SessionServices, 'view'> &
  Pick<AppServices, 'notices' | 'router' | 'gateways'>;

export function useSessionFileServices(): SessionFileServices {
  const { sessionFiles, library } = useLibraryServices();
  const { recorder } = useRunServices();
  const { view } = useSessionServices();
  const { notices, router, gateways } = useAppServices();
  return { sessionFiles, library, recorder, view, notices, router, gateways };
}

/** Saves one session as a record or for reading; reports the result or the error. */
export async function saveSessionFile(
  services: SessionFileServices,
  id: SessionId,
  format: SessionFormat,
): Promise<void> {
  const saving = await loadSessionSaver();
  await saving.saveSession(services, id, format);
}

/** Saves the recordings of a session, or only of the given answers; reports the result. */
export async function saveRecordings(
  services: SessionFileServices,
  id: SessionId,
  turnIds?: readonly TurnId[],
): Promise<void> {
  const tapes = await loadTapeSaver();
  await tapes.saveTapeFile(services, id, turnIds);
}

/** Opens a file dialog for sessions or recordings, imports the selected file and shows the result. */
export function importFromDialog(services: SessionFileServices): void {
  const onFiles = ([file]: readonly File[]) =>
    file && reportFailure(services.notices, loadAndImportSessions(services, file));
  openFileDialog('.json,.jsonl,application/json,application/jsonl', onFiles, false);
}

/** Loads the importer and imports the file. If the user navigates after this call, the page is not changed. */
async function loadAndImportSessions(services: SessionFileServices, file: File): Promise<void> {
  const hasNavigated = services.router.trackNavigation();
  const imports = await loadSessionImporter();
  await imports.importSessions(services, file, hasNavigated);
}
