import type { Router } from '../../state/route.ts';
import { getTrialPath, type Route } from '../../state/route.ts';
import type { TrialId } from '../../trials/trial.ts';

export const trialsPath = '/trials';

/** Returns the trial ID of the route; `undefined` for the list and other screens. */
export function getTrialId(route: Route): TrialId | undefined {
  if (route.screen !== 'page' || !route.path.startsWith(`${trialsPath}/`)) return undefined;
  const id = route.path.slice(trialsPath.length + 1);
  return id === '' ? undefined : decodeURIComponent(id);
}

export function openTrialPage(router: Router, id: TrialId): void {
  router.navigate({ screen: 'page', path: getTrialPath(id) });
}

/**
 * Opens a new trial once it is stored. If the user has navigated in the meantime, the page does not change; the trial
 * is still in the list.
 */
export async function openCreatedTrial(router: Router, pendingId: Promise<TrialId>): Promise<void> {
  const hasNavigated = router.trackNavigation();
  const id = await pendingId;
  if (!hasNavigated()) openTrialPage(router, id);
}

export function openTrialList(router: Router): void {
  router.navigate({ screen: 'page', path: trialsPath });
}
