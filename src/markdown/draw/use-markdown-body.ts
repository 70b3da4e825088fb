import type { RefObject } from 'react';
import { useEffect, useLayoutEffect, useRef } from 'react';

import type { StreamingText } from '../../lib/streaming-text.ts';
import { handleMarkdownClick } from './dom-actions.ts';
import { MarkdownBody } from './markdown-body.ts';

interface Wanted {
  text: string;
  live: boolean;
  caret: boolean;
  growing: StreamingText | undefined;
}

/**
 * Keeps the body of a message drawn inside an element that React does not look into. A hidden tab draws nothing
 * and catches up when it is shown.
 */
export function useMarkdownBody(wanted: Wanted): RefObject<HTMLDivElement | null> {
  const { text, live, caret, growing } = wanted;
  const container = useRef<HTMLDivElement>(null);
  const body = useRef<MarkdownBody | null>(null);
  const newest = useRef(wanted);

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
    newest.current = { text, live, caret, growing };
    if (!(document.hidden && live)) draw(body.current, newest.current);
  }, [text, live, caret, growing]);

  useLayoutEffect(() => {
    if (!live) return undefined;
    return growing?.subscribe(() => {
      // Nothing to read: it has just ended. What React was told is old, and drawing that would throw away all that is
      // drawn; the whole text comes with its next render.
      if (!document.hidden && growing.read() !== undefined) draw(body.current, newest.current);
    });
  }, [live, growing]);

  useEffect(() => {
    const catchUp = () => {
      if (!document.hidden) draw(body.current, newest.current);
    };
    document.addEventListener('visibilitychange', catchUp);
    return () => document.removeEventListener('visibilitychange', catchUp);
  }, []);

  return container;
}

function draw(body: MarkdownBody | null, { text, live, caret, growing }: Wanted): void {
  // What React was told may be behind what is drawn already, so a growing text is read where it grows.
  body?.update((live ? growing?.read() : undefined) ?? text, live, caret);
}
