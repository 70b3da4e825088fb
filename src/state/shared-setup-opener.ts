import { decodeShareHash } from '../conversation/setup/share.ts';
import { pluralize } from '../lib/format.ts';
import type { NoticeStore } from './notices.ts';
import type { Router } from './route.ts';
import type { Actions } from './sessions/actions.ts';

/**
 * Opens a new session with the setup from a link and shows its origin; nothing is sent. If the link cannot be read,
 * returns the reason and opens nothing.
 */
export function createSharedSetupOpener(
  actions: Actions,
  notices: NoticeStore,
  router: Router,
): (hash: string) => Promise<string | undefined> {
  return async (hash) => {
    const hasNavigated = router.trackNavigation();
    const reading = decodeShareHash(hash);
    if (!reading.ok) return reading.problem;
    const { setups, draft } = reading.sharedSetup;
    if (!(await actions.openNewSession(setups, draft, { replace: true, hasNavigated }))) return undefined;
    const prompt = draft === undefined ? '' : ' The draft message is below.';
    notices.setState({
      notice: {
        severity: 'note',
        text: `Opened ${pluralize(setups.length, 'setup')} from a shared link.${prompt} Nothing is sent until you press Send.`,
      },
    });
    return undefined;
  };
}
