import { clsx } from 'clsx';
import { useId } from 'react';

import { isTooLongForField } from '../../lib/text/field-limit.ts';
import { cn } from '../cn.ts';
import { TextArea, TooLongText } from '../controls/text-area.tsx';
import type { EditorProblem } from './json-editor-core.ts';
import { useJsonEditor } from './use-json-editor.ts';

interface JsonEditorProps {
  /** Accessible name, the same before and after the editor has loaded. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Marked in the text and announced to screen readers; the caller shows the message below. */
  problem?: EditorProblem | undefined;
  minLines?: number;
  placeholder?: string;
  /** Keeps the plain field and does not load the editor. */
  isPlain?: boolean;
  /** `prose` has a prose placeholder; `bare` shows only its placeholder, right-aligned, until focused. */
  variant?: 'prose' | 'bare' | undefined;
  className?: string;
}

/** A field for JSON of any length. Tab leaves it; undo and redo also cover changes from outside. */
export function JsonEditor(props: JsonEditorProps) {
  const { label, value, onChange, problem, minLines = 1, placeholder = '', isPlain = false } = props;
  const { variant, className } = props;
  const problemId = useId();
  const isTooLong = isTooLongForField(value);
  const {
    host,
    plainField: plainFieldRef,
    isEditorVisible,
  } = useJsonEditor({
    label,
    value,
    onChange,
    problem,
    minLines,
    placeholder,
    isPlain: isPlain || isTooLong,
  });

  return (
    <div
      className={cn(
        'group/json rounded-2 border bg-raised focus-within:outline-2 focus-within:outline-ink',
        problem ? 'border-err inset-ring inset-ring-err' : 'border-edge',
        variant === 'bare' && [
          'not-focus-within:border-transparent not-focus-within:bg-transparent',
          // Forced colours draw even a transparent border.
          'forced-colors:not-focus-within:border-[Canvas]',
        ],
        className,
      )}
    >
      {isTooLong ? (
        <TooLongText label={label} text={value} onText={onChange} />
      ) : isEditorVisible ? (
        <div ref={host} />
      ) : (
        <TextArea
          ref={plainFieldRef}
          className={clsx(
            'block field-sizing-content w-full resize-none border-0 bg-transparent px-2.25 py-1.25 font-mono text-mono-12 wrap-anywhere focus-visible:outline-none',
            variant && 'placeholder:[font:var(--t-12)] placeholder:[word-spacing:0.06em]',
            variant === 'bare' && [
              'group-not-focus-within/json:h-5.5 group-not-focus-within/json:w-27.5 group-not-focus-within/json:overflow-hidden',
              'group-not-focus-within/json:px-0 group-not-focus-within/json:py-0.5 group-not-focus-within/json:text-right',
            ],
          )}
          aria-label={label}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={problem && problemId}
          rows={minLines}
          placeholder={placeholder}
          spellCheck={false}
          value={value}
          onText={onChange}
        />
      )}
      {problem && (
        <span id={problemId} hidden>
          {problem.message}
        </span>
      )}
    </div>
  );
}
