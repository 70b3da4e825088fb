import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

let isPrinting = false;

function subscribe(onChange: () => void): () => void {
  const start = () => {
    isPrinting = true;
    // The browser captures the page as soon as all listeners have returned.
    flushSync(onChange);
  };
  const end = () => {
    isPrinting = false;
    onChange();
  };
  addEventListener('beforeprint', start);
  addEventListener('afterprint', end);
  return () => {
    removeEventListener('beforeprint', start);
    removeEventListener('afterprint', end);
  };
}

/** Returns true while the page is printed, from before its layout until it is done. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  );
}
