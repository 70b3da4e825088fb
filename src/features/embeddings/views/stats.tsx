import type { ReactNode } from 'react';

import { HelpTip } from '../../../ui/overlays/help-tip.tsx';

/** Labelled numbers side by side. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className="flex flex-wrap gap-x-7 gap-y-2 pt-2 pb-2.5">{children}</dl>;
}

interface StatProps {
  name: string;
  /** Detail beside the number. */
  detail?: ReactNode;
  /** Meaning of the number in one sentence. */
  explanation: string;
  children: ReactNode;
}

/** Labelled number with an explanation on request. */
export function Stat({ name, detail, explanation, children }: StatProps) {
  return (
    <div>
      <dt className="flex items-center gap-0.5 text-11 whitespace-nowrap text-ink-3">
        {name}
        <HelpTip subject={name}>{explanation}</HelpTip>
      </dt>
      <dd className="text-15 leading-5 font-semibold">
        {children} <small className="text-11 font-medium text-ink-3">{detail}</small>
      </dd>
    </div>
  );
}
