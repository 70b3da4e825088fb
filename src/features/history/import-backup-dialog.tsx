import { upperFirst } from 'es-toolkit';
import { useEffect, useState } from 'react';

import { formatCount, formatList, pluralize } from '../../lib/format.ts';
import type { GroupKind } from '../../state/backup/backup-format.ts';
import type { BackupPreview } from '../../state/backup/backup.ts';
import { useAppServices, useLibraryServices } from '../../state/contexts.tsx';
import { reportFailure, showToast } from '../../state/notices.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CheckboxField } from '../../ui/controls/checkbox.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { BackupProgress } from './backup-parts.tsx';
import { describeImportReport } from './describe-import-report.ts';

const groupNouns: readonly [GroupKind, string][] = [
  ['sessions', 'session'],
  ['trials', 'trial'],
  ['sets', 'embedding set'],
];

interface ImportBackupDialogProps {
  file: File;
  preview: BackupPreview;
  /** True if the user has changed settings here, which an import replaces only on request. */
  hasOwnSettings: boolean;
  onClose: () => void;
}

/** Shows what a backup contains and imports it. Closing the dialog cancels the import. */
export function ImportBackupDialog({ file, preview, hasOwnSettings, onClose }: ImportBackupDialogProps) {
  const { loadBackup } = useLibraryServices();
  const { notices } = useAppServices();
  const [hasSettings, setHasSettings] = useState(!hasOwnSettings);
  const { percent, cancel, run } = useCancellableTask();
  const { header, counts } = preview;
  const importTexts = groupNouns.flatMap(([kind, noun]) => {
    const count = counts[kind].added + counts[kind].newer;
    return count > 0 ? [pluralize(count, noun)] : [];
  });

  const importFile = () =>
    run(async (progress) => {
      const report = await (await loadBackup()).importFile(file, { hasSettings, ...progress });
      const { text, isNotable } = describeImportReport(file.name, report, hasSettings);
      if (isNotable)
        notices.setState({ notice: { severity: report.problem === undefined ? 'note' : 'problem', text } });
      else showToast(notices, text);
      onClose();
    });

  return (
    <Dialog
      title="Import backup"
      onClose={onClose}
      footer={
        percent === undefined ? (
          <>
            <span className="grow" />
            <Button onClick={onClose}>Cancel</Button>
            <Button
              variant="primary"
              className="h-auto min-h-7 min-w-0 shrink whitespace-normal max-phone:h-auto max-phone:min-h-11"
              onClick={() => reportFailure(notices, importFile())}
            >
              Import {importTexts.length > 0 ? formatList(importTexts) : 'other data'}
            </Button>
          </>
        ) : (
          <>
            <BackupProgress label="Backup imported" percent={percent} />
            <Button onClick={cancel}>Cancel</Button>
          </>
        )
      }
    >
      <div className="grid gap-3">
        <p className="text-pretty text-ink-2">
          Saved on{' '}
          {new Date(header.createdAt).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}.
          Import only your own backups. Nothing that is newer here is replaced.
        </p>
        {!preview.isComplete && (
          <p className="text-warn-ink">
            This file is incomplete, so its end is missing. Everything in it that is whole can be imported.
          </p>
        )}
        <ContentTable preview={preview} />
        <div className="grid gap-1">
          <CheckboxField label="Settings" checked={hasSettings} onChange={setHasSettings} />
          {hasOwnSettings && (
            <p className="text-12 text-ink-3">Replaces the settings that you have changed here.</p>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function ContentTable({ preview: { header, counts } }: { preview: BackupPreview }) {
  const otherRows = (
    [
      ['Presets', header.counts.presets],
      ['Images and files', header.counts.images],
      ['Tested models', header.counts.learned],
      ['Vectors', header.counts.vectors],
    ] as const
  ).filter(([, count]) => count > 0);
  return (
    <table className="w-full table-fixed text-right tabular-nums [&_td]:py-1 [&_th]:py-1 [&_th]:font-500 [&_tr]:border-b [&_tr]:border-line">
      <thead className="text-12 text-ink-3">
        <tr>
          <th className="text-left">Kind</th>
          <th>In the file</th>
          <th>New</th>
          <th>Newer than here</th>
        </tr>
      </thead>
      <tbody>
        {groupNouns.map(([kind, noun]) => (
          <tr key={kind}>
            <th scope="row" className="text-left">
              {upperFirst(noun)}s
            </th>
            <td>{formatCount(header.groups[kind].length)}</td>
            <td>{formatCount(counts[kind].added)}</td>
            <td>{formatCount(counts[kind].newer)}</td>
          </tr>
        ))}
        {otherRows.map(([title, count]) => (
          <tr key={title}>
            <th scope="row" className="text-left">
              {title}
            </th>
            <td>{formatCount(count)}</td>
            <td colSpan={2} className="text-ink-3">
              if not here yet
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface TaskProgress {
  signal: AbortSignal;
  /** Receives the completed part, from 0 to 1. */
  onProgress: (fraction: number) => void;
}

/** Runs one long task at a time, with its progress in percent while it runs. Unmounting cancels it. */
function useCancellableTask() {
  const [task, setTask] = useState<{ controller: AbortController }>();
  const [percent, setPercent] = useState(0);
  useEffect(() => () => task?.controller.abort(), [task]);
  return {
    percent: task && percent,
    cancel: () => task?.controller.abort(),
    run: async (work: (progress: TaskProgress) => Promise<void>): Promise<void> => {
      const controller = new AbortController();
      setTask({ controller });
      setPercent(0);
      const onProgress = (fraction: number) => setPercent(Math.floor(100 * fraction));
      try {
        await work({ signal: controller.signal, onProgress });
      } finally {
        setTask(undefined);
      }
    },
  };
}
