import { useRef, useState } from 'react';

import { cn } from '../cn.ts';
import { getNextFocusAttributes, type FocusTarget } from '../focus/focus-target.ts';
import { moveFocusOnRemoval } from '../focus/use-focus-successor.ts';
import { inputVariants } from './field.tsx';

interface RenameFieldProps {
  /** Accessible name of the field. */
  label: string;
  /** The current name. */
  name: string;
  /** True if an empty field removes the name; by default it cancels. */
  isOptional?: boolean;
  /** Target that receives the focus when the field is removed. */
  nextFocus: Pick<FocusTarget, 'selector'>;
  className?: string;
  /** Called with the new name, or with `undefined` if renaming was cancelled. */
  onDone: (name?: string) => void;
}

/** Field for a new name: Enter and leaving it save, Escape cancels. */
export function RenameField({
  label,
  name,
  isOptional = false,
  nextFocus,
  className,
  onDone,
}: RenameFieldProps) {
  const [text, setText] = useState(name);
  // Enter and Escape remove the field, which also triggers its blur event.
  const isDone = useRef(false);
  const finish = (next?: string) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(next === '' && !isOptional ? undefined : next);
  };
  return (
    <input
      ref={moveFocusOnRemoval}
      {...getNextFocusAttributes(nextFocus)}
      className={cn(inputVariants(), className)}
      aria-label={label}
      dir="auto"
      value={text}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={() => finish(text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish(text.trim());
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        finish();
      }}
    />
  );
}
