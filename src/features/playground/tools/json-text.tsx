import type { ReactNode } from 'react';

import { LongText } from '../../../ui/display/long-text.tsx';

/** Names, texts, and numbers or keywords of JSON. What is between them is drawn as it is. */
const token = /("(?:[^"\\]|\\.)*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Longer texts are drawn in one colour: a span for every token would make them slow. */
const mostLetters = 20_000;

/** JSON text in the colours of code; also while it is not complete, and where it is not JSON. */
export function JsonText({ text, className = '' }: { text: string; className?: string }) {
  return (
    <pre className={`mono json-text ${className}`} dir="auto">
      {text.length > mostLetters ? <LongText text={text} /> : coloured(text)}
    </pre>
  );
}

function coloured(text: string): ReactNode[] {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon] = match;
    const shown = quoted ?? whole;
    pieces.push(text.slice(end, match.index));
    pieces.push(
      <span key={match.index} className={classOf(quoted, colon)}>
        {shown}
      </span>,
    );
    end = match.index + shown.length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

function classOf(quoted: string | undefined, colon: string | undefined): string {
  if (quoted === undefined) return 'jn';
  return colon === undefined ? 'jb' : 'js';
}
