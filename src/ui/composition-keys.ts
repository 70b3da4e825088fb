/** Safari ends a composition before it reports the key that ended it; only this key code identifies that key. */
const compositionKeyCode = 229;

/**
 * Stops a key of an input method: its Enter, Escape and arrow keys select a candidate and must not trigger anything on
 * the page.
 */
export function stopCompositionKey(event: KeyboardEvent): void {
  if (!event.isComposing && event.keyCode !== compositionKeyCode) return;
  event.stopPropagation();
  // Enter would submit the form of a single-line field.
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
}

/** Keeps input method keys from every listener of the page. */
export function guardCompositions(): void {
  const stop = (event: KeyboardEvent) => {
    // An editor with its own input handling needs these keys and stops them itself.
    const { target } = event;
    if (!(target instanceof HTMLElement && target.shadowRoot)) stopCompositionKey(event);
  };
  addEventListener('keydown', stop, { capture: true });
}
