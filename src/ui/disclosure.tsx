import { ChevronRight } from 'lucide-react';
import { useId, type ReactNode } from 'react';

interface DisclosureProps {
  /** First words of the button, and so of its name. */
  label: string;
  /** Quieter words after the label. */
  note?: ReactNode;
  open: boolean;
  onToggle: (open: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** A button that folds what follows it. Closed content is not mounted. */
export function Disclosure({ label, note, open, onToggle, className, children }: DisclosureProps) {
  const contentId = useId();
  return (
    <div className={className}>
      <button
        type="button"
        className="fold"
        aria-expanded={open}
        aria-controls={open ? contentId : undefined}
        onClick={() => onToggle(!open)}
      >
        <ChevronRight className="i s" aria-hidden />
        <b>{label}</b> {note}
      </button>
      {open && <div id={contentId}>{children}</div>}
    </div>
  );
}
