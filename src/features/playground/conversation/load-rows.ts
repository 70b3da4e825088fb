import { loadDecoder } from '../../../state/runs/run-driver.ts';

/**
 * The views of messages, with the markdown renderer: not needed before something has been said. They are
 * fetched as soon as the page has nothing better to do, so that the first answer finds them there.
 */
export function loadRows() {
  // The decoder of streams is wanted at the same moment.
  void loadDecoder().catch(() => undefined);
  // The one font that only answers use: come in the middle of one, it would have the browser lay out all text again.
  void document.fonts.load("italic 1em 'Instrument Sans Variable'").catch(() => undefined);
  return import('./conversation-rows.tsx');
}
