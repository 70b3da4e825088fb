import { describeImportError } from '../../../conversation/files/import-error.ts';
import type { Playground } from '../../../state/create-playground.ts';

/**
 * Takes a file of sessions in and shows what came: one session is opened, several are listed. Who has gone elsewhere
 * meanwhile (`hasNavigated`) stays there.
 */
export async function importSessions(
  { sessionFiles, notices, router }: Playground,
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
