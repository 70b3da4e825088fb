import type { ReactNode } from 'react';

interface TextLinkProps {
  isCurrent?: boolean;
  onPick: () => void;
  children: ReactNode;
}

/** One-line text in a list; hovering over it marks the text in every view. */
export function TextLink({ isCurrent = false, onPick, children }: TextLinkProps) {
  return (
    <button
      type="button"
      aria-current={isCurrent || undefined}
      dir="auto"
      className="min-h-6 min-w-0 flex-1 truncate text-start font-medium hover:underline"
      onClick={onPick}
    >
      {children}
    </button>
  );
}
