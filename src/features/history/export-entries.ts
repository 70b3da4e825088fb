import { toFileName } from '../../conversation/files/session-export.ts';
import { formatBytes, formatList, pluralize } from '../../lib/format.ts';
import type { AppServices, LibraryServices, RunServices } from '../../state/create-playground.ts';
import type { SavedSets } from '../../state/lab/saved-sets.ts';
import { showToast } from '../../state/notices.ts';
import { saveFile } from '../../ui/display/save-file.ts';
import { isSetEntry, type HistoryEntry } from './history-entries.ts';

interface ExportServices
  extends Pick<LibraryServices, 'sessionFiles'>, Pick<RunServices, 'recorder'>, Pick<AppServices, 'notices'> {
  openSets: () => Promise<Pick<SavedSets, 'exportSets'>>;
}

/** Saves the given entries in one importable file and shows a toast with its contents. */
export async function exportEntries(
  { sessionFiles, recorder, notices, openSets }: ExportServices,
  entries: readonly HistoryEntry[],
): Promise<void> {
  await recorder.flush();
  const setIds = entries.filter(isSetEntry).map(({ id }) => id);
  const otherIds = entries.filter((entry) => !isSetEntry(entry)).map(({ id }) => id);
  const sets = setIds.length === 0 ? [] : await (await openSets()).exportSets(setIds);
  const file = await sessionFiles.exporter.buildJson(otherIds, sets);
  if (!file) return;
  const { sessions, trials } = file;
  const count = sessions + trials + file.sets;
  const name =
    count === 1
      ? toFileName(file.title, 'json')
      : `bench-${count}-${sessions === count ? 'sessions' : 'entries'}.json`;
  const bytes = saveFile(file.pieces, name, 'application/json');
  const partialNote = file.isPartial ? ' Answers that were still streaming are incomplete.' : '';
  const contents = formatList([
    ...(sessions > 0 ? [`${pluralize(sessions, 'session')} with ${pluralize(file.answers, 'answer')}`] : []),
    ...(trials > 0 ? [pluralize(trials, 'trial')] : []),
    ...(file.sets > 0 ? [pluralize(file.sets, 'embedding set')] : []),
  ]);
  showToast(notices, `Saved ${name}: ${contents}, ${formatBytes(bytes)}.${partialNote} No key is included.`);
}
