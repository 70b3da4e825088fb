// The list of a closed select stays in the page.
const overlaySelector = 'dialog[open], [popover="auto"]:popover-open, [data-overlay]:not([data-closed])';

/**
 * Returns whether an overlay is open that blocks the app's shortcuts and is closed by Escape first. Tooltips and the
 * undo bar do not count.
 */
export function isOverlayOpen(): boolean {
  return document.querySelector(overlaySelector) !== null;
}
