import { describeImportError } from '../../conversation/files/import-error.ts';
import type { SessionFileServices } from './session-file-actions.ts';

/**
 * Imports a session file and shows the result: opens a single session, lists several. If the user has navigated in the
 * meantime (`hasNavigated`), the page does not change.
 */
export async function importSessions(
  { sessionFiles, notices, router }: SessionFileServices,
  file: File,
  hasNavigated: () => boolean = router.trackNavigation(),
): Promise<void> {
  const outcome = await sessionFiles.importFile(file);
  if (!outcome.ok) {
    notices.setState({ notice: { severity: 'problem', text: describeImportError(file.name, outcome) } });
    return;
  }
  if (hasNavigated()) return;
  const [first, ...others] = outcome.sessionIds;
  const [trial, ...otherTrials] = outcome.trialIds;
  if (first === undefined && trial !== undefined && otherTrials.length === 0)
    router.navigate({ screen: 'page', path: `/trials/${trial}` });
  else if (first !== undefined && others.length === 0 && trial === undefined)
    router.navigate({ screen: 'playground', sessionId: first });
  else router.navigate({ screen: 'page', path: '/history' });
}
