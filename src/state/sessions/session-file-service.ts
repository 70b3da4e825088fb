import { formatError } from '../../lib/format-error.ts';
import { pluralize } from '../../lib/format.ts';
/** Sessions into files and back, as a person asks for it. */
import { lazyImport, preloadableImport } from '../../lib/lazy-import.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { TabLink } from '../tabs/tab-channel.ts';
import type { Actions } from './actions.ts';
import type { LibraryExport } from './library-export.ts';
import type { ImportOutcome } from './library-import.ts';
import type { Library } from './library.ts';
import type { SessionStore } from './session-store.ts';

// What is in memory can be saved where the network has gone, too.
const loadExport = preloadableImport(() => import('./library-export.ts'));
const loadImport = preloadableImport(() => import('./library-import.ts'));

export interface SessionFiles {
  exporter: LibraryExport;
  /** Takes a file in, or nothing of it. What came in can be taken back for a while. */
  importFile: (file: File) => Promise<ImportOutcome>;
}

interface Parts {
  records: RecordStore;
  library: Library;
  store: SessionStore;
  link: TabLink;
  newId: () => string;
  /** Trials have come or gone. */
  onTrials: () => void;
  offerUndo: Actions['offerUndo'];
  startImportWorker?: (() => Promise<Worker>) | undefined;
}

export function createSessionFiles({
  records,
  library,
  store,
  link,
  newId,
  onTrials,
  offerUndo,
  startImportWorker,
}: Parts): SessionFiles {
  function welcome({
    sessionIds,
    trialIds,
    damaged,
    droppedFields,
  }: Extract<ImportOutcome, { ok: true }>): void {
    library.refresh();
    onTrials();
    // A worker writes on its own: the other tabs have not heard of it.
    link.send({
      changes: [
        ...sessionIds.map((id) => ({ store: 'sessions' as const, key: id, sessionId: id })),
        ...trialIds.map((id) => ({ store: 'trials' as const, key: id })),
      ],
    });
    const skipped =
      (damaged === 0 ? '' : ` ${pluralize(damaged, 'damaged record')} skipped.`) +
      (droppedFields === 0 ? '' : ` ${pluralize(droppedFields, 'invalid provider field')} skipped.`);
    const counts = [
      ...(sessionIds.length > 0 || trialIds.length === 0 ? [pluralize(sessionIds.length, 'session')] : []),
      ...(trialIds.length > 0 ? [pluralize(trialIds.length, 'trial')] : []),
    ];
    const takeBack = async () => {
      for (const id of sessionIds) await library.remove(id);
      for (const id of trialIds) {
        const { buildTrialRemovals } = await lazyImport(() => import('../trials/trial-records.ts'));
        await records.write(await buildTrialRemovals(records, id), { strict: true });
      }
      onTrials();
    };
    offerUndo(
      `Imported ${counts.join(' and ')}.${skipped}`,
      // What could not be taken back is in the list.
      () => void takeBack().catch(library.refresh),
      () => undefined,
    );
  }

  const exporter = async () => (await loadExport()).createLibraryExport(library, records, store);
  return {
    exporter: {
      json: async (of) => (await exporter()).json(of),
      snapshot: async (id) => (await exporter()).snapshot(id),
      images: async (data) => (await exporter()).images(data),
    },
    importFile: async (file) => {
      try {
        const { importFile } = await loadImport();
        const outcome = await importFile(file, { records, newId, startWorker: startImportWorker });
        if (outcome.ok) welcome(outcome);
        return outcome;
      } catch (error) {
        return {
          ok: false,
          reason: `It could not be read: ${formatError(error)}`,
        };
      }
    },
  };
}
