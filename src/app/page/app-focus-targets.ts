/** The places around the screens that the focus goes to from elsewhere. */
import { createPlace } from '../../ui/focus/focus-target.ts';

/** The screen itself. */
export const content = createPlace('content');

export const settingsButton = createPlace('settings');
/** The menu that holds the tools of the bar on phones. */
export const workspacesMenu = createPlace('workspaces menu');
