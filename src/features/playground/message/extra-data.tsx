import { clsx } from 'clsx';
import type { ReactNode } from 'react';

import type { Run } from '../../../conversation/session/types.ts';
import { useView } from '../../../state/use-playground.tsx';

interface ExtraDataProps {
  run: Run;
  /** Classes of the text shown in place of the data. */
  textLook?: string;
  /** True if there is space only for the text in place of the data. */
  isBrief?: boolean;
}

/** Unmodified data that arrived outside the answer. Hidden while names are hidden, because chunks contain the model. */
export function ExtraData({ run, textLook, isBrief = false }: ExtraDataProps) {
  const namesHidden = useView((view) => view.namesHidden);
  if (run.leftOver === undefined) return null;
  if (namesHidden) return <p className={textLook}>Other received data is hidden until you show the names.</p>;
  if (isBrief) return null;
  return (
    <RawDetails label="Other data received">
      <pre dir="auto" className={clsx('unbroken', rawLook)}>
        {run.leftOver}
      </pre>
    </RawDetails>
  );
}

/** Classes of raw data. */
export const rawLook = clsx(
  'mt-1 max-h-60 overflow-auto rounded-2 bg-sunken p-2 font-mono text-mono-11 wrap-anywhere whitespace-pre-wrap',
);

interface RawDetailsProps {
  label: string;
  open?: boolean;
  /** A `pre` element with `rawLook`. */
  children: ReactNode;
}

/** Raw data in a disclosure element. */
export function RawDetails({ label, open = false, children }: RawDetailsProps) {
  return (
    <details className="mt-2 text-12 text-ink-2 normal-nums" open={open}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}
