import { formatBytes } from '../../../lib/format.ts';
import { collapseText } from '../../../lib/text/collapsed-text.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { usePrinting } from '../conversation/use-printing.ts';
import { useExpanded } from '../find/use-current-hit.ts';
import { MessageText } from './message-text.tsx';

interface CollapsibleTextProps {
  /** Key of the message. */
  messageKey: string;
  text: string;
  hasVariables: boolean;
}

/**
 * Text written by the user. Of a long text, only the first lines are shown until the user expands it or it contains a
 * hit.
 */
export function CollapsibleText({ messageKey, text, hasVariables }: CollapsibleTextProps) {
  const [isExpanded = false, setIsExpanded] = useExpanded(messageKey, 'prompt');
  const isOpen = usePrinting() || isExpanded;
  const collapsed = collapseText(text);
  if (collapsed === undefined) return <MessageText text={text} hasVariables={hasVariables} />;
  return (
    <>
      <MessageText text={isOpen ? text : collapsed.start} hasVariables={hasVariables} />
      <Button
        size="small"
        className="mt-2 flex"
        aria-expanded={isOpen}
        onClick={() => setIsExpanded(!isOpen)}
      >
        {isOpen ? 'Show less' : `Show all, ${formatBytes(collapsed.bytes)}`}
      </Button>
    </>
  );
}
