import type { RefObject } from 'react';
import { useEffect, useLayoutEffect, useRef } from 'react';

import { handleMarkdownClick } from './dom-actions.ts';
import { MarkdownBody } from './markdown-body.ts';

/**
 * Keeps the body of a message drawn inside an element that React does not look into. A hidden tab draws nothing
 * and catches up when it is shown (streaming.md §6, rule 6).
 */
export function useMarkdownBody(
  text: string,
  live: boolean,
  caret: boolean,
): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null);
  const body = useRef<MarkdownBody | null>(null);
  const wanted = useRef({ text, live, caret });

  useLayoutEffect(() => {
    const home = container.current;
    if (home === null) return undefined;
    const made = new MarkdownBody(home);
    body.current = made;
    home.addEventListener('click', handleMarkdownClick);
    return () => {
      home.removeEventListener('click', handleMarkdownClick);
      made.clear();
      body.current = null;
    };
  }, []);

  useLayoutEffect(() => {
    wanted.current = { text, live, caret };
    if (!(document.hidden && live)) body.current?.update(text, live, caret);
  }, [text, live, caret]);

  useEffect(() => {
    const catchUp = () => {
      const { text: newest, live: still, caret: shown } = wanted.current;
      if (!document.hidden) body.current?.update(newest, still, shown);
    };
    document.addEventListener('visibilitychange', catchUp);
    return () => document.removeEventListener('visibilitychange', catchUp);
  }, []);

  return container;
}
