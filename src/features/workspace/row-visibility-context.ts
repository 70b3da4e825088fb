import { createContext } from 'react';

/**
 * True if these rows have ever been near the visible part. Other rows have their full text (for find in page, selection
 * and reading aloud), but no buttons or metrics yet. Those make up three quarters of a long session's elements, and
 * browsers scan all elements on every key press.
 */
export const RowVisibilityContext = createContext(true);
