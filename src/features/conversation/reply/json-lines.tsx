import { clsx } from 'clsx';
import { Fragment, useMemo, type ReactNode } from 'react';

import type { SchemaFault } from '../../../conversation/reply/json-check-schema.ts';
import { findToken } from '../../../lib/json-scan.ts';
import type { FocusTarget } from '../../../ui/focus/focus-target.ts';
import { LongText } from '../../tools/long-text.tsx';

interface JsonLinesProps {
  text: string;
  faults: readonly SchemaFault[];
  getLineTarget: (line: number) => FocusTarget;
}

/** Maximum number of lines with elements; longer replies are rendered as one text, which is faster. */
const maxLines = 2000;

/** JSON with numbered lines, to which faults link. Line breaks inside strings are rendered as line breaks. */
export function JsonLines({ text, faults, getLineTarget }: JsonLinesProps) {
  const lines = useMemo(() => text.split('\n'), [text]);
  const faultKinds = useMemo(
    () => new Map(faults.toReversed().map(({ line, kind }) => [line, kind])),
    [faults],
  );
  if (lines.length > maxLines)
    return (
      <pre className="overflow-x-auto rounded-2 border border-line-2 bg-sunken px-3 py-1.5 font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap text-ink-2">
        <LongText text={text} />
      </pre>
    );
  return (
    <ol
      className="overflow-x-auto rounded-2 border border-line-2 bg-sunken py-1.5 font-mono text-mono-12 text-ink-2"
      aria-label="JSON by line"
      dir="ltr"
    >
      {lines.map((line, index) => {
        const kind = faultKinds.get(index + 1);
        return (
          <li
            key={index}
            {...getLineTarget(index + 1).attributes}
            tabIndex={-1}
            className={clsx(
              'flex border-l-2 pr-3 -outline-offset-2 focus:outline-2 focus:outline-needle',
              kind === undefined || kind === 'missing'
                ? 'border-transparent'
                : kind === 'wrapped'
                  ? 'border-warn bg-warn-wash'
                  : 'border-err bg-err-wash',
            )}
          >
            <span className="w-9 flex-none pr-3 text-right text-ink-3 select-none" aria-hidden>
              {index + 1}
            </span>
            <span className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap">{highlightJson(line)}</span>
          </li>
        );
      })}
    </ol>
  );
}

const scalarPattern = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;

function highlightJson(line: string): ReactNode {
  const nodes: ReactNode[] = [];
  let drawnEnd = 0;
  for (let token = findToken(line, 0), next; token; token = next) {
    next = findToken(line, token.end);
    const tokenText = line.slice(token.start, token.end);
    const isText = token.kind === 'string' || token.kind === 'open string';
    const isKey = isText && next?.kind === ':';
    if (!isText && !(token.kind === 'word' && scalarPattern.test(tokenText))) continue;
    nodes.push(
      line.slice(drawnEnd, token.start),
      <span
        key={token.start}
        className={isKey ? 'text-ink-2' : isText ? 'text-(--lane-b)' : 'text-(--lane-a)'}
        dir={isText && !isKey ? 'auto' : undefined}
      >
        {isText && !isKey ? renderLineBreaks(tokenText) : tokenText}
      </span>,
    );
    drawnEnd = token.end;
  }
  nodes.push(line.slice(drawnEnd) || (drawnEnd === 0 ? '\u200b' : ''));
  return nodes;
}

/**
 * Renders `
 * ` in a string as a line break, unless its backslash is itself escaped.
 */
function renderLineBreaks(text: string): ReactNode {
  const unescapedText = text.replaceAll(/\\(?:r\\n|n|([\s\S]))/g, (match, escaped?: string) =>
    escaped === undefined ? '\n' : match,
  );
  return unescapedText.split('\n').map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {line}
    </Fragment>
  ));
}
