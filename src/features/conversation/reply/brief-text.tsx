import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface BriefTextProps {
  /** True for the first sentence, which is a heading. */
  isTitle?: boolean;
  children: ReactNode;
}

/** Sentence in a card beside the cards of other lanes, on the same line as the sentence before. */
export function BriefText({ isTitle = false, children }: BriefTextProps) {
  const Element = isTitle ? 'h3' : 'p';
  return (
    <Element
      className={clsx(
        'inline text-[15px]/5.5 font-400 text-ink-2 normal-nums',
        isTitle && "after:content-['._']",
      )}
    >
      {children}
    </Element>
  );
}
