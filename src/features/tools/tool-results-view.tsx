import { getResultKey } from '../../conversation/find/hits.ts';
import type { PromptId, ToolResult } from '../../conversation/session/types.ts';
import { parseJson } from '../../lib/json.ts';
import { useFind } from '../../state/contexts.tsx';
import { StatusLabel } from '../../ui/display/status-label.tsx';
import { CircleAlert } from '../../ui/icons.tsx';
import { BandColumns, MessageBand } from '../workspace/message-band.tsx';
import { JsonText } from './json-text.tsx';

/** Tool results sent for the calls above, one message each. */
export function ToolResultsView({
  promptId,
  results,
}: {
  promptId: PromptId;
  results: readonly ToolResult[];
}) {
  const hitMessageKey = useFind(({ sessionId, currentHit }) =>
    sessionId === undefined ? undefined : currentHit?.messageKey,
  );
  return (
    <MessageBand as="div" className="border-b max-phone:py-3">
      <BandColumns className="max-phone:grid-cols-[56px_minmax(0,1fr)_auto]">
        <span>{results.length === 1 ? 'Result' : 'Results'}</span>
        <div className="grid min-w-0 gap-1.5">
          {results.map((result, index) => (
            <article
              key={index}
              aria-label="Tool message"
              className="data-hit:relative data-hit:shadow-[inset_3px_0_0_var(--needle)]"
              data-message={getResultKey(promptId, index)}
              data-hit={hitMessageKey === getResultKey(promptId, index) || undefined}
            >
              <p className="text-13 normal-nums max-phone:text-[15px]/5.5">
                <b className="[font:var(--m-12)]">{result.call.name}</b>{' '}
                <span className="text-ink-3 [font:var(--m-12)]" dir="auto">
                  {result.call.arguments}
                </span>
                {result.isError && (
                  <StatusLabel tone="err" icon={<CircleAlert aria-hidden />} className="ml-2">
                    Error
                  </StatusLabel>
                )}
              </p>
              <div data-text-kind="result">
                <ResultContent text={result.content} />
              </div>
            </article>
          ))}
        </div>
        <span />
      </BandColumns>
    </MessageBand>
  );
}

/** Content exactly as sent, coloured if it is JSON. */
function ResultContent({ text }: { text: string }) {
  if (parseJson(text).ok) return <JsonText text={text} isSent />;
  return (
    <pre
      className="max-h-60 overflow-y-auto font-mono text-mono-12 wrap-anywhere whitespace-pre-wrap text-ink-2"
      dir="auto"
    >
      {text}
    </pre>
  );
}
