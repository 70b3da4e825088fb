import type { JsonLine } from '../../../conversation/trace/trace-json.ts';

interface JsonLinesProps {
  lines: readonly JsonLine[];
  label: string;
}

/** More than this is not read on screen, and would only be slow. */
const mostLines = 2_000;

/** JSON over lines, with its fields outside the specification marked. */
export function JsonLines({ lines, label }: JsonLinesProps) {
  return (
    <pre className="kv blk" tabIndex={0} role="group" aria-label={label}>
      {lines.slice(0, mostLines).map(({ depth, tokens }, at) => (
        <span key={at} className="ln">
          {'  '.repeat(depth)}
          {tokens.map(({ text, kind, isOutside }, index) =>
            isOutside ? (
              <mark key={index} title="Not in the specification">
                {text}
              </mark>
            ) : (
              <span key={index} className={`j-${kind}`}>
                {text}
              </span>
            ),
          )}
          {'\n'}
        </span>
      ))}
      {lines.length > mostLines && (
        <span className="mut">{`… ${lines.length - mostLines} more lines; Copy includes all of them`}</span>
      )}
    </pre>
  );
}
