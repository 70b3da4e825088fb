import type { ReactNode } from 'react';

import { formatCount } from '../../../lib/format.ts';
import { countStaleTexts } from '../../../state/lab/lab-state.ts';
import { SectionBoundary } from '../../../ui/display/boundary.tsx';
import { Tag } from '../../../ui/display/tag.tsx';
import { useLabState } from '../hooks/use-lab.ts';

import './views.css';

interface ViewFrameProps {
  /** Heading and name of the region. */
  title: string;
  /** Controls beside the heading. */
  controls?: ReactNode;
  /** Note to the right of the heading. */
  note?: ReactNode;
  children: ReactNode;
}

/**
 * Frame of one view: heading, controls and content. An error in the content does not affect other views. While other
 * texts are being embedded, the view is dimmed and labelled with the texts that it shows.
 */
export function ViewFrame({ title, controls, note, children }: ViewFrameProps) {
  const staleTextCount = useLabState(countStaleTexts);
  const isStale = staleTextCount !== undefined;
  // The delay avoids dimming for very short jobs.
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

/** Describes results that belong to the previous texts. */
export function describeStaleResults(count: number): string {
  return count === 1
    ? 'Results for the previous text'
    : `Results for the previous ${formatCount(count)} texts`;
}

/** Scroll container for view content. */
export function ViewScroll({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-0 flex-1 [scrollbar-width:thin] overflow-y-auto px-4 pb-4 [&>.lab-blank]:px-0">
      {children}
    </div>
  );
}

/** Placeholder of an empty view: the reason, and what to do. */
export function ViewEmptyState({ children }: { children: ReactNode }) {
  return <div className="lab-blank max-w-[60ch] px-4 py-3 text-13 text-ink-2">{children}</div>;
}
