import { createContext } from 'react';

/**
 * True if these rows have ever been near the screen. Other rows have their full text (for find in page, selection and
 * reading aloud), but no buttons and metrics yet. Those are three quarters of a long session's elements, and browsers
 * scan all elements on every key.
 */
export const RowVisibilityContext = createContext(true);
