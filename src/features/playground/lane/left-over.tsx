import type { Run } from '../../../conversation/types.ts';

/** What came with the answer and is no part of it, as it came. */
export function LeftOver({ run }: { run: Run }) {
  if (run.leftOver === undefined) return null;
  return (
    <details className="raw-body">
      <summary>What else came</summary>
      <pre>{run.leftOver}</pre>
    </details>
  );
}
