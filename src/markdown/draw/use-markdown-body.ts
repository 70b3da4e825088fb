import type { RefObject } from 'react';
import { useEffect, useLayoutEffect, useRef } from 'react';

import type { StreamingText } from '../../lib/streaming-text.ts';
import { handleMarkdownClick } from './dom-actions.ts';
import { MarkdownBody } from './markdown-body.ts';

interface BodyContent {
  text: string;
  isLive: boolean;
  hasCaret: boolean;
  growingText: StreamingText | undefined;
}

/**
 * Keeps the body of a message up to date inside an element that React does not manage. A hidden tab draws nothing and
 * catches up when it becomes visible.
 */
export function useMarkdownBody(content: BodyContent): RefObject<HTMLDivElement | null> {
  const { text, isLive, hasCaret, growingText } = content;
  const container = useRef<HTMLDivElement>(null);
  const body = useRef<MarkdownBody | null>(null);
  const latestContent = useRef(content);

  useLayoutEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    const newBody = new MarkdownBody(element);
    body.current = newBody;
    element.addEventListener('click', handleMarkdownClick);
    return () => {
      element.removeEventListener('click', handleMarkdownClick);
      newBody.clear();
      body.current = null;
    };
  }, []);

  useLayoutEffect(() => {
    latestContent.current = { text, isLive, hasCaret, growingText };
    if (!(document.hidden && isLive)) drawBody(body.current, latestContent.current);
  }, [text, isLive, hasCaret, growingText]);

  useLayoutEffect(() => {
    if (!isLive) return undefined;
    return growingText?.subscribe(() => {
      // There is no text to read if it has just ended. React's text is older than the drawn text, and drawing it would
      // discard everything; the whole text comes with React's next render.
      if (!document.hidden && growingText.read() !== undefined) drawBody(body.current, latestContent.current);
    });
  }, [isLive, growingText]);

  useEffect(() => {
    const drawLatest = () => {
      if (!document.hidden) drawBody(body.current, latestContent.current);
    };
    document.addEventListener('visibilitychange', drawLatest);
    return () => document.removeEventListener('visibilitychange', drawLatest);
  }, []);

  return container;
}

function drawBody(body: MarkdownBody | null, { text, isLive, hasCaret, growingText }: BodyContent): void {
  // React's text may be older than the drawn text, so a growing text is read at its source.
  body?.update((isLive ? growingText?.read() : undefined) ?? text, isLive, hasCaret);
}
