interface HelpTipProps {
  /** The term that is explained, as shown beside the button. */
  subject: string;
  /** One sentence. */
  children: string;
}

/** A small "?" that explains a number on hover, focus or tap. */
export function HelpTip({ subject, children }: HelpTipProps) {
  return (
    <button
      type="button"
      aria-label={`${subject}: ${children}`}
      data-tooltip={children}
      data-tooltip-on-click
      className="group -my-1 inline-grid size-6 flex-none place-items-center align-middle"
    >
      <span
        aria-hidden
        className="grid size-[15px] place-items-center rounded-full border border-line-2 text-[10px]/none font-semibold text-ink-3 group-hover:border-edge group-hover:text-ink"
      >
        ?
      </span>
    </button>
  );
}
