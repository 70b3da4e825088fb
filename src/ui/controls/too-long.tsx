import { formatBytes } from '../../lib/format.ts';
import { focusNext, textArea } from '../focus/places.ts';
import { Button } from './button.tsx';

const shownLetters = 300;

interface TooLongProps {
  label: string | undefined;
  text: string;
  onText: (text: string) => void;
}

/** A text that no field could lay out in time, by its beginning. */
export function TooLong({ label, text, onText }: TooLongProps) {
  return (
    <div className="too-long" role="group" aria-label={label}>
      <p dir="auto" className="unbroken">
        {text.slice(0, shownLetters)}…
      </p>
      <p className="hint">
        {formatBytes(text.length)}: too long to edit here. It is kept unchanged.{' '}
        <Button size="small" {...focusNext(textArea)} onClick={() => onText('')}>
          Clear
        </Button>
      </p>
    </div>
  );
}
