import type { ReactNode } from 'react';

import { findToken, type JsonToken } from '../../../lib/json-scan.ts';
import { classes } from '../../../ui/cn.ts';
import { LongText } from '../../../ui/display/long-text.tsx';

const scalar = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;

/** The colours of what JSON is made of, as code in markdown has them. */
export const jsonColors = { key: 'text-(--lane-b)', text: 'text-(--lane-c)', scalar: 'text-(--lane-a)' };

/** Longer texts are drawn in one colour: a span for every token would make them slow. */
const mostLetters = 20_000;

const textLook = classes('font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap');
/** The look of text that was sent: it may be long, so it scrolls. */
export const sentLook = classes(textLook, 'max-h-60 overflow-y-auto text-ink-2');

/** JSON text in the colours of code; also while it is not complete, and where it is not JSON. `sent`: as a tool's result. */
export function JsonText({ text, sent = false }: { text: string; sent?: boolean }) {
  return (
    <pre className={sent ? sentLook : classes(textLook, 'text-ink-3')} dir="auto">
      {text.length > mostLetters ? <LongText text={text} /> : coloured(text)}
    </pre>
  );
}

function coloured(text: string): ReactNode[] {
  const pieces: ReactNode[] = [];
  let drawn = 0;
  for (let token = findToken(text, 0), next; token; token = next) {
    next = findToken(text, token.end);
    const shown = text.slice(token.start, token.end);
    const look = lookOf(token, shown, next);
    if (look === undefined) continue;
    pieces.push(
      text.slice(drawn, token.start),
      <span key={token.start} className={look}>
        {shown}
      </span>,
    );
    drawn = token.end;
  }
  pieces.push(text.slice(drawn));
  return pieces;
}

/** Undefined for what is drawn as it is: marks, and words that are not JSON. */
function lookOf(token: JsonToken, shown: string, next: JsonToken | undefined): string | undefined {
  if (token.kind === 'word') return scalar.test(shown) ? jsonColors.scalar : undefined;
  if (token.kind !== 'string' && token.kind !== 'open string') return undefined;
  return next?.kind === ':' ? jsonColors.key : jsonColors.text;
}
