import { useLayoutEffect, type RefObject } from 'react';

/** Shows a dialog as a modal one as long as it is rendered; the focus returns to where it was. */
export function useShownModal(
  dialog: RefObject<HTMLDialogElement | null>,
  { focusesItself = false }: { focusesItself?: boolean } = {},
): void {
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (!element.open) element.showModal();
    // Else the first thing in it that can be focused has the focus.
    if (focusesItself) element.focus();
    return () => element.close();
  }, [dialog, focusesItself]);
}
