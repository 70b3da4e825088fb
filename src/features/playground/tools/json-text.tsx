import type { ReactNode } from 'react';

import { LongText } from '../../../ui/display/long-text.tsx';

/** Names, texts, and numbers or keywords of JSON. What is between them is drawn as it is. */
const token = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*|true|false|null/g;
const colon = /^\s*:/;

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
    const [shown] = match;
    pieces.push(text.slice(end, match.index));
    end = match.index + shown.length;
    pieces.push(
      <span key={match.index} className={classOf(shown, colon.test(text.slice(end)))}>
        {shown}
      </span>,
    );
  }
  pieces.push(text.slice(end));
  return pieces;
}

function classOf(shown: string, isName: boolean): string {
  if (!shown.startsWith('"')) return 'jn';
  return isName ? 'js' : 'jb';
}
