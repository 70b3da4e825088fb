import { clsx } from 'clsx';
import type { ReactNode } from 'react';

interface SettingRowProps {
  name: string;
  /** A sentence below, and the id that the control refers to. */
  description?: string | undefined;
  descriptionId?: string;
  /** The sentence is an error message. */
  isProblem?: boolean;
  /** The control stays next to its name even on phones. */
  inline?: boolean;
  children: ReactNode;
}

/** A setting: name, control and an optional description. The control provides its own accessible name. */
export function SettingRow({
  name,
  description,
  descriptionId,
  isProblem,
  inline,
  children,
}: SettingRowProps) {
  return (
    <div
      className={clsx(
        'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 border-t border-line py-2.5 [&>input]:w-22',
        inline !== true && 'max-phone:grid-cols-[minmax(0,1fr)]',
      )}
    >
      <span className="text-13 font-500" aria-hidden={descriptionId !== undefined}>
        {name}
      </span>
      {children}
      {description !== undefined && (
        <p
          id={descriptionId}
          className={clsx(
            'col-span-full text-12 text-pretty',
            isProblem === true ? 'text-err-ink' : 'text-ink-3',
          )}
        >
          {description}
        </p>
      )}
    </div>
  );
}
