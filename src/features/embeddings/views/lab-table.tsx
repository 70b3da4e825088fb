import type { ComponentProps } from 'react';

/** A table of numbers that scrolls sideways if it does not fit. `label` is the name of the scrolling region. */
export function LabTable({ label, ...rest }: ComponentProps<'table'> & { label: string }) {
  return (
    <div className="[scrollbar-width:thin] overflow-x-auto" role="region" tabIndex={0} aria-label={label}>
      <table
        className="border-collapse whitespace-nowrap [&_:is(td,th)]:h-7 [&_:is(td,th)]:pr-3 [&_:is(td,th)]:text-right [&_:is(td,th)]:[font:450_12.5px/18px_var(--sans)] [&_tbody_tr]:border-t [&_tbody_tr]:border-line [&_thead_th]:text-ink-3 [&_thead_th]:[font:var(--t-11)]!"
        {...rest}
      />
    </div>
  );
}
