import { useId } from 'react';

import { isTooLongForField } from '../../lib/text/field-limit.ts';
import { TextArea } from '../controls/text-area.tsx';
import { TooLong } from '../controls/too-long.tsx';
import type { EditorProblem } from './json-editor-core.ts';
import { useJsonEditor } from './use-json-editor.ts';

interface JsonEditorProps {
  /** Accessible name, the same before and after the editor has loaded. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Marked at its place and said to assistive technology; the caller shows the sentence beneath. */
  problem?: EditorProblem | undefined;
  minLines?: number;
  placeholder?: string;
  /** Stay a plain field, and load nothing. */
  plain?: boolean;
  className?: string;
}

/** A field for JSON of any length. Tab leaves it; undo and redo work in it, also over changes from outside. */
export function JsonEditor(props: JsonEditorProps) {
  const {
    label,
    value,
    onChange,
    problem,
    minLines = 1,
    placeholder = '',
    plain = false,
    className = '',
  } = props;
  const problemId = useId();
  const isTooLong = isTooLongForField(value);
  const { host, plainField, isShown } = useJsonEditor({
    label,
    value,
    onChange,
    problem,
    minLines,
    placeholder,
    plain: plain || isTooLong,
  });

  return (
    <div className={`je ${className}`} data-invalid={problem !== undefined}>
      {isTooLong ? (
        <TooLong label={label} text={value} onText={onChange} />
      ) : isShown ? (
        <div ref={host} />
      ) : (
        <TextArea
          ref={plainField}
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
