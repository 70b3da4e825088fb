import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import { findToken, type JsonToken } from '../../lib/json-scan.ts';
import { JsonTokenView } from './json-token-view.tsx';
import { LongText } from './long-text.tsx';

const scalarPattern = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;

/** Maximum length of coloured text; longer text is rendered in one colour, because a span per token would be slow. */
const maxColoredChars = 20_000;

/**
 * JSON in the colours of code, even if it is incomplete or invalid. `isSent`: in the colour of a tool result, and
 * scrolling, because results may be long.
 */
export function JsonText({ text, isSent = false }: { text: string; isSent?: boolean }) {
  return (
    <pre
      className={clsx(
        'font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap',
        isSent ? 'max-h-60 overflow-y-auto text-ink-2' : 'text-ink-3',
      )}
      dir="auto"
    >
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
    const kind = getTokenKind(token, tokenText, next);
    if (kind === undefined) continue;
    nodes.push(
      text.slice(drawnEnd, token.start),
      <JsonTokenView key={token.start} kind={kind}>
        {tokenText}
      </JsonTokenView>,
    );
    drawnEnd = token.end;
  }
  nodes.push(text.slice(drawnEnd));
  return nodes;
}

/** Returns the kind of a token for its colour; `undefined` for punctuation and words that are not JSON. */
function getTokenKind(
  token: JsonToken,
  tokenText: string,
  next: JsonToken | undefined,
): 'key' | 'text' | 'value' | undefined {
  if (token.kind === 'word') return scalarPattern.test(tokenText) ? 'value' : undefined;
  if (token.kind !== 'string' && token.kind !== 'open string') return undefined;
  return next?.kind === ':' ? 'key' : 'text';
}
