import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';

import type { Part } from '../../../conversation/session/types.ts';
import { formatSeconds, plural } from '../../../lib/format.ts';
import type { GrowingText } from '../../../lib/growing-text.ts';
import { Markdown } from '../../../markdown/draw/markdown.tsx';

interface ReasoningViewProps {
  part: Extract<Part, { type: 'thinking' }>;
  live: boolean;
  growing: GrowingText;
}

/** The reasoning before an answer: open while it streams, folded when the answer starts, unless the person chose. */
export function ReasoningView({ part, live, growing }: ReasoningViewProps) {
  const [chosen, setChosen] = useState<boolean>();
  const open = chosen ?? live;
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <div className="rs">
      <button type="button" className="rs-h" aria-expanded={open} onClick={() => setChosen(!open)}>
        <Chevron className="i s" aria-hidden />
        <b>Reasoning</b> {`${formatSeconds(part.endedMs - part.startedMs)}, ${plural(part.deltas, 'token')}`}
      </button>
      {open && (
        <div className="rs-b">
          <Markdown text={part.text} live={live} growing={growing} />
        </div>
      )}
    </div>
  );
}
