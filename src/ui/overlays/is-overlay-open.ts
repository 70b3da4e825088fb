const overlaySelector = 'dialog[open], [popover="auto"]:popover-open, [data-option-list]:popover-open';

/** Whether something is open that a key of the app does not reach through, and that Escape closes first. Tooltips and the undo bar do not hold it back. */
export function isOverlayOpen(): boolean {
  return document.querySelector(overlaySelector) !== null;
}
