import { clsx } from 'clsx';

import type { DiffSegment, InlineDiffSegment } from '../../conversation/comparison/text-diff.ts';

/** Part of one of two texts that are side by side. */
export function DiffSegmentView({ piece: segment, isCurrent }: { piece: DiffSegment; isCurrent: boolean }) {
  if (segment.kind === 'plain') return segment.text;
  if (segment.kind === 'phrase') {
    return (
      <mark className="rounded-1 bg-sunken box-decoration-clone px-0.5 text-ink underline decoration-edge underline-offset-4">
        <sup className="pr-0.5 text-[10px] text-ink-2">{segment.number}</sup>
        {segment.text}
      </mark>
    );
  }
  return (
    <DifferenceMark as="mark" number={segment.number} isCurrent={isCurrent}>
      {segment.text}
    </DifferenceMark>
  );
}

interface DifferenceMarkProps {
  as: 'mark' | 'ins' | 'del';
  number: number | undefined;
  isCurrent: boolean;
  /** Lane whose colour it has; without a letter, that of the text around it. */
  letter?: string | undefined;
  children: string;
}

/** Words that are only in one of the texts. */
function DifferenceMark({ as: Element, number, isCurrent, letter, children }: DifferenceMarkProps) {
  return (
    <Element
      className={clsx(
        letter !== undefined && `lane-${letter.toLowerCase()}`,
        'rounded-1 bg-wash box-decoration-clone text-ink decoration-lane',
        Element === 'del' ? 'line-through' : 'underline underline-offset-4',
        isCurrent && 'outline-[1.5px] outline-offset-1 outline-lane outline-solid',
      )}
      data-difference={number}
    >
      {children}
    </Element>
  );
}

interface InlineDiffProps {
  segments: readonly InlineDiffSegment[];
  /** Letters of the lanes whose colours the texts have. */
  letters: readonly string[];
  /** Number of the difference with an outline. */
  currentDifference?: number | undefined;
  /** Classes for size and position. */
  className?: string;
}

/** Two texts in one: words that are only in the first are struck through, words only in the second underlined. */
export function InlineDiff({ segments, letters, currentDifference, className }: InlineDiffProps) {
  return (
    <div className={clsx('wrap-anywhere whitespace-pre-wrap', className)} dir="auto">
      {segments.map(({ text, side, number }, index) => {
        if (side === 'both') return text;
        if (side === 'right') {
          return (
            <DifferenceMark
              key={index}
              as="ins"
              number={number}
              isCurrent={number === currentDifference}
              letter={letters[1] ?? 'A'}
            >
              {text}
            </DifferenceMark>
          );
        }
        return (
          <span key={index} className={`lane-${letters[0]?.toLowerCase() ?? 'a'}`}>
            <DifferenceMark as="del" number={number} isCurrent={number === currentDifference}>
              {text}
            </DifferenceMark>{' '}
          </span>
        );
      })}
    </div>
  );
}
