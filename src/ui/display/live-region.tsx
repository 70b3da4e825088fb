import { createContext, use, useCallback, useState, type ReactNode } from 'react';

import { createSentenceQueue } from './sentence-queue.ts';

const Announcer = createContext<(sentence: string) => void>(() => {});

/** Wraps the app with its one hidden status region: atomic, polite, fed by `useAnnounce`. */
export function LiveRegion({ children }: { children: ReactNode }) {
  const [text, setText] = useState('');
  // The zero-width space makes a repeated sentence a change that is spoken again.
  const [queue] = useState(() =>
    createSentenceQueue((said) => setText((last) => (last === said ? `${said}\u200B` : said))),
  );
  // The same one for each drawing: another would stop the queue between a sentence and the next.
  const stopWhenGone = useCallback(() => queue.stop, [queue]);
  return (
    <Announcer value={queue.add}>
      {children}
      <div role="status" aria-atomic="true" className="vh" ref={stopWhenGone}>
        {text}
      </div>
    </Announcer>
  );
}

/** Says a whole sentence to assistive technology, at least 1.5 s after the last one. */
export function useAnnounce(): (sentence: string) => void {
  return use(Announcer);
}
