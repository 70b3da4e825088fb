import { useEffect, useEffectEvent, useLayoutEffect } from 'react';

import type { PaletteField } from './palette.tsx';

/**
 * Connects the options to the field: handles its keys and reports the active option. If Enter was pressed before the
 * options loaded, the active option runs once they have.
 */
export function usePaletteField(
  { input, isEnterPending }: PaletteField,
  activeId: string | undefined,
  onKeyDown: (event: KeyboardEvent) => void,
  onPendingEnter: () => void,
): void {
  const runPendingEnter = useEffectEvent(onPendingEnter);
  useEffect(() => {
    if (!isEnterPending.current) return;
    isEnterPending.current = false;
    runPendingEnter();
  }, [isEnterPending]);
  useLayoutEffect(() => {
    if (activeId === undefined) input.current?.removeAttribute('aria-activedescendant');
    else input.current?.setAttribute('aria-activedescendant', activeId);
  }, [input, activeId]);
  useLayoutEffect(() => {
    const field = input.current;
    field?.addEventListener('keydown', onKeyDown);
    return () => field?.removeEventListener('keydown', onKeyDown);
  });
}
