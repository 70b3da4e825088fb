import { useLayoutEffect, type RefObject } from 'react';

/** Shows a dialog as a modal one as long as it is rendered; the focus returns to where it was. */
export function useModalDialog(
  dialog: RefObject<HTMLDialogElement | null>,
  { shouldFocusDialog = false }: { shouldFocusDialog?: boolean } = {},
): void {
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const close = showModal(element);
    // Else the first thing in it that can be focused has the focus.
    if (shouldFocusDialog) element.focus();
    return close;
  }, [dialog, shouldFocusDialog]);
}

/** Shows a dialog as a modal one and returns the function that closes it. */
export function showModal(dialog: HTMLDialogElement): () => void {
  const field = getFocusedElement();
  const restoreCaret = saveCaret(field);
  if (!dialog.open) dialog.showModal();
  return () => {
    dialog.close();
    if (getFocusedElement() === field) restoreCaret();
  };
}

/** Returns the element with the focus, also inside of an editor with a shadow root. */
function getFocusedElement(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/**
 * Returns a function that gives the field its present caret back. Chromium returns the focus to a field without its
 * caret when a dialog closes and leaves the page, and such a field takes no keys.
 */
function saveCaret(field: Element | null): () => void {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { selectionStart, selectionEnd, selectionDirection } = field;
    return () => {
      // Fields without text, as for colours, have none.
      if (selectionStart !== null)
        field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? 'none');
    };
  }
  return () => {
    if (!(field instanceof HTMLElement && field.isContentEditable)) return;
    // Editors know where their caret is and show it when they get the focus.
    field.blur();
    field.focus({ preventScroll: true });
  };
}
