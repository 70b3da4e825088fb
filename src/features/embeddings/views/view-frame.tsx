import type { ReactNode } from 'react';

import { formatCount } from '../../../lib/format.ts';
import { countStaleTexts } from '../../../state/lab/lab-state.ts';
import { SectionBoundary } from '../../../ui/display/boundary.tsx';
import { Tag } from '../../../ui/display/tag.tsx';
import { useLabState } from '../hooks/use-lab.ts';

import './views.css';

interface ViewFrameProps {
  /** The heading, and the name of the region. */
  title: string;
  /** Controls beside the heading. */
  controls?: ReactNode;
  /** A remark at the right of the heading. */
  note?: ReactNode;
  children: ReactNode;
}

/**
 * One view of the lab: a heading with its controls, and what it shows. Where that cannot be drawn, the other views go
 * on. While other texts are embedded it steps back, and says whose results it shows.
 */
export function ViewFrame({ title, controls, note, children }: ViewFrameProps) {
  const staleTextCount = useLabState(countStaleTexts);
  const isStale = staleTextCount !== undefined;
  // A job of a moment is over before it is seen.
  const dimmedClasses = isStale ? 'opacity-[0.38] transition-opacity delay-200' : '';
  return (
    <section
      className="lab-view flex h-full min-h-0 min-w-0 flex-col bg-paper"
      aria-label={`${title} view`}
      aria-busy={isStale || undefined}
    >
      <header className="flex min-h-[42px] flex-none flex-wrap items-center gap-x-3 gap-y-1 px-4 py-1.5">
        <h2 className="text-13 font-semibold">{title}</h2>
        {!isStale && controls}
        <span className="grow" />
        {isStale ? (
          <Tag>{describeStaleResults(staleTextCount)}</Tag>
        ) : (
          note !== undefined && <span className="text-12 text-pretty text-ink-3">{note}</span>
        )}
      </header>
      <div className={`flex min-h-0 flex-1 flex-col ${dimmedClasses}`} inert={isStale}>
        <SectionBoundary name={`The ${title} view`}>{children}</SectionBoundary>
      </div>
    </section>
  );
}

/** "Results of the 24 texts before" */
export function describeStaleResults(count: number): string {
  return count === 1
    ? 'Results for the previous text'
    : `Results for the previous ${formatCount(count)} texts`;
}

/** What a view shows that may be longer than its room. */
export function ViewScroll({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-0 flex-1 [scrollbar-width:thin] overflow-y-auto px-4 pb-4 [&>.lab-blank]:px-0">
      {children}
    </div>
  );
}

/** What stands where a view has nothing to show: why, and what to do. */
export function ViewEmptyState({ children }: { children: ReactNode }) {
  return <div className="lab-blank max-w-[60ch] px-4 py-3 text-13 text-ink-2">{children}</div>;
}
