/** Exports sessions to files and imports them on user request. */
import { formatError } from '../../lib/format-error.ts';
import { formatList, pluralize } from '../../lib/format.ts';
import { loadLazyModule, createPreloadableImport } from '../../lib/lazy-import.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { describeUnknownGateways, type Gateways } from '../gateways.ts';
import type { SavedSets } from '../lab/saved-sets.ts';
import type { TabChannel } from '../tabs/tab-channel.ts';
import type { Actions } from './actions.ts';
import type { LibraryExport } from './library-export.ts';
import type { ImportOutcome } from './library-import.ts';
import type { Library } from './library.ts';
import type { SessionStore } from './session-store.ts';

// Loaded in advance, so that sessions in memory can be exported offline.
const loadExport = createPreloadableImport(() => import('./library-export.ts'));
const loadImport = createPreloadableImport(() => import('./library-import.ts'));

export interface SessionFiles {
  exporter: LibraryExport;
  /** Imports a file completely or not at all. The import can be undone for a while. */
  importFile: (file: File) => Promise<ImportOutcome>;
}

interface SessionFilesDeps {
  records: RecordStore;
  library: Library;
  store: SessionStore;
  tabChannel: TabChannel;
  gateways: Pick<Gateways, 'isUnknown'>;
  newId: () => string;
  openSets: () => Promise<Pick<SavedSets, 'add' | 'erase'>>;
  /** Called when trials were added or removed. */
  onTrialsChanged: () => void;
  offerUndo: Actions['offerUndo'];
  startImportWorker?: (() => Promise<Worker>) | undefined;
}

export function createSessionFiles({
  records,
  library,
  store,
  tabChannel,
  gateways,
  newId,
  openSets,
  onTrialsChanged,
  offerUndo,
  startImportWorker,
}: SessionFilesDeps): SessionFiles {
  async function reportImport({
    sessionIds,
    trialIds,
    sets = [],
    damaged,
    droppedFields,
    gateways: chosenGateways = [],
  }: Extract<ImportOutcome, { ok: true }>): Promise<void> {
    const setIds: string[] = [];
    for (const set of sets) setIds.push(await (await openSets()).add(set));
    library.notifyChanged();
    onTrialsChanged();
    // A worker writes without notifying the other tabs.
    tabChannel.send({
      changes: [
        ...sessionIds.map((id) => ({ store: 'sessions' as const, key: id, sessionId: id })),
        ...trialIds.map((id) => ({ store: 'trials' as const, key: id })),
      ],
    });
    const skipped =
      (damaged === 0 ? '' : ` ${pluralize(damaged, 'damaged record')} skipped.`) +
      (droppedFields === 0 ? '' : ` ${pluralize(droppedFields, 'invalid provider field')} skipped.`);
    const unknownNames = chosenGateways.filter(gateways.isUnknown);
    const unknownText = unknownNames.length === 0 ? '' : ` ${describeUnknownGateways(unknownNames)}`;
    const counts = [
      ...(sessionIds.length > 0 || trialIds.length + setIds.length === 0
        ? [pluralize(sessionIds.length, 'session')]
        : []),
      ...(trialIds.length > 0 ? [pluralize(trialIds.length, 'trial')] : []),
      ...(setIds.length > 0 ? [pluralize(setIds.length, 'embedding set')] : []),
    ];
    const undoImport = async () => {
      for (const id of sessionIds) await library.remove(id);
      for (const id of setIds) await (await openSets()).erase(id);
      for (const id of trialIds) {
        const { buildTrialRemovals } = await loadLazyModule(
          () => import('../trials/repository/trial-records.ts'),
        );
        await records.write(await buildTrialRemovals(records, id), { strict: true });
      }
      onTrialsChanged();
    };
    offerUndo(
      `Imported ${formatList(counts)}.${skipped}${unknownText}`,
      // Imported sessions that could not be removed appear in the list again.
      () => void undoImport().catch(library.notifyChanged),
      () => undefined,
    );
  }

  const loadExporter = async () => (await loadExport()).createLibraryExport(library, records, store);
  return {
    exporter: {
      buildJson: async (ids, sets) => (await loadExporter()).buildJson(ids, sets),
      readSnapshot: async (id) => (await loadExporter()).readSnapshot(id),
      readImageDataUrls: async (data) => (await loadExporter()).readImageDataUrls(data),
    },
    importFile: async (file) => {
      try {
        const { importFile } = await loadImport();
        const outcome = await importFile(file, { records, newId, startWorker: startImportWorker });
        if (outcome.ok) await reportImport(outcome);
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
