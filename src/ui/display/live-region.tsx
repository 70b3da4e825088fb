import { createContext, use, useCallback, useState, type ReactNode } from 'react';

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
      <div role="status" aria-atomic="true" className="sr-only" ref={stopWhenGone}>
        {text}
      </div>
    </Announcer>
  );
}

/** Says a whole sentence to assistive technology, at least 1.5 s after the last one. */
export function useAnnounce(): (sentence: string) => void {
  return use(Announcer);
}

interface SentenceQueue {
  add: (sentence: string) => void;
  stop: () => void;
}

/** Sentences closer together than this are cut off by screen readers. */
const gapMs = 1500;

/** Says sentences at least 1.5 s apart; those that come in between are merged into one, each said once. */
export function createSentenceQueue(say: (text: string) => void): SentenceQueue {
  let waiting: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const sayNext = () => {
    timer = undefined;
    if (waiting.length === 0) return;
    say(waiting.join(' '));
    waiting = [];
    timer = setTimeout(sayNext, gapMs);
  };

  return {
    add(sentence) {
      if (!waiting.includes(sentence)) waiting.push(sentence);
      if (timer === undefined) sayNext();
    },
    stop() {
      clearTimeout(timer);
      waiting = [];
      timer = undefined;
    },
  };
}
