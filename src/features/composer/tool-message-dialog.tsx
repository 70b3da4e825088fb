import { useId, useState } from 'react';

import { getReplyToolCalls } from '../../conversation/request/request.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { useSessionShallow } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

interface Props {
  targets: readonly LaneId[];
  onAdd: (toolCallId: string) => void;
  onClose: () => void;
}

/** Dialog that selects the call of a tool message: an existing one, or any ID. */
export function ToolMessageDialog({ targets, onAdd, onClose }: Props) {
  const fieldId = useId();
  const calls = useSessionShallow((data) => {
    const conversationCalls = targets.flatMap((laneId) => {
      const turns = Object.values(data.turns).filter((turn) => turn.laneId === laneId);
      return turns.flatMap((turn) =>
        getReplyToolCalls(data, turn, turn.shownChoice ?? 0).map(
          (call) => `${call.id}\n${call.function.name}`,
        ),
      );
    });
    return [...new Set(conversationCalls)].slice(-8);
  });
  const [id, setId] = useState(calls?.at(-1)?.split('\n')[0] ?? '');
  return (
    <Dialog
      title="Add a tool message"
      onClose={onClose}
      footer={
        <Button variant="primary" disabled={id.trim() === ''} onClick={() => onAdd(id.trim())}>
          Add
        </Button>
      }
    >
      <p className="text-ink-3">
        Enter the ID of the tool call. The text in the composer becomes its result.
      </p>
      <p>
        <label htmlFor={fieldId}>tool_call_id</label>{' '}
        <TextField
          id={fieldId}
          className="max-w-31"
          autoFocus
          spellCheck={false}
          value={id}
          onInput={(event) => setId(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || id.trim() === '') return;
            event.preventDefault();
            onAdd(id.trim());
          }}
        />
      </p>
      {calls !== undefined && calls.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-1.5" role="group" aria-label="Calls in this conversation">
          {calls.map((call) => {
            const [callId = '', name = ''] = call.split('\n');
            return (
              <Button key={call} size="small" onClick={() => setId(callId)}>
                {name} <span className="[font:var(--m-12)]">{callId}</span>
              </Button>
            );
          })}
        </div>
      )}
    </Dialog>
  );
}
