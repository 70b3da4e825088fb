import { saidIn } from '../../../conversation/files/tape-text.ts';
import { candidateOf } from '../../../conversation/session/candidates.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { formatDuration, plural } from '../../../lib/format.ts';
import { useInspector } from '../../../state/react.tsx';
import { useTape } from './use-tape.ts';

import './trace.css';

interface CursorTextProps {
  run: Run;
  letter: string;
  shownChoice: number;
}

/** Only the newest stretch is looked at; more would have to be laid out at every move. */
const mostLetters = 6_000;

/** A lane's text as it was at the moment that the cursor points at, over its conversation. */
export function CursorText({ run, letter, shownChoice }: CursorTextProps) {
  const cursorMs = useInspector((state) => state.cursorMs);
  const feed = useTape(run);
  if (cursorMs === undefined) return null;
  const { number, unit } = formatDuration(cursorMs);
  const moment = `${number} ${unit}`;
  const { loaded, count } = feed.state.getState();
  const then = feed.cursor().runAt(cursorMs);
  const parts = saidIn(candidateOf(then, shownChoice));
  const last = parts.at(-1);
  return (
    <div className="then" role="group" aria-label={`Lane ${letter} at ${moment}`}>
      <header>
        <b>{moment}</b>
        <span className="mut">
          {loaded
            ? count === 0
              ? 'No recording of this answer'
              : wordsFor(then, last?.type)
            : 'Reading the recording'}
        </span>
      </header>
      {parts.length > 0 && (
        <div className="then-text" dir="auto">
          <div>
            {parts.map((part, index) => (
              <p key={index} className={part.type}>
                {cut(part.text)}
                {part === last && <i className="caret" aria-hidden />}
              </p>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

function cut(text: string): string {
  return text.length > mostLetters ? `…${text.slice(-mostLetters)}` : text;
}

function wordsFor(then: Run, last: string | undefined): string {
  const pieces = plural(then.deltas, 'piece');
  switch (then.phase.name) {
    case 'queued':
    case 'waiting':
      return 'Still waiting';
    case 'streaming':
      return `${last === 'thinking' ? 'Reasoning' : 'Answering'}, ${pieces}`;
    case 'complete':
      return `Complete, ${pieces}`;
    case 'failed':
    case 'truncated':
    case 'stopped':
    case 'interrupted':
      return `Ended: ${then.phase.name}, ${pieces}`;
  }
}
