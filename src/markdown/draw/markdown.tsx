import type { JSX } from 'react';

import type { StreamingText } from '../../lib/streaming-text.ts';

import './markdown.css';
import { useMarkdownBody } from './use-markdown-body.ts';

interface MarkdownProps {
  /** The whole text so far. It only grows while `isLive`; a finished message may be passed as a whole. */
  text: string;
  isLive: boolean;
  /** Shows the caret at the growing end. */
  hasCaret?: boolean;
  /** Source of the growing text while `isLive`: the text is drawn from there in every frame, without a React render. */
  growingText?: StreamingText | undefined;
}

/** Draws a message from its Markdown, while it streams or as a whole. React never renders the body again. */
export function Markdown({ text, isLive, hasCaret = false, growingText }: MarkdownProps): JSX.Element {
  const container = useMarkdownBody({ text, isLive, hasCaret, growingText });
  return <div className="markdown" ref={container} />;
}
