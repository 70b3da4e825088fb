import { describeImportError } from '../../../conversation/files/import-error.ts';
import type { Playground } from '../../../state/create-playground.ts';

/**
 * Takes a file of sessions in and shows what came: one session is opened, several are listed. Who has gone elsewhere
 * meanwhile (`isLeft`) stays there.
 */
export async function importSessions(
  { files, notices, router }: Playground,
  file: File,
  isLeft: () => boolean = router.watch(),
): Promise<void> {
  const outcome = await files.importFile(file);
  if (!outcome.ok) {
    notices.setState({ notice: { tone: 'problem', text: describeImportError(file.name, outcome) } });
    return;
  }
  if (isLeft()) return;
  const [first, ...others] = outcome.sessionIds;
  const [trial, ...otherTrials] = outcome.trialIds;
  if (first === undefined && trial !== undefined && otherTrials.length === 0)
    router.go({ screen: 'page', path: `/trials/${trial}` });
  else if (first !== undefined && others.length === 0 && trial === undefined)
    router.go({ screen: 'playground', sessionId: first });
  else router.go({ screen: 'page', path: '/history' });
}
