import { Button } from '../../../ui/controls/button.tsx';
import type { PendingResults } from './use-pending-results.ts';

/** One button for all lanes that answered the same prompt with calls: what is written once goes to each of them. */
export function SendResults({ pending }: { pending: PendingResults }) {
  const { count, canSend, missing, to } = pending;
  return (
    <div className="offers send-results">
      <Button look="ink" disabled={!canSend} onClick={() => void pending.send([])}>
        Send {count === 1 ? 'results' : `${count} results`}
      </Button>
      <span className="mut" role="status">
        {to && `To ${to}.`} {missing}
      </span>
    </div>
  );
}
