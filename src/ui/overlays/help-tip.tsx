import { useRef } from 'react';

import { Tooltip } from './tooltip.tsx';
import { useTooltip } from './use-tooltip.ts';

interface HelpTipProps {
  /** What is explained, as it is written beside it. */
  subject: string;
  /** One sentence. */
  children: string;
}

/** A small "?" beside a number that needs a sentence: on hover, on focus and on a tap. */
export function HelpTip({ subject, children }: HelpTipProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const tooltip = useTooltip();
  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-label={`${subject}: ${children}`}
        className="group -my-1 inline-grid size-6 flex-none place-items-center align-middle"
        {...tooltip.anchorProps}
        onClick={tooltip.show}
      >
        <span
          aria-hidden
          className="grid size-[15px] place-items-center rounded-full border border-line-2 text-[10px]/none font-semibold text-ink-3 group-hover:border-edge group-hover:text-ink"
        >
          ?
        </span>
      </button>
      <Tooltip anchor={anchor} tooltip={tooltip}>
        {children}
      </Tooltip>
    </>
  );
}
