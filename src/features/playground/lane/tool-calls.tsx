import { Check, CornerDownLeft, Wrench } from 'lucide-react';
import { useId, useState } from 'react';
import { toolCallsOf } from '../../../conversation/request.ts';
import { isLive } from '../../../conversation/run.ts';
import { identitiesOf } from '../../../conversation/tool-results.ts';
import type { Run, ToolResult, Turn } from '../../../conversation/types.ts';
import type { ToolCall } from '../../../gateway/wire.ts';
import { formatCount, plural } from '../../../lib/format.ts';
import { parseJson } from '../../../lib/json.ts';
import { usePlayground } from '../../../state/react.tsx';
import { Button } from '../../../ui/button.tsx';

/** The calls of one answer, a card each; where it is the last turn, their results are typed and sent here. */
export function ToolCalls({ turn, run, isLast }: { turn: Turn; run: Run; isLast: boolean }) {
  const { actions } = usePlayground();
  const calls = toolCallsOf(turn, run, turn.shownChoice ?? 0);
  const [results, setResults] = useState<Record<string, string>>({});
  const live = isLive(run);
  const answerable = isLast && !live;
  const ready = calls.filter((call) => (results[call.id] ?? '').trim() !== '').length;
  const send = () => {
    const answers = identitiesOf(calls).map(({ name, ordinal, arguments: given }, index): ToolResult => {
      return { call: { name, ordinal, arguments: given }, content: results[calls[index]?.id ?? ''] ?? '' };
    });
    void actions.sendPrompt({ messages: [], results: answers }, [turn.laneId]);
  };
  return (
    <div className="calls">
      {calls.map((call) => (
        <ToolCallCard
          key={call.id}
          call={call}
          live={live}
          result={answerable ? (results[call.id] ?? '') : undefined}
          onResult={(text) => setResults((known) => ({ ...known, [call.id]: text }))}
        />
      ))}
      {answerable && (
        <div className="offers">
          <Button look="ink" disabled={ready < calls.length} onClick={send}>
            Send {calls.length === 1 ? 'results' : `${calls.length} results`}
          </Button>
          {ready < calls.length && (
            <span className="mut">{plural(calls.length - ready, 'result')} to write first.</span>
          )}
        </div>
      )}
    </div>
  );
}

interface CardProps {
  call: ToolCall;
  live: boolean;
  /** Undefined where it can not be answered here. */
  result: string | undefined;
  onResult: (text: string) => void;
}

function ToolCallCard({ call, live, result, onResult }: CardProps) {
  const fieldId = useId();
  const name = call.function.name;
  const isReady = result !== undefined && result.trim() !== '';
  return (
    <div role="group" aria-label={`Tool call ${name}`} className={`card tc ${result !== undefined && !isReady ? 'need' : ''}`}>
      <header>
        <Wrench className="i s" aria-hidden />
        <b>{name}</b>
        <span className="rid">{call.id}</span>
        <span className="grow" />
        {result !== undefined && (
          <span className={`st ${isReady ? 'ok' : 'warn'}`}>
            {isReady ? <Check className="i" aria-hidden /> : <CornerDownLeft className="i" aria-hidden />}
            {isReady ? 'Result ready' : 'Needs a result'}
          </span>
        )}
      </header>
      <div className="io">
        <div>
          <h3>Arguments</h3>
          <pre className="mono" dir="auto">
            {shownArguments(call.function.arguments, live)}
          </pre>
        </div>
        {result !== undefined && (
          <div>
            <h3>
              <label htmlFor={fieldId}>Result to send back</label>
            </h3>
            <textarea
              id={fieldId}
              className="area mono"
              aria-label={`Result for ${name}`}
              rows={3}
              value={result}
              onChange={(event) => onResult(event.currentTarget.value)}
            />
            <p className="mut">{resultRemark(result)}</p>
          </div>
        )}
      </div>
    </div>
  );
}

function shownArguments(text: string, live: boolean): string {
  if (live) return text;
  const reading = parseJson(text);
  return reading.ok ? JSON.stringify(reading.value, null, 2) : text;
}

function resultRemark(text: string): string {
  if (text.trim() === '') return 'JSON or plain text.';
  const length = `${formatCount(text.length)} characters`;
  return parseJson(text).ok ? `Valid JSON, ${length}.` : `Plain text, ${length}.`;
}
