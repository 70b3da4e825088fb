import { useState } from 'react';

import { formatList, pluralize } from '../../../lib/format.ts';
import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import { useAppServices } from '../../../state/contexts.tsx';
import { runAndReport } from '../../../state/notices.ts';
import { configFileExtensions } from '../../../trials/files/promptfoo/config-file-extensions.ts';
import { describeImportNote, type ConfigNote } from '../../../trials/files/promptfoo/config-notes.ts';
import type { TrialDraft } from '../../../trials/files/promptfoo/parse-promptfoo-config.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { openFileDialog } from '../../../ui/display/open-file-dialog.ts';
import { CircleAlert } from '../../../ui/icons.tsx';
import { FileUp } from '../../../ui/late-icons.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { openCreatedTrial } from '../trial-routes.ts';
import { useTrials } from '../use-trial.ts';
import { usePromptfooFile } from './use-promptfoo-file.ts';

const maxNamedFiles = 20;

/** Shows how a promptfoo configuration was read, asks for the files that it names, and creates the trial. */
export function PromptfooDialog({ config, onClose }: { config: File; onClose: () => void }) {
  const { notices, router } = useAppServices();
  const trials = useTrials();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [isCreating, setIsCreating] = useState(false);
  const result = usePromptfooFile(config, files);
  const imported = result?.ok === true ? result : undefined;

  const create = async (draft: TrialDraft) => {
    setIsCreating(true);
    await runAndReport(notices, () => openCreatedTrial(router, trials.createFromDraft(draft)));
    onClose();
  };
  const chooseFiles = () =>
    openFileDialog(configFileExtensions.map((extension) => `.${extension}`).join(','), (chosen) =>
      setFiles((current) => [...chosen, ...current]),
    );

  return (
    <Dialog
      title="Import a promptfoo configuration"
      onClose={onClose}
      footer={
        <>
          <span className="min-w-0 flex-1 text-12 text-ink-3" role="status">
            {imported ? describeDraft(imported.draft) : result ? '' : 'Reading…'}
          </span>
          <Button
            variant="primary"
            disabled={!imported || isCreating}
            onClick={() => imported && void create(imported.draft)}
          >
            Create trial
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p className="text-12 text-ink-2">
          <span dir="auto">{config.name}</span>
          {imported?.draft.title !== undefined && (
            <>
              : <span dir="auto">{sanitizeForSentence(imported.draft.title)}</span>
            </>
          )}
        </p>
        {result?.ok === false && <p className="text-12 text-pretty text-err-ink">{result.reason}</p>}
        {imported && imported.missingFiles.length > 0 && (
          <div role="group" aria-label="Missing files">
            <p className="mb-2 text-12 text-pretty text-ink-2">
              Choose the files that this configuration names: {formatMissingFiles(imported.missingFiles)}.
            </p>
            <Button onClick={chooseFiles}>
              <FileUp className="icon-14" aria-hidden />
              Choose files
            </Button>
          </div>
        )}
        {imported && imported.notes.length > 0 && <Notes notes={imported.notes} />}
      </div>
    </Dialog>
  );
}

function Notes({ notes }: { notes: readonly ConfigNote[] }) {
  return (
    <details open className="rounded-3 border border-warn/60 bg-warn-wash px-4 py-2.5">
      <summary className="cursor-pointer font-[600] text-warn-ink">
        <CircleAlert className="mr-2 inline-block icon-16" aria-hidden />
        Not read, or read with a difference
      </summary>
      <ul
        className="mt-1 grid max-h-60 gap-1 overflow-y-auto text-12 text-pretty text-ink-2"
        tabIndex={0}
        aria-label="Parts that were not read"
      >
        {notes.map((note) => {
          const sentence = describeImportNote(note);
          return (
            <li key={sentence} dir="auto">
              {sentence}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function describeDraft({ columns, cases, checks }: TrialDraft): string {
  return formatList([
    pluralize(columns.length, 'column'),
    pluralize(cases.length, 'case'),
    pluralize(checks.length, 'check'),
  ]);
}

function formatMissingFiles(paths: readonly string[]): string {
  const names = paths.slice(0, maxNamedFiles).map((path) => sanitizeForSentence(path));
  const hiddenCount = paths.length - names.length;
  return formatList([...names, ...(hiddenCount > 0 ? [pluralize(hiddenCount, 'more file')] : [])]);
}
