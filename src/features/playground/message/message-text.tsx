import { splitVariables } from '../../../conversation/session/variables.ts';
import { useSession } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { LongText } from '../../../ui/display/long-text.tsx';

/** Longer ones are drawn in pieces, without a mark at each name: they may be megabytes, or all names. */
const mostMarkedLetters = 20_000;

const none: Readonly<Record<string, string>> = {};

/** What a person wrote, as written; each {{name}} says what is sent in its place. */
export function MessageText({ text, fills }: { text: string; fills: boolean }) {
  const values = useSession((data) => data.session.variables) ?? none;
  if (text.length > mostMarkedLetters) return <LongText text={text} />;
  if (!fills || !text.includes('{{')) return text;
  return splitVariables(text).map((piece, index) => {
    if (piece.name === undefined) return piece.text;
    const value = Object.hasOwn(values, piece.name) ? values[piece.name] : undefined;
    return (
      <span
        key={index}
        className={classes(
          'cursor-help rounded-1 underline decoration-ink-3 decoration-dotted underline-offset-4 ring-2',
          value === undefined ? 'bg-warn-wash text-warn-ink ring-warn-wash' : 'bg-sunken ring-sunken',
        )}
        title={value === undefined ? `${piece.name} has no value: sent as written` : `Sent as: ${value}`}
      >
        {piece.text}
      </span>
    );
  });
}
