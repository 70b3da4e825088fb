import { createContext, use, useCallback, useState, type ReactNode } from 'react';

const AnnounceContext = createContext<(sentence: string) => void>(() => {});

/** Wraps the app with its one hidden status region: atomic, polite, fed by `useAnnounce`. */
export function LiveRegion({ children }: { children: ReactNode }) {
  const [text, setText] = useState('');
  // The zero-width space makes a repeated sentence a change that is spoken again.
  const [queue] = useState(() =>
    createSentenceQueue((sentence) =>
      setText((previous) => (previous === sentence ? `${sentence}\u200B` : sentence)),
    ),
  );
  // The same one for each drawing: another would stop the queue between a sentence and the next.
  const stopOnUnmount = useCallback(() => queue.stop, [queue]);
  return (
    <AnnounceContext value={queue.add}>
      {children}
      <div role="status" aria-atomic="true" className="sr-only" ref={stopOnUnmount}>
        {text}
      </div>
    </AnnounceContext>
  );
}

/** Says a whole sentence to assistive technology, at least 1.5 s after the last one. */
export function useAnnounce(): (sentence: string) => void {
  return use(AnnounceContext);
}

interface SentenceQueue {
  add: (sentence: string) => void;
  stop: () => void;
}

/** Sentences closer together than this are cut off by screen readers. */
const minGapMs = 1500;

/** Says sentences at least 1.5 s apart; those that come in between are merged into one, each said once. */
export function createSentenceQueue(announce: (text: string) => void): SentenceQueue {
  let pendingSentences: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const announceNext = () => {
    timer = undefined;
    if (pendingSentences.length === 0) return;
    announce(pendingSentences.join(' '));
    pendingSentences = [];
    timer = setTimeout(announceNext, minGapMs);
  };

  return {
    add(sentence) {
      if (!pendingSentences.includes(sentence)) pendingSentences.push(sentence);
      if (timer === undefined) announceNext();
    },
    stop() {
      clearTimeout(timer);
      pendingSentences = [];
      timer = undefined;
    },
  };
}
