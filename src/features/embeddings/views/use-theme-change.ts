import { useEffect, useEffectEvent } from 'react';

/** Calls back when the page takes another theme: canvases know their colours only by asking. */
export function useThemeChange(onChange: () => void): void {
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    const observer = new MutationObserver(() => changed());
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => observer.disconnect();
  }, []);
}
