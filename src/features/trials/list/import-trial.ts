import { sanitizeForSentence } from '../../../lib/text/safe-text.ts';
import type { Playground } from '../../../state/create-playground.ts';
import { reportFailure, showToast } from '../../../state/notices.ts';
import type { Trials } from '../../../state/trials/trials-store.ts';
import { openFileDialog } from '../../../ui/display/open-file-dialog.ts';
import { openTrialPage } from '../trial-routes.ts';

/** Opens a file dialog for a trial and opens the imported trial, or reports why it cannot be read. */
export function importTrial(playground: Playground, trials: Trials): void {
  openFileDialog(
    '.jsonl,.ndjson',
    ([file]) => file && reportFailure(playground.notices, importTrialFile(playground, trials, file)),
    false,
  );
}

async function importTrialFile(playground: Playground, trials: Trials, file: File): Promise<void> {
  const hasNavigated = playground.router.trackNavigation();
  const outcome = await trials.importFile(await file.text());
  if (!outcome.ok) {
    const text = `Could not import ${sanitizeForSentence(file.name)}. Line ${outcome.line}: ${outcome.reason} Nothing was changed.`;
    playground.notices.setState({ notice: { severity: 'problem', text } });
    return;
  }
  showToast(playground.notices, `Imported “${sanitizeForSentence(outcome.title)}”.`);
  if (!hasNavigated()) openTrialPage(playground, outcome.id);
}
