import { useEffect, useEffectEvent } from 'react';

/** Calls back when the page takes another theme: canvases know their colours only by asking. */
export function useThemeChange(onChange: () => void): void {
  const notifyChange = useEffectEvent(onChange);
  useEffect(() => {
    const observer = new MutationObserver(() => notifyChange());
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
}
