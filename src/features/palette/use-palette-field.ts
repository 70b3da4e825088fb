import { useEffect, useEffectEvent, useLayoutEffect } from 'react';

import type { PaletteField } from './palette.tsx';

/**
 * Makes these options those of the field, which was there before them: it has their keys and says which is active. An
 * Enter that came before them runs the active one.
 */
export function usePaletteField(
  { input, isAwaited }: PaletteField,
  activeId: string | undefined,
  onKeyDown: (event: KeyboardEvent) => void,
  onAwaited: () => void,
): void {
  const runAwaited = useEffectEvent(onAwaited);
  useEffect(() => {
    if (!isAwaited.current) return;
    isAwaited.current = false;
    runAwaited();
  }, [isAwaited]);
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
