import { useMemo } from 'react';

import { diffWordByWord } from '../../conversation/comparison/text-diff.ts';

interface MarkedWordsProps {
  text: string;
  /** Text that the words are compared with. */
  otherText: string;
}

/** Marks for the words of a field that are not in another text, without visible text. They are drawn behind the field. */
export function MarkedWords({ text, otherText }: MarkedWordsProps) {
  const segments = useMemo(() => diffWordByWord(otherText, text).right, [otherText, text]);
  return (
    <div
      aria-hidden
      dir="auto"
      className="pointer-events-none wrap-break-word whitespace-pre-wrap text-transparent select-none print:hidden"
    >
      {segments.map((segment, index) =>
        segment.kind === 'difference' ? (
          <mark
            key={index}
            className="rounded-1 bg-wash box-decoration-clone text-transparent underline decoration-lane underline-offset-4"
          >
            {segment.text}
          </mark>
        ) : (
          segment.text
        ),
      )}
    </div>
  );
}
