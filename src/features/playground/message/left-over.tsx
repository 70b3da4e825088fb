import type { Run } from '../../../conversation/session/types.ts';
import { useView } from '../../../state/react.tsx';

/** What arrived with the answer without being part of it, unchanged. A chunk tells its model, so not while names are hidden. */
export function LeftOver({ run }: { run: Run }) {
  const namesHidden = useView((view) => view.namesHidden);
  if (run.leftOver === undefined) return null;
  if (namesHidden) return <p>Other data received is hidden with the names.</p>;
  return (
    <details className="raw-body">
      <summary>Other data received</summary>
      <pre dir="auto" className="unbroken">
        {run.leftOver}
      </pre>
    </details>
  );
}
