import { useLayoutEffect, type RefObject } from 'react';

/** Shows a dialog as modal while it is rendered; on close, the focus returns to the previously focused element. */
export function useModalDialog(
  dialog: RefObject<HTMLDialogElement | null>,
  { shouldFocusDialog = false }: { shouldFocusDialog?: boolean } = {},
): void {
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const close = showModal(element);
    // Otherwise the browser focuses the first focusable element of the dialog.
    if (shouldFocusDialog) element.focus();
    return close;
  }, [dialog, shouldFocusDialog]);
}

/** Shows a dialog as modal. Returns the function that closes it. */
export function showModal(dialog: HTMLDialogElement): () => void {
  const field = getFocusedElement();
  const restoreCaret = saveCaret(field);
  if (!dialog.open) dialog.showModal();
  return () => {
    dialog.close();
    if (getFocusedElement() === field) restoreCaret();
  };
}

/** Returns the focused element, even if it is inside the shadow root of an editor. */
function getFocusedElement(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/**
 * Returns a function that restores the caret of the field. When a dialog is closed and removed, Chromium focuses the
 * field without its caret, and the field then ignores keys.
 */
function saveCaret(field: Element | null): () => void {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    const { selectionStart, selectionEnd, selectionDirection } = field;
    return () => {
      // Inputs without text, such as colour inputs, have no caret.
      if (selectionStart !== null)
        field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? 'none');
    };
  }
  return () => {
    if (!(field instanceof HTMLElement && field.isContentEditable)) return;
    // Editors restore their own caret when they receive focus.
    field.blur();
    field.focus({ preventScroll: true });
  };
}
