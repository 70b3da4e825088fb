import { useEffect, useRef, useState } from 'react';

import { useSessionState } from '../../state/react.tsx';

const load = () => import('./later.tsx');
type Later = Awaited<ReturnType<typeof load>>;

/** Keys that are held until what answers them is here; the browser has other uses for them. */
const held = /^(?:Escape|F6)$/;
const heldWithCtrl = /^[ki,\\]$/i;
/** What is typed after it is meant for the command field. */
const opensField = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && key.toLowerCase() === 'k';

/**
 * The commands, their keys and the tools of the bar, once they are here: fetched when one can write, before anything
 * else that can wait. What is pressed until then is not lost.
 */
export function useLater(isPlayground: boolean): Later | undefined {
  const isReady =
    useSessionState((state) => (state.currentId ?? state.missingId) !== undefined) || !isPlayground;
  const [later, setLater] = useState<Later>();
  const early = useRef<KeyboardEvent[]>([]);
  useEffect(() => {
    if (!isReady || later) return;
    const hold = (event: KeyboardEvent) => {
      const isHeld =
        (event.ctrlKey || event.metaKey ? heldWithCtrl : held).test(event.key) ||
        (event.key.length === 1 && early.current.some(opensField));
      if (!isHeld || event.defaultPrevented) return;
      if (event.key !== 'Escape') event.preventDefault();
      early.current.push(event);
    };
    addEventListener('keydown', hold);
    // After the paint that shows the composer.
    const timer = setTimeout(() => void load().then(setLater, () => undefined));
    return () => {
      clearTimeout(timer);
      removeEventListener('keydown', hold);
    };
  }, [isReady, later]);
  // Effects of what is inside have run by now: they listen.
  useEffect(() => {
    if (!later) return;
    const events = early.current.splice(0);
    const isTyped = ({ key, ctrlKey, metaKey }: KeyboardEvent) => key.length === 1 && !ctrlKey && !metaKey;
    for (const event of events) if (!isTyped(event)) dispatchEvent(new KeyboardEvent('keydown', event));
    const text = events
      .filter(isTyped)
      .map(({ key }) => key)
      .join('');
    if (text !== '') setTimeout(typeInto, 0, text);
  }, [later]);
  return later;
}

/** Into the field that has the focus by then. */
function typeInto(text: string): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement)) return;
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
