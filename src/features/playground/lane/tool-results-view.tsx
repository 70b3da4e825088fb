import type { ToolResult } from '../../../conversation/types.ts';

/** The results that were sent back for the calls above. */
export function ToolResultsView({ results }: { results: readonly ToolResult[] }) {
  return (
    <article className="band" aria-label="Tool message">
      <div className="col">
        <span>{results.length === 1 ? 'Result' : 'Results'}</span>
        <dl className="sent-results">
          {results.map((result, index) => (
            <div key={index}>
              <dt className="mono">
                {result.call.name}
                {result.isError && ' (error)'}
              </dt>
              <dd>
                <pre className="mono">{result.content}</pre>
              </dd>
            </div>
          ))}
        </dl>
        <span />
      </div>
    </article>
  );
}
