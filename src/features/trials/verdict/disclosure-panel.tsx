import type { ReactNode } from 'react';

import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { X } from '../../../ui/icons.tsx';
import { useTrialViewStore } from '../use-trial.ts';

/** Panel that a button below the verdict opens, overlaying the cases. */
export function DisclosurePanel({ title, children }: { title: ReactNode; children: ReactNode }) {
  const view = useTrialViewStore();
  return (
    <div className="absolute top-full left-4 z-20 -mt-1 max-h-[calc(100dvh-15rem)] max-w-[min(980px,calc(100%-32px))] overflow-auto rounded-3 border border-line-2 bg-raised shadow-e-2 max-phone:left-2 max-phone:max-h-none max-phone:max-w-[calc(100%-16px)]">
      <header className="flex items-center gap-2 px-4 pt-3">
        {title}
        <span className="grow" />
        <IconButton label="Close" onClick={() => view.setState({ disclosure: undefined })}>
          <X className="icon-16" aria-hidden />
        </IconButton>
      </header>
      {children}
    </div>
  );
}
