import { clsx } from 'clsx';

import { getCandidateParts } from '../../../conversation/files/tape-cursor.ts';
import { getCandidate } from '../../../conversation/session/candidates.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { formatDuration, pluralize } from '../../../lib/format.ts';
import { useInspector } from '../../../state/contexts.tsx';
import { useTape } from './use-tape.ts';

interface CursorTextProps {
  run: Run;
  letter: string;
  shownChoice: number;
  /** True for a single lane, whose text has the width of the conversation instead of the window. */
  isOnlyLane: boolean;
}

/** Maximum length of the text shown; more would slow down every cursor movement. */
const maxChars = 6_000;

/** Text of a lane at the time of the cursor, over its conversation. */
export function CursorText({ run, letter, shownChoice, isOnlyLane }: CursorTextProps) {
  const cursorMs = useInspector((state) => state.cursorMs);
  const feed = useTape(run);
  if (cursorMs === undefined) return null;
  const { number, unit } = formatDuration(cursorMs);
  const timeText = `${number} ${unit}`;
  const { isLoaded, count } = feed.state.getState();
  const runAtCursor = feed.getCursor().getRunAt(cursorMs);
  const parts = getCandidateParts(getCandidate(runAtCursor, shownChoice));
  const lastPart = parts.at(-1);
  return (
    <div
      className={clsx(
        'pointer-events-none absolute bottom-full z-4 flex max-h-[min(46vh,420px)] flex-col px-4 pt-2 pb-2.5',
        'border-t-2 border-needle bg-raised shadow-e-2',
        isOnlyLane ? 'left-1/2 w-[min(780px,100%)] -translate-x-1/2' : 'inset-x-0',
      )}
      role="group"
      aria-label={`Lane ${letter} at ${timeText}`}
    >
      <header className="flex flex-none items-baseline gap-2 text-12 normal-nums">
        <b className="text-[13px]/4.5 font-550 text-needle-ink">{timeText}</b>
        <span className="text-ink-3">
          {isLoaded
            ? count === 0
              ? 'No recording of this answer'
              : describeState(runAtCursor, lastPart?.type)
            : 'Loading the recording'}
        </span>
      </header>
      {parts.length > 0 && (
        <div className="mt-1 flex min-h-0 flex-col-reverse overflow-hidden" dir="auto">
          <div className="flex-none">
            {parts.map((part, index) => (
              <p
                key={index}
                className={clsx(
                  'wrap-anywhere whitespace-pre-wrap normal-nums',
                  {
                    text: 'text-14',
                    refusal: 'text-14',
                    thinking: 'text-[13px]/5 font-400 text-ink-3',
                    'tool-call': '[font:var(--m-12)]',
                    image: 'text-[13px]/5 font-400 text-ink-3',
                  }[part.type],
                )}
              >
                {truncateStart(part.text)}
                {part === lastPart && (
                  <i className="ml-0.5 inline-block h-[1em] w-0.5 bg-needle align-[-2px]" aria-hidden />
                )}
              </p>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

function truncateStart(text: string): string {
  return text.length > maxChars ? `…${text.slice(-maxChars)}` : text;
}

function describeState(run: Run, lastType: string | undefined): string {
  const deltaCount = pluralize(run.deltas, 'delta');
  switch (run.phase.name) {
    case 'queued':
    case 'waiting':
      return 'Waiting';
    case 'streaming':
      return `${lastType === 'thinking' ? 'Reasoning' : 'Answering'}, ${deltaCount}`;
    case 'complete':
      return `Complete, ${deltaCount}`;
    case 'failed':
    case 'truncated':
    case 'stopped':
    case 'interrupted':
      return `Ended: ${run.phase.name}, ${deltaCount}`;
  }
}
