/** What a key of the app does not reach through, and what Escape closes first. Tooltips and the undo bar do not hold it back. */
export const overlays = 'dialog[open], [popover="auto"]:popover-open, .list:popover-open';
