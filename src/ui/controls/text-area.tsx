import type { ClipboardEvent, ComponentProps } from 'react';

import { isTooLongForField } from '../../lib/text/field-limit.ts';
import { TooLong } from './too-long.tsx';

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'onInput' | 'onChange' | 'defaultValue'> {
  value: string;
  onText: (text: string) => void;
}

/** A field for text of any length: one that the browser could not lay out in time is shown by its beginning, and kept. */
export function TextArea({ value, onText, onPaste, ...rest }: TextAreaProps) {
  if (isTooLongForField(value)) return <TooLong label={rest['aria-label']} text={value} onText={onText} />;
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    onPaste?.(event);
    const { selectionStart, selectionEnd } = event.currentTarget;
    const pasted = event.clipboardData.getData('text/plain').replaceAll(/\r\n?/g, '\n');
    if (event.defaultPrevented || !isTooLongForField(pasted)) return;
    // Before the browser lays it out.
    event.preventDefault();
    onText(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
  };
  return (
    <textarea
      {...rest}
      value={value}
      onInput={(event) => onText(event.currentTarget.value)}
      onPaste={paste}
    />
  );
}
