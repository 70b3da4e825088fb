import { useEffectEvent, useLayoutEffect, type RefObject } from 'react';

/**
 * Keys of the stage, wherever the focus is: what had it may have left the picture. Not those that type, nor those of
 * a dialog above.
 */
export function useStageKeys(
  stage: RefObject<HTMLElement | null>,
  onKey: (event: KeyboardEvent) => void,
): void {
  const handleKey = useEffectEvent(onKey);
  // With the focus, so that no key is lost between them.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : undefined;
      const dialog = target?.closest('dialog');
      if (dialog && dialog !== stage.current) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (target?.matches('textarea, input, select, [contenteditable]')) return;
      // A button that has the focus is pressed by these, and the radios of a vote have arrows of their own.
      if (target?.closest('button, summary, a') && (event.key === ' ' || event.key === 'Enter')) return;
      handleKey(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [stage]);
}
