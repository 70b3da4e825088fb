import { createContext } from 'react';

/**
 * Whether these rows were ever near the screen. Rows that were not have all their words, for finding in the page, for
 * selecting and for reading aloud, but not yet their buttons and figures: those are three quarters of a long session's
 * elements, and browsers go through all elements at every key.
 */
export const RowVisibilityContext = createContext(true);
