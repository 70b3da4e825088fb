import { useQuery, useQueryClient } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { upperFirst } from 'es-toolkit';
import { useState } from 'react';
import { useStore } from 'zustand';

import { formatError } from '../../lib/format-error.ts';
import { formatBytes, formatList, pluralize } from '../../lib/format.ts';
import { useLibraryServices } from '../../state/contexts.tsx';
import type { StoredCounts } from '../../state/stored-data.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Hint } from '../../ui/controls/field.tsx';
import { lazyOverlay } from '../../ui/hooks/lazy-component.tsx';

const BackupDialog = lazyOverlay(
  'The backup',
  async () => (await import('../../features/history/backup-dialog.tsx')).BackupDialog,
);

type Phase = { name: 'idle' | 'confirming' | 'erasing' } | { name: 'erased' | 'failed'; text: string };

const queryKey = ['stored here'];

/** Shows the data that Bench stores in this browser and erases it after a confirmation. */
export function StoredDataSection() {
  const { storage, storedData } = useLibraryServices();
  const isOpening = useStore(storage, ({ mode }) => mode === 'opening');
  const queryClient = useQueryClient();
  const [phase, setPhase] = useState<Phase>({ name: 'idle' });
  const [isExporting, setIsExporting] = useState(false);
  const { data } = useQuery({
    queryKey,
    // Nothing can be counted before storage is open, and no count is not the same as zero.
    enabled: !isOpening,
    queryFn: async () => ({ counts: await storedData.getCounts(), bytes: await readUsedBytes() }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

  const erase = async () => {
    setPhase({ name: 'erasing' });
    try {
      const erasedCounts = await storedData.eraseEverything();
      setPhase({
        name: 'erased',
        text: `Erased ${formatStoredCounts(erasedCounts)} and all settings. Bench is reset.`,
      });
    } catch (error) {
      setPhase({ name: 'failed', text: `Could not erase. The browser reports: ${formatError(error)}` });
    }
    await queryClient.invalidateQueries({ queryKey });
  };

  return (
    <section className="grid gap-2 border-t border-line pt-2.5" aria-label="Stored in this browser">
      <h3 className="text-13 font-500">Stored in this browser</h3>
      <Hint>
        {data
          ? `${upperFirst(formatStoredCounts(data.counts))}${data.bytes === undefined ? '' : `, ${formatBytes(data.bytes)} in total`}.`
          : 'Counting…'}{' '}
        Nothing is stored on the server.
      </Hint>
      {phase.name === 'confirming' || phase.name === 'erasing' ? (
        <div
          className="grid gap-2.5 rounded-3 border border-[color-mix(in_oklab,var(--warn)_45%,var(--line))] bg-warn-wash p-3"
          role="group"
          aria-label="Erase everything"
        >
          <p className="text-12 text-pretty">
            This stops all running answers and erases{' '}
            {data ? formatStoredCounts(data.counts) : 'all sessions'}. Recordings, drafts and settings are
            erased too, in all tabs. This cannot be undone. To keep a copy, export all first.
          </p>
          <div className="flex flex-wrap items-center gap-2">
            <Button variant="primary" disabled={phase.name === 'erasing'} onClick={() => void erase()}>
              {phase.name === 'erasing' ? 'Erasing…' : 'Erase now'}
            </Button>
            <Button disabled={phase.name === 'erasing'} onClick={() => setIsExporting(true)}>
              Export all first
            </Button>
            <Button autoFocus onClick={() => setPhase({ name: 'idle' })}>
              Cancel
            </Button>
          </div>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Button onClick={() => setPhase({ name: 'confirming' })}>Erase everything</Button>
        </div>
      )}
      {isExporting && <BackupDialog onClose={() => setIsExporting(false)} />}
      <p
        role="status"
        className={clsx('text-12 text-pretty empty:hidden', phase.name === 'failed' && 'text-err-ink')}
      >
        {'text' in phase ? phase.text : ''}
      </p>
    </section>
  );
}

function formatStoredCounts({ sessions, trials, presets, images }: StoredCounts): string {
  return formatList([
    pluralize(sessions, 'session'),
    ...(trials > 0 ? [pluralize(trials, 'trial')] : []),
    ...(presets > 0 ? [pluralize(presets, 'preset')] : []),
    ...(images > 0 ? [pluralize(images, 'stored file')] : []),
  ]);
}

/** Returns the estimated usage of the whole site in bytes; `undefined` if the browser does not report it. */
async function readUsedBytes(): Promise<number | undefined> {
  try {
    return (await navigator.storage.estimate()).usage;
  } catch {
    // Insecure origins have no storage manager.
    return undefined;
  }
}
