import { useEffect, useEffectEvent, useState } from 'react';

import { formatBytes, formatCount, formatList } from '../../lib/format.ts';
import type { BackupHeader } from '../../state/backup/backup-format.ts';
import { useAppServices, useLibraryServices } from '../../state/contexts.tsx';
import type { AppServices, LibraryServices } from '../../state/create-playground.ts';
import { reportFailure, showToast } from '../../state/notices.ts';
import { Button, TextButton } from '../../ui/controls/button.tsx';
import { saveBlob } from '../../ui/display/save-file.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { BackupProgress, formatContents } from './backup-parts.tsx';

/** Time in ms after which the progress is shown. */
const progressDelayMs = 400;

/**
 * Saves everything stored in this browser in one file as soon as it is mounted, and shows the progress if that takes a
 * while. Closing the dialog cancels it.
 */
export function BackupDialog({ onClose }: { onClose: () => void }) {
  const { loadBackup } = useLibraryServices();
  const { notices } = useAppServices();
  const [contents, setContents] = useState<BackupHeader>();
  const [hasVectors, setHasVectors] = useState(true);
  const [percent, setPercent] = useState(0);
  const [isSlow, setIsSlow] = useState(false);
  const vectorCount = contents?.counts.vectors ?? 0;

  const close = useEffectEvent(onClose);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const progress = {
      signal,
      onContents: setContents,
      onProgress: (fraction: number) => setPercent(Math.floor(100 * fraction)),
    };
    const saving = saveBackup({ loadBackup, notices }, { hasVectors, ...progress });
    reportFailure(
      notices,
      saving.finally(() => {
        if (!signal.aborted) close();
      }),
    );
    // Without the vectors, the file is written again.
    return () => controller.abort();
  }, [loadBackup, notices, hasVectors]);

  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), progressDelayMs);
    return () => clearTimeout(timer);
  }, []);

  if (!isSlow) return null;
  return (
    <Dialog
      title="Export all"
      onClose={onClose}
      footer={
        <>
          <BackupProgress label="Backup saved" percent={percent} />
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p className="text-pretty text-ink-2">
          One file with everything that Bench stores in this browser. Use “Import” to restore it here or in
          another browser. It contains no API key.
        </p>
        {contents && (
          <ul className="grid list-disc gap-1 pl-5" aria-label="Contents">
            {formatContents(contents).map((text) => (
              <li key={text}>{text}</li>
            ))}
            {vectorCount > 0 && hasVectors && (
              <li>
                {formatCount(vectorCount)} vectors{' '}
                <TextButton onClick={() => setHasVectors(false)}>Leave them out</TextButton>
              </li>
            )}
            <li>recordings, drafts, learned facts about models and settings</li>
          </ul>
        )}
      </div>
    </Dialog>
  );
}

interface SaveOptions {
  hasVectors: boolean;
  signal: AbortSignal;
  onContents: (contents: BackupHeader) => void;
  /** Receives the completed part, from 0 to 1. */
  onProgress: (fraction: number) => void;
}

/** Writes the file, saves it and shows a toast with its contents, unless it is cancelled. */
async function saveBackup(
  { loadBackup, notices }: Pick<LibraryServices, 'loadBackup'> & Pick<AppServices, 'notices'>,
  { onContents, ...options }: SaveOptions,
): Promise<void> {
  const backup = await loadBackup();
  const contents = await backup.readContents();
  if (options.signal.aborted) return;
  onContents(contents);
  const file = await backup.build(options);
  if (!file) return;
  const name = `bench-backup-${new Date(contents.createdAt).toISOString().slice(0, 10)}.jsonl`;
  saveBlob(file, name);
  const savedText = formatList([...formatContents(contents), 'settings']);
  showToast(notices, `Saved ${name}: ${savedText}, ${formatBytes(file.size)}. No key is included.`);
}
