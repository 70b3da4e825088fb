export interface SentenceQueue {
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
