import type { Playground } from '../../state/create-playground.ts';
import { getTrialPath, type Route } from '../../state/route.ts';
import type { TrialId } from '../../trials/trial.ts';

export const trialsPath = '/trials';

/** The trial of this address; undefined where it is the list or another screen. */
export function getTrialId(route: Route): TrialId | undefined {
  if (route.screen !== 'page' || !route.path.startsWith(`${trialsPath}/`)) return undefined;
  const id = route.path.slice(trialsPath.length + 1);
  return id === '' ? undefined : decodeURIComponent(id);
}

export function openTrialPage({ router }: Playground, id: TrialId): void {
  router.navigate({ screen: 'page', path: getTrialPath(id) });
}

/** Opens what is being made once it is stored. Who has gone elsewhere meanwhile stays there, and finds it in the list. */
export async function openCreatedTrial(playground: Playground, pendingId: Promise<TrialId>): Promise<void> {
  const hasNavigated = playground.router.trackNavigation();
  const id = await pendingId;
  if (!hasNavigated()) openTrialPage(playground, id);
}

export function openTrialList({ router }: Playground): void {
  router.navigate({ screen: 'page', path: trialsPath });
}
