import type { ReactNode } from 'react';

/** A part of the panel with its heading and what can be added to it. */
export function Section({
  title,
  children,
  deeds,
}: {
  title: string;
  children: ReactNode;
  deeds?: ReactNode;
}) {
  return (
    <section className="border-b border-line px-4 pt-2.5 pb-3">
      <h3 className="mb-1.5 flex flex-wrap items-center gap-x-1 text-11 text-ink-3">
        {title}
        <span className="grow" />
        {deeds}
      </h3>
      {children}
    </section>
  );
}
