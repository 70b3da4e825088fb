import { clsx } from 'clsx';

import type { Run } from '../../../conversation/session/types.ts';
import { hasLongWord } from '../../../lib/text/long-word.ts';
import { useView } from '../../../state/contexts.tsx';
import { BriefText } from '../reply/brief-text.tsx';

interface ExtraDataProps {
  run: Run;
  /** True if there is space only for the text in place of the data. */
  isBrief?: boolean;
}

/** Unmodified data that arrived outside the answer. Hidden while names are hidden, because chunks contain the model. */
export function ExtraData({ run, isBrief = false }: ExtraDataProps) {
  const namesHidden = useView((view) => view.namesHidden);
  if (run.leftOver === undefined) return null;
  if (namesHidden) {
    const text = 'Other received data is hidden until you show the names.';
    return isBrief ? <BriefText>{text}</BriefText> : <p>{text}</p>;
  }
  return isBrief ? null : <RawDetails label="Other data received" text={run.leftOver} />;
}

interface RawDetailsProps {
  label: string;
  text: string;
  open?: boolean;
}

/** Raw data in a disclosure element. */
export function RawDetails({ label, text, open = false }: RawDetailsProps) {
  return (
    <details className="mt-2 text-12 text-ink-2 normal-nums" open={open}>
      <summary>{label}</summary>
      <pre
        className={clsx(
          'mt-1 max-h-60 overflow-auto rounded-2 bg-sunken p-2 font-mono text-mono-11 wrap-anywhere whitespace-pre-wrap',
          hasLongWord(text) && 'unbroken',
        )}
        dir="auto"
      >
        {text}
      </pre>
    </details>
  );
}
