import { Fragment, useMemo, type ReactNode } from 'react';

import type { SchemaFault } from '../../../conversation/reply/json-check-schema.ts';
import { findToken } from '../../../lib/json-scan.ts';
import { LongText } from '../../../ui/display/long-text.tsx';
import type { Place } from '../../../ui/focus/focus-target.ts';

interface JsonLinesProps {
  text: string;
  faults: readonly SchemaFault[];
  placeOf: (line: number) => Place;
}

/** A longer reply is drawn as one text: an element for each of its lines would make it slow. */
const mostLines = 2000;

/** JSON with numbered lines that faults lead to. Line breaks inside strings are shown as such. */
export function JsonLines({ text, faults, placeOf }: JsonLinesProps) {
  const lines = useMemo(() => text.split('\n'), [text]);
  const looks = useMemo(() => new Map(faults.toReversed().map(({ line, kind }) => [line, kind])), [faults]);
  const frame =
    'overflow-x-auto rounded-2 border border-line-2 bg-sunken py-1.5 font-mono text-mono-12 text-ink-2';
  if (lines.length > mostLines)
    return (
      <pre className={`${frame} px-3 wrap-anywhere whitespace-pre-wrap`}>
        <LongText text={text} />
      </pre>
    );
  return (
    <ol className={frame} aria-label="JSON by line" dir="ltr">
      {lines.map((line, index) => {
        const kind = looks.get(index + 1);
        const look =
          kind === undefined || kind === 'missing'
            ? 'border-transparent'
            : kind === 'wrapped'
              ? 'border-warn bg-warn-wash'
              : 'border-err bg-err-wash';
        return (
          <li
            key={index}
            {...placeOf(index + 1).here}
            tabIndex={-1}
            className={`flex border-l-2 pr-3 outline-offset-[-2px] focus:outline-2 focus:outline-needle ${look}`}
          >
            <span className="w-9 flex-none pr-3 text-right text-ink-3 select-none" aria-hidden>
              {index + 1}
            </span>
            <span className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap">{coloured(line)}</span>
          </li>
        );
      })}
    </ol>
  );
}

const scalar = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;

function coloured(line: string): ReactNode {
  const pieces: ReactNode[] = [];
  let drawn = 0;
  for (let token = findToken(line, 0), next; token; token = next) {
    next = findToken(line, token.end);
    const shown = line.slice(token.start, token.end);
    const isText = token.kind === 'string' || token.kind === 'open string';
    const isName = isText && next?.kind === ':';
    if (!isText && !(token.kind === 'word' && scalar.test(shown))) continue;
    const look = isName ? 'text-ink-2' : isText ? 'text-(--lane-b)' : 'text-(--lane-a)';
    pieces.push(
      line.slice(drawn, token.start),
      <span key={token.start} className={look} dir={isText && !isName ? 'auto' : undefined}>
        {isText && !isName ? withBreaks(shown) : shown}
      </span>,
    );
    drawn = token.end;
  }
  pieces.push(line.slice(drawn) || (drawn === 0 ? '\u200b' : ''));
  return pieces;
}

/** `\n` of a string as a line break, unless its backslash is itself escaped. */
function withBreaks(shown: string): ReactNode {
  const parts = shown.replaceAll(/\\(?:r\\n|n|([\s\S]))/g, (whole, other?: string) =>
    other === undefined ? '\n' : whole,
  );
  return parts.split('\n').map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {part}
    </Fragment>
  ));
}
