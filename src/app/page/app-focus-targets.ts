/** Focus targets around the screens. */
import { createFocusTarget } from '../../ui/focus/focus-target.ts';

/** The current screen. */
export const content = createFocusTarget('content');

export const settingsButton = createFocusTarget('settings');
/** The menu that contains the tools of the bar on phones. */
export const workspacesMenu = createFocusTarget('workspaces menu');
