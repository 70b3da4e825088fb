/** The places around the screens that the focus goes to from elsewhere. */
import { createFocusTarget } from '../../ui/focus/focus-target.ts';

/** The screen itself. */
export const content = createFocusTarget('content');

export const settingsButton = createFocusTarget('settings');
/** The menu that holds the tools of the bar on phones. */
export const workspacesMenu = createFocusTarget('workspaces menu');
