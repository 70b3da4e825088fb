import { createFocusTarget } from '../../ui/focus/focus-target.ts';

/** The button that opens the help. */
export const helpButton = createFocusTarget('help');
