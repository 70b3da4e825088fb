import type { VariantProps } from 'class-variance-authority';
import type { ClipboardEvent, ComponentProps } from 'react';

import { formatBytes } from '../../lib/format.ts';
import { isTooLongForField } from '../../lib/text/field-limit.ts';
import { cn } from '../cn.ts';
import { getNextFocusAttributes, anyTextArea } from '../focus/focus-target.ts';
import { useFocusSuccessor } from '../focus/use-focus-successor.ts';
import { Button } from './button.tsx';
import { Hint, textAreaVariants } from './field.tsx';

interface TextAreaProps
  extends
    Omit<ComponentProps<'textarea'>, 'onInput' | 'onChange' | 'defaultValue'>,
    VariantProps<typeof textAreaVariants> {
  value: string;
  onText: (text: string) => void;
}

/**
 * A field for text of any length. If the browser could not lay the text out in time, only its beginning is shown and
 * the text is kept unchanged.
 */
export function TextArea({ value, onText, onPaste, variant, className, ref, ...rest }: TextAreaProps) {
  const fieldRef = useFocusSuccessor(ref);
  if (isTooLongForField(value))
    return <TooLongText label={rest['aria-label']} text={value} onText={onText} />;
  const onPasteText = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    onPaste?.(event);
    const { selectionStart, selectionEnd } = event.currentTarget;
    const pasted = event.clipboardData.getData('text/plain').replaceAll(/\r\n?/g, '\n');
    if (event.defaultPrevented || !isTooLongForField(pasted)) return;
    // Runs before the browser lays the text out.
    event.preventDefault();
    onText(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
  };
  return (
    <textarea
      {...rest}
      ref={fieldRef}
      className={variant ? cn(textAreaVariants({ variant }), className) : className}
      value={value}
      onInput={(event) => onText(event.currentTarget.value)}
      onPaste={onPasteText}
    />
  );
}

/**
 * Writes `text` from an offset to the end of the field as if typed, so that undo restores the old text. Returns false
 * if the browser does not support this.
 */
export function typeInto(field: HTMLTextAreaElement, text: string, from: number): boolean {
  field.focus();
  field.setSelectionRange(from, field.value.length);
  return document.execCommand('insertText', false, text);
}

const maxPreviewChars = 300;

interface TooLongTextProps {
  label: string | undefined;
  text: string;
  onText: (text: string) => void;
}

/** Shows the beginning of a text that is too long for any field. */
export function TooLongText({ label, text, onText }: TooLongTextProps) {
  return (
    <div className="grid min-w-0 gap-1 px-2.25 py-1.25" role="group" aria-label={label}>
      <p
        dir="auto"
        className="unbroken max-h-16.5 overflow-hidden font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap text-ink-2"
      >
        {text.slice(0, maxPreviewChars)}…
      </p>
      <Hint>
        {formatBytes(text.length)}: too long to edit here. The text is kept unchanged.{' '}
        <Button size="small" {...getNextFocusAttributes(anyTextArea)} onClick={() => onText('')}>
          Clear
        </Button>
      </Hint>
    </div>
  );
}
