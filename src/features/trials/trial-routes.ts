import type { Playground } from '../../state/create-playground.ts';
import { getTrialPath, type Route } from '../../state/route.ts';
import type { TrialId } from '../../trials/trial.ts';

export const trialsPath = '/trials';

/** Returns the trial ID of the route; `undefined` for the list and other screens. */
export function getTrialId(route: Route): TrialId | undefined {
  if (route.screen !== 'page' || !route.path.startsWith(`${trialsPath}/`)) return undefined;
  const id = route.path.slice(trialsPath.length + 1);
  return id === '' ? undefined : decodeURIComponent(id);
}

export function openTrialPage({ router }: Playground, id: TrialId): void {
  router.navigate({ screen: 'page', path: getTrialPath(id) });
}

/**
 * Opens a new trial once it is stored. If the user has navigated in the meantime, the page does not change; the trial
 * is still in the list.
 */
export async function openCreatedTrial(playground: Playground, pendingId: Promise<TrialId>): Promise<void> {
  const hasNavigated = playground.router.trackNavigation();
  const id = await pendingId;
  if (!hasNavigated()) openTrialPage(playground, id);
}

export function openTrialList({ router }: Playground): void {
  router.navigate({ screen: 'page', path: trialsPath });
}
