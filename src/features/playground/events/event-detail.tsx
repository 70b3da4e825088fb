import { Clock, Copy } from 'lucide-react';
import { useMemo } from 'react';

import type { TraceEvent } from '../../../conversation/trace/trace-events.ts';
import { layOutJson, type JsonLine } from '../../../conversation/trace/trace-json.ts';
import type { TapeEntry } from '../../../gateway/stream/tape.ts';
import { formatCount, formatDuration } from '../../../lib/format.ts';
import { parseJson } from '../../../lib/json.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { copyText } from '../../../ui/display/copy-text.ts';

interface EventDetailProps {
  event: TraceEvent;
  entry: TapeEntry;
  isSlow: boolean;
}

/** One raw event, with what the specification does not know in it. */
export function EventDetail({ event, entry, isSlow }: EventDetailProps) {
  const raw = rawOf(entry);
  const { lines, outside } = useMemo(
    () => (parseJson(raw).ok ? layOutJson(raw) : { lines: undefined, outside: [] }),
    [raw],
  );
  const { number, unit } = formatDuration(event.gapMs);
  const words = event.number === 1 ? 'after the request start' : 'after the previous event';
  return (
    <section className="one" aria-label={`Event ${event.number}`}>
      <header className="fl">
        <h3>Event {formatCount(event.number)}</h3>
        <span className={isSlow ? 'st warn' : 'mut'}>
          {isSlow && <Clock className="i" aria-hidden />}
          {number} {unit} {words}
        </span>
        <span className="grow" />
        <IconButton label="Copy event" size="small" onClick={() => void copyText(raw)}>
          <Copy className="i s" aria-hidden />
        </IconButton>
      </header>
      {event.lateMs !== undefined && event.lateMs >= leastLateMs && (
        <p className="nt">
          Arrived {Math.round(event.lateMs)} ms later: the page was busy, or the way was slow.
        </p>
      )}
      {'data' in entry && entry.event !== undefined && (
        <p className="nt">
          Event name: <code>{entry.event}</code>.
        </p>
      )}
      {lines ? (
        <JsonLines lines={lines} label={`Event ${event.number}, raw`} />
      ) : (
        <pre className="kv blk" tabIndex={0} role="group" aria-label={`Event ${event.number}, raw`}>
          {raw.slice(0, mostLetters)}
        </pre>
      )}
      {'comment' in entry && <p className="nt">A keep-alive comment. It carries no data.</p>}
      {'outside' in entry && <p className="nt">This text does not belong to any event of the stream.</p>}
      {'data' in entry && entry.unterminated && (
        <p className="nt">The stream ended before the blank line that ends an event.</p>
      )}
      {outside.map((path) => (
        <p key={path} className="nt">
          <code>{path}</code> {outsideWords(path)}
        </p>
      ))}
    </section>
  );
}

/** Less than a frame and its neighbour is nothing that anybody notices. */
const leastLateMs = 20;
const mostLetters = 100_000;
const reasoning =
  /\.(?:delta|message)\.(?:reasoning|reasoning_content|reasoning_text|reasoning_details|thinking|thinking_blocks)$/;

function outsideWords(path: string): string {
  if (reasoning.test(path)) {
    return 'is not part of the gateway format. This provider sends it, so it is shown as reasoning and kept out of the answer.';
  }
  if (path.endsWith('.refusal')) return 'is not part of the gateway format. It is shown as a refusal.';
  return 'is not part of the gateway format. It is kept here and changes nothing in the answer.';
}

function rawOf(entry: TapeEntry): string {
  if ('data' in entry) return entry.data;
  if ('body' in entry) return entry.body;
  if ('outside' in entry) return entry.outside;
  return 'comment' in entry ? entry.comment : '';
}

interface JsonLinesProps {
  lines: readonly JsonLine[];
  label: string;
}

/** More than this is not read on screen, and would only be slow. */
const mostLines = 2_000;

/** JSON over lines, with its fields outside the specification marked. */
function JsonLines({ lines, label }: JsonLinesProps) {
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
