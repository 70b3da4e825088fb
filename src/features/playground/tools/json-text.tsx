import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { findToken, type JsonToken } from '../../../lib/json-scan.ts';
import { LongText } from '../../../ui/display/long-text.tsx';

const scalarPattern = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;

/** Colours of JSON tokens, as in Markdown code. */
export const jsonColors = { key: 'text-(--lane-b)', text: 'text-(--lane-c)', scalar: 'text-(--lane-a)' };

/** Maximum length of coloured text; longer text is rendered in one colour, because a span per token would be slow. */
const maxColoredChars = 20_000;

const textLook = clsx('font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap');
/** Classes of text that was sent; it scrolls, because it may be long. */
export const sentLook = clsx(textLook, 'max-h-60 overflow-y-auto text-ink-2');

/** JSON in the colours of code, even if it is incomplete or invalid. `isSent`: with the style of a tool result. */
export function JsonText({ text, isSent = false }: { text: string; isSent?: boolean }) {
  return (
    <pre className={isSent ? sentLook : clsx(textLook, 'text-ink-3')} dir="auto">
      {text.length > maxColoredChars ? <LongText text={text} /> : highlightJson(text)}
    </pre>
  );
}

function highlightJson(text: string): ReactNode[] {
  const nodes: ReactNode[] = [];
  let drawnEnd = 0;
  for (let token = findToken(text, 0), next; token; token = next) {
    next = findToken(text, token.end);
    const tokenText = text.slice(token.start, token.end);
    const tokenClass = getTokenClass(token, tokenText, next);
    if (tokenClass === undefined) continue;
    nodes.push(
      text.slice(drawnEnd, token.start),
      <span key={token.start} className={tokenClass}>
        {tokenText}
      </span>,
    );
    drawnEnd = token.end;
  }
  nodes.push(text.slice(drawnEnd));
  return nodes;
}

/** Returns the class of a token; `undefined` for punctuation and words that are not JSON. */
function getTokenClass(token: JsonToken, tokenText: string, next: JsonToken | undefined): string | undefined {
  if (token.kind === 'word') return scalarPattern.test(tokenText) ? jsonColors.scalar : undefined;
  if (token.kind !== 'string' && token.kind !== 'open string') return undefined;
  return next?.kind === ':' ? jsonColors.key : jsonColors.text;
}
