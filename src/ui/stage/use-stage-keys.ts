import { useEffectEvent, useLayoutEffect, type RefObject } from 'react';

/**
 * Handles the keys of the stage wherever the focus is, because the focused element may have been hidden. Ignores typing
 * and keys pressed in a dialog above the stage.
 */
export function useStageKeys(
  stage: RefObject<HTMLElement | null>,
  onKey: (event: KeyboardEvent) => void,
): void {
  const handleKey = useEffectEvent(onKey);
  // A layout effect, so that no key is lost between mount and focus.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : undefined;
      const dialog = target?.closest('dialog');
      if (dialog && dialog !== stage.current) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target?.matches('textarea, input, select, [contenteditable]')) return;
      // Space and Enter press the focused button, and radio groups handle arrow keys themselves.
      if (target?.closest('button, summary, a') && (event.key === ' ' || event.key === 'Enter')) return;
      handleKey(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [stage]);
}
