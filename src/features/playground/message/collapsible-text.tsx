import { formatBytes } from '../../../lib/format.ts';
import { collapseText } from '../../../lib/text/collapsed-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { usePrinting } from '../../../ui/hooks/use-printing.ts';
import { useUnfolded } from '../find/use-current-hit.ts';
import { MessageText } from './message-text.tsx';

interface FoldedTextProps {
  /** The name of the message. */
  message: string;
  text: string;
  fills: boolean;
}

/** What a person wrote: of a long text its first lines, until all of it is asked for or a hit is in it. */
export function FoldedText({ message, text, fills }: FoldedTextProps) {
  const [isUnfolded = false, setOpen] = useUnfolded(message, 'prompt');
  const isOpen = usePrinting() || isUnfolded;
  const fold = collapseText(text);
  if (fold === undefined) return <MessageText text={text} fills={fills} />;
  return (
    <>
      <MessageText text={isOpen ? text : fold.start} fills={fills} />
      <Button size="small" className="mt-2 flex" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Show less' : `Show all, ${formatBytes(fold.bytes)}`}
      </Button>
    </>
  );
}
