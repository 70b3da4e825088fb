import type { Playground } from '../../state/playground.ts';
import { trialPath, type Route } from '../../state/route.ts';
import type { TrialId } from '../../trials/trial.ts';

export const trialsPath = '/trials';

/** The trial of this address; undefined where it is the list or another screen. */
export function trialIdOf(route: Route): TrialId | undefined {
  if (route.screen !== 'page' || !route.path.startsWith(`${trialsPath}/`)) return undefined;
  const id = route.path.slice(trialsPath.length + 1);
  return id === '' ? undefined : decodeURIComponent(id);
}

export function openTrialPage({ router }: Playground, id: TrialId): void {
  router.go({ screen: 'page', path: trialPath(id) });
}

export function openTrialList({ router }: Playground): void {
  router.go({ screen: 'page', path: trialsPath });
}
