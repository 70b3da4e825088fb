import type { ReactNode } from 'react';

import { PartBoundary } from '../../../ui/display/boundary.tsx';

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

/** One view of the lab: a heading with its controls, and what it shows. Where that cannot be drawn, the other views go on. */
export function ViewFrame({ title, controls, note, children }: ViewFrameProps) {
  return (
    <section className="lab-view" aria-label={`${title} view`}>
      <header>
        <h2>{title}</h2>
        {controls}
        <span className="grow" />
        {note !== undefined && <span className="mut note">{note}</span>}
      </header>
      <PartBoundary name={`The ${title} view`}>{children}</PartBoundary>
    </section>
  );
}

/** What stands where a view has nothing to show: why, and what to do. */
export function ViewBlank({ children }: { children: ReactNode }) {
  return <p className="lab-blank">{children}</p>;
}
