import { createFocusTarget } from '../../ui/focus/focus-target.ts';

/** The button that opens the details of the gateway. */
export const gatewayDetailsButton = createFocusTarget('gateway-details');
