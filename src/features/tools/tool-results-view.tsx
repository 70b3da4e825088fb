import { useState, type ReactNode } from 'react';

import { getResultKey } from '../../conversation/find/hits.ts';
import type { PromptId, ToolResult } from '../../conversation/session/types.ts';
import { parseJson } from '../../lib/json.ts';
import { useFind } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { StatusLabel } from '../../ui/display/status-label.tsx';
import { CircleAlert } from '../../ui/icons.tsx';
import { Pencil } from '../../ui/late-icons.tsx';
import { BandColumns, MessageBand } from '../workspace/message-band.tsx';
import { JsonText } from './json-text.tsx';

interface ToolResultsViewProps {
  promptId: PromptId;
  results: readonly ToolResult[];
  /** Stepper between the versions of the prompt; absent if a message of the prompt has it. */
  versions: ReactNode;
  /** Sends these results as a new version of the prompt. */
  onSave: (results: readonly ToolResult[]) => void;
}

/** Tool results sent for the calls above, one message each. An edited result is sent as a new version. */
export function ToolResultsView({ promptId, results, versions, onSave }: ToolResultsViewProps) {
  const [editedIndex, setEditedIndex] = useState<number>();
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
              <p className="flex flex-wrap items-center gap-x-2 text-13 normal-nums max-phone:text-[15px]/5.5">
                <b className="[font:var(--m-12)]">{result.call.name}</b>
                <span className="min-w-0 wrap-anywhere text-ink-3 [font:var(--m-12)]" dir="auto">
                  {result.call.arguments}
                </span>
                {result.isError && (
                  <StatusLabel tone="err" icon={<CircleAlert aria-hidden />}>
                    Error
                  </StatusLabel>
                )}
                {editedIndex !== index && (
                  <IconButton
                    size="small"
                    label={`Edit result for ${result.call.name}`}
                    onClick={() => setEditedIndex(index)}
                  >
                    <Pencil className="icon-14" aria-hidden />
                  </IconButton>
                )}
              </p>
              {editedIndex === index ? (
                <ResultEditor
                  result={result}
                  onCancel={() => setEditedIndex(undefined)}
                  onSave={(content) => {
                    setEditedIndex(undefined);
                    onSave(results.with(index, { ...result, content }));
                  }}
                />
              ) : (
                <div data-text-kind="result">
                  <ResultContent text={result.content} />
                </div>
              )}
            </article>
          ))}
        </div>
        <span>{versions}</span>
      </BandColumns>
    </MessageBand>
  );
}

interface ResultEditorProps {
  result: ToolResult;
  onCancel: () => void;
  onSave: (content: string) => void;
}

function ResultEditor({ result, onCancel, onSave }: ResultEditorProps) {
  const [text, setText] = useState(result.content);
  return (
    <div className="grid gap-2 py-1">
      <TextArea
        aria-label={`Result for ${result.call.name}`}
        variant="code"
        rows={4}
        autoFocus
        spellCheck={false}
        value={text}
        onText={setText}
      />
      <div className="flex flex-wrap gap-2">
        <Button size="small" variant="primary" onClick={() => onSave(text)}>
          Save and run
        </Button>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
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
