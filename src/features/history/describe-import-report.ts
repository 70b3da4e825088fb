import { formatList, pluralize } from '../../lib/format.ts';
import type { ImportReport } from '../../state/backup/read-backup.ts';

const nouns = { sessions: 'session', trials: 'trial', sets: 'embedding set' } as const;

/** Describes what the import of a backup added and what it left out. `isNotable`: something is not as in the file. */
export function describeImportReport(
  fileName: string,
  report: ImportReport,
  hasSettings: boolean,
): { text: string; isNotable: boolean } {
  const { added, replaced, addedRecords } = report;
  const importedTexts = [
    ...(['sessions', 'trials', 'sets'] as const).map((kind) => ({
      noun: nouns[kind],
      count: added[kind].length + replaced[kind].length,
    })),
    { noun: 'preset', count: addedRecords.presets },
    { noun: 'stored file', count: addedRecords.images },
    { noun: 'vector', count: addedRecords.vectors },
  ]
    .filter(({ count }) => count > 0)
    .map(({ noun, count }) => pluralize(count, noun));
  if (hasSettings && report.prefs !== undefined) importedTexts.push('settings');
  const importedText = importedTexts.length === 0 ? 'nothing' : formatList(importedTexts);
  const problemText = report.problem === undefined ? '' : `The import ended early: ${report.problem}`;
  const keptTexts = [
    ...(report.kept > 0 ? [`${report.kept} that are as new or newer here`] : []),
    ...(report.busy > 0 ? [`${report.busy} with answers in progress here`] : []),
    ...(report.conflicting > 0 ? [`${report.conflicting} that share records with others here`] : []),
    ...(report.keptPresets > 0
      ? [`${pluralize(report.keptPresets, 'preset')} with an ID or a name used here`]
      : []),
    ...(report.damaged > 0 ? [pluralize(report.damaged, 'damaged or incomplete record')] : []),
    ...(report.unknown > 0
      ? [`${pluralize(report.unknown, 'record')} of a kind unknown to this version`]
      : []),
  ];
  const isCut = !report.isComplete && !report.isCancelled && report.problem === undefined;
  const sentences = [
    `Imported ${importedText} from ${fileName}.`,
    ...(keptTexts.length > 0 ? [`Left out: ${formatList(keptTexts)}.`] : []),
    ...(report.isCancelled ? ['The import was cancelled.'] : []),
    ...(isCut ? ['The file is incomplete: everything before the cut that is whole was imported.'] : []),
    ...(problemText === '' ? [] : [problemText]),
  ];
  return { text: sentences.join(' '), isNotable: keptTexts.length > 0 || !report.isComplete };
}
