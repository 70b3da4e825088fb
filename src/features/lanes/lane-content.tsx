import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface LaneContentProps {
  /** True if the session has one lane, whose content is aligned with the messages above it. */
  isOneLane: boolean;
  /** Label beside the content of a single lane. */
  label?: string;
  className?: string;
  children: ReactNode;
}

/** Content of a lane. In a single lane it has a label and space for buttons beside it, except on phones. */
export function LaneContent({ isOneLane, label, className, children }: LaneContentProps) {
  return (
    <div
      className={clsx(
        'lane-column',
        isOneLane && [
          'phone:mx-auto phone:grid phone:w-full phone:max-w-228 phone:grid-cols-[64px_minmax(0,1fr)_52px]',
          'phone:gap-x-2 phone:px-4',
        ],
      )}
    >
      {isOneLane && (
        <span className="text-[12px]/6 font-500 text-ink-3 max-phone:hidden" aria-hidden>
          {label}
        </span>
      )}
      <div className={clsx('min-w-0', className)}>{children}</div>
    </div>
  );
}
