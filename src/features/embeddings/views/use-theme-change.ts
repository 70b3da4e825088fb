import { useEffect, useEffectEvent } from 'react';

/** Calls `onChange` after a theme change, because canvases have to read their colours again. */
export function useThemeChange(onChange: () => void): void {
  const notifyChange = useEffectEvent(onChange);
  useEffect(() => {
    const observer = new MutationObserver(() => notifyChange());
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
}
