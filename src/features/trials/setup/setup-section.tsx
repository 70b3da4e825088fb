import type { ReactNode } from 'react';

/** Section of the panel with its heading and a button that adds items. */
export function SetupSection({
  title,
  children,
  actions,
}: {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <section className="border-b border-line px-4 pt-2.5 pb-3">
      <h3 className="mb-1.5 flex flex-wrap items-center gap-x-1 text-11 text-ink-3">
        {title}
        <span className="grow" />
        {actions}
      </h3>
      {children}
    </section>
  );
}
