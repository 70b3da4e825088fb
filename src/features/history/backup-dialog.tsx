import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { formatBytes, formatList } from '../../lib/format.ts';
import { useAppServices, useLibraryServices } from '../../state/contexts.tsx';
import { reportFailure, showToast } from '../../state/notices.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CheckboxField } from '../../ui/controls/checkbox.tsx';
import { saveBlob } from '../../ui/display/save-file.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { BackupProgress, formatContents } from './backup-parts.tsx';
import { useCancellableTask } from './use-cancellable-task.ts';

const queryOptions = { staleTime: 0, gcTime: 0, retry: false } as const;

/** Saves everything stored in this browser in one file. Closing the dialog cancels it. */
export function BackupDialog({ onClose }: { onClose: () => void }) {
  const { loadBackup } = useLibraryServices();
  const { notices } = useAppServices();
  const [hasVectors, setHasVectors] = useState(true);
  const { percent, cancel, run } = useCancellableTask();
  const { data: contents, error } = useQuery({
    queryKey: ['contents of a backup'],
    queryFn: async () => (await loadBackup()).readContents(),
    ...queryOptions,
  });
  const vectorCount = contents?.counts.vectors ?? 0;
  const { data: vectorBytes } = useQuery({
    queryKey: ['size of vectors'],
    queryFn: async ({ signal }) => (await loadBackup()).measureVectors(signal),
    enabled: vectorCount > 0,
    ...queryOptions,
  });
  const contentTexts = contents ? formatContents(contents) : [];

  const save = () =>
    run(async (progress) => {
      const backup = await loadBackup();
      const file = await backup.build({ hasVectors, ...progress });
      if (!file) return;
      const date = new Date(contents?.createdAt ?? 0).toISOString().slice(0, 10);
      const name = `bench-backup-${date}.jsonl`;
      saveBlob(file, name);
      const savedText = formatList([...contentTexts, 'settings']);
      showToast(notices, `Saved ${name}: ${savedText}, ${formatBytes(file.size)}. No key is included.`);
      onClose();
    });

  return (
    <Dialog
      title="Export all"
      onClose={onClose}
      footer={
        percent === undefined ? (
          <>
            <span className="grow" />
            <Button variant="primary" disabled={!contents} onClick={() => reportFailure(notices, save())}>
              Save backup
            </Button>
          </>
        ) : (
          <>
            <BackupProgress label="Backup saved" percent={percent} />
            <Button onClick={cancel}>Cancel</Button>
          </>
        )
      }
    >
      <div className="grid gap-3">
        <p className="text-pretty text-ink-2">
          One file with everything that Bench stores in this browser. Use “Import” to restore it here or in
          another browser. It contains no API key.
        </p>
        {error ? (
          <p className="text-err-ink">Could not read the stored data. {error.message}</p>
        ) : (
          <ul className="grid list-disc gap-1 pl-5" aria-label="Contents">
            {contentTexts.map((text) => (
              <li key={text}>{text}</li>
            ))}
            <li>recordings, drafts, learned facts about models and settings</li>
          </ul>
        )}
        {vectorCount > 0 && (
          <CheckboxField
            label={`Vectors (${vectorBytes === undefined ? 'measuring…' : formatBytes(vectorBytes)})`}
            checked={hasVectors}
            onChange={setHasVectors}
          />
        )}
      </div>
    </Dialog>
  );
}
