import { useEffect, useState } from 'react';

const quietAfterMs = 3000;

/** True once neither pointer nor keys were used for 3 s: then the cursor and the hints are out of the picture. */
export function useQuietPointer(): boolean {
  const [isQuiet, setQuiet] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stir = () => {
      setQuiet(false);
      clearTimeout(timer);
      timer = setTimeout(() => setQuiet(true), quietAfterMs);
    };
    stir();
    const kinds = ['pointermove', 'pointerdown', 'keydown', 'focusin'];
    for (const kind of kinds) document.addEventListener(kind, stir);
    return () => {
      clearTimeout(timer);
      for (const kind of kinds) document.removeEventListener(kind, stir);
    };
  }, []);
  return isQuiet;
}
