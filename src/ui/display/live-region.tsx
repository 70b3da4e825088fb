import { createContext, use, useCallback, useState, type ReactNode } from 'react';

const AnnounceContext = createContext<(sentence: string) => void>(() => {});

/** Wraps the app with its only hidden status region: atomic, polite, filled through `useAnnounce`. */
export function LiveRegion({ children }: { children: ReactNode }) {
  const [text, setText] = useState('');
  // The zero-width space turns a repeated sentence into a change, so that it is announced again.
  const [queue] = useState(() =>
    createSentenceQueue((sentence) =>
      setText((previous) => (previous === sentence ? `${sentence}\u200B` : sentence)),
    ),
  );
  // A stable callback: a new one on each render would stop the queue between two sentences.
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

/** Returns a function that announces a whole sentence to screen readers, at least 1.5 s after the previous one. */
export function useAnnounce(): (sentence: string) => void {
  return use(AnnounceContext);
}

interface SentenceQueue {
  add: (sentence: string) => void;
  stop: () => void;
}

/** Screen readers cut off sentences that follow each other faster than this. */
const minGapMs = 1500;

/**
 * Creates a queue that announces sentences at least 1.5 s apart. Sentences that arrive in between are merged, without
 * duplicates.
 */
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
