import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import type { AppServices } from '../../../state/create-playground.ts';
import { reportFailure, showToast } from '../../../state/notices.ts';
import type { Trials } from '../../../state/trials/trials-store.ts';
import { openFileDialog } from '../../../ui/display/open-file-dialog.ts';
import { openTrialPage } from '../trial-routes.ts';

/** Opens a file dialog for a trial and opens the imported trial, or reports why it cannot be read. */
export function importTrial(
  { router, notices }: Pick<AppServices, 'router' | 'notices'>,
  trials: Trials,
): void {
  openFileDialog(
    '.jsonl,.ndjson',
    ([file]) => file && reportFailure(notices, importTrialFile({ router, notices }, trials, file)),
    false,
  );
}

async function importTrialFile(
  { router, notices }: Pick<AppServices, 'router' | 'notices'>,
  trials: Trials,
  file: File,
): Promise<void> {
  const hasNavigated = router.trackNavigation();
  const outcome = await trials.importFile(await file.text());
  if (!outcome.ok) {
    const text = `Could not import ${sanitizeForSentence(file.name)}. Line ${outcome.line}: ${outcome.reason} Nothing was changed.`;
    notices.setState({ notice: { severity: 'problem', text } });
    return;
  }
  showToast(notices, `Imported “${sanitizeForSentence(outcome.title)}”.`);
  if (!hasNavigated()) openTrialPage(router, outcome.id);
}
