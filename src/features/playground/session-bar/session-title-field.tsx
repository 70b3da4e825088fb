import { clsx } from 'clsx';
import { useState } from 'react';

import { inputVariants } from '../../../ui/controls/field.tsx';
import { getNextFocusAttributes } from '../../../ui/focus/focus-target.ts';
import { moveFocusOnRemoval } from '../../../ui/focus/use-focus-successor.ts';
import { sessionMenu } from '../playground-focus-targets.ts';

/**
 * Field for the session title. Enter and leaving the field save; Escape, or a title of only spaces, discards the
 * change.
 */
export function SessionTitleField({ title, onDone }: { title: string; onDone: (title?: string) => void }) {
  const [text, setText] = useState(title);
  const finish = () => onDone(text.trim() === '' ? undefined : text.trim());
  return (
    <input
      ref={moveFocusOnRemoval}
      className={clsx(
        inputVariants(),
        'h-7 w-[min(360px,60%)] px-1.75 text-13 font-600 normal-nums',
        'max-phone:h-11 max-phone:w-full max-phone:text-[16px]/6',
      )}
      aria-label="Session title"
      dir="auto"
      value={text}
      autoFocus
      {...getNextFocusAttributes(sessionMenu)}
      onFocus={(event) => event.currentTarget.select()}
      onInput={(event) => setText(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish();
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onDone();
      }}
    />
  );
}
