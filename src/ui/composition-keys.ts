/** Safari ends a composition before it reports the key that ended it; only this key code tells that key from others. */
const compositionKeyCode = 229;

/**
 * Stops a key that belongs to an input method: its Enter, Escape and arrows choose among candidates and never act on
 * the page, whatever listens further in.
 */
export function stopCompositionKey(event: KeyboardEvent): void {
  if (!event.isComposing && event.keyCode !== compositionKeyCode) return;
  event.stopPropagation();
  // A field of one line would submit its form.
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

/** Keeps keys of input methods from every listener of the page. */
export function guardCompositions(): void {
  const stop = (event: KeyboardEvent) => {
    // An editor with its own input handling needs such keys and stops them itself.
    const { target } = event;
    if (!(target instanceof HTMLElement && target.shadowRoot)) stopCompositionKey(event);
  };
  addEventListener('keydown', stop, { capture: true });
}
