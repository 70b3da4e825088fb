import { clsx } from 'clsx';

import { splitVariables } from '../../../conversation/session/variables.ts';
import { useSession } from '../../../state/contexts.tsx';
import { LongText } from '../../tools/long-text.tsx';

/**
 * Maximum length of text in which names are marked. Longer text, possibly megabytes, is rendered in pieces without
 * marks.
 */
const maxMarkedChars = 20_000;

const noVariables: Readonly<Record<string, string>> = {};

interface MessageTextProps {
  text: string;
  hasVariables: boolean;
  /** True to show the values of variables instead of their names. */
  showsValues?: boolean;
}

/** Text as written by the user; each {{name}} is marked, with its value in the tooltip, or replaced by the value. */
export function MessageText({ text, hasVariables, showsValues = false }: MessageTextProps) {
  const values = useSession((data) => data.session.variables) ?? noVariables;
  if (text.length > maxMarkedChars) return <LongText text={text} />;
  if (!hasVariables || !text.includes('{{')) return text;
  return splitVariables(text).map((segment, index) => {
    if (segment.name === undefined) return segment.text;
    const value = Object.hasOwn(values, segment.name) ? values[segment.name] : undefined;
    if (showsValues && value !== undefined) return value;
    return (
      <span
        key={index}
        className={clsx(
          'cursor-help rounded-1 underline decoration-ink-3 decoration-dotted underline-offset-4 ring-2',
          value === undefined ? 'bg-warn-wash text-warn-ink ring-warn-wash' : 'bg-sunken ring-sunken',
        )}
        title={
          value === undefined ? `${segment.name} has no value and is sent as written` : `Sent as: ${value}`
        }
      >
        {segment.text}
      </span>
    );
  });
}
