import { CircleAlert, Plus, Trash2 } from 'lucide-react';

import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { JsonEditor } from '../../../ui/json-editor.tsx';
import type { RowControl } from './row-control.ts';
import { problemOf } from './text-controls.tsx';
import { toolCards, withToolAdded, withToolRemoved, type ToolCard } from './tool-list.ts';

/** The tools as cards, and beside them the JSON of all. Every change is in the setup at once. */
export function ToolsDialog({ lastText, state, onText, onClose }: RowControl & { onClose: () => void }) {
  const cards = toolCards(lastText);
  const problem = problemOf(state);
  return (
    <Dialog
      title="Tools"
      note={<span className="mut">{state.state === 'sent' ? 'sent with each request' : 'not sent'}</span>}
      wide
      onClose={onClose}
      footer={
        <Button look="ink" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="tools-editor">
        <div className="tools-cards">
          <ul>
            {cards?.map((card, index) => (
              <ToolCardView
                key={index}
                card={card}
                onRemove={() => onText(withToolRemoved(lastText, index))}
              />
            ))}
          </ul>
          {cards?.length === 0 && (
            <p className="hint">
              No tools yet. A tool is a function that the model may ask for; you give its result.
            </p>
          )}
          {cards ? (
            <Button onClick={() => onText(withToolAdded(lastText))}>
              <Plus className="i s" aria-hidden />
              Add a tool
            </Button>
          ) : (
            <p className="hint">The cards come back when the JSON is an array again.</p>
          )}
        </div>
        <div className="tools-json">
          <JsonEditor
            label="tools"
            value={lastText}
            onChange={onText}
            minLines={18}
            problem={problem}
            placeholder="A JSON array of tools"
          />
          {problem && (
            <p className="er">
              <CircleAlert className="i s" aria-hidden />
              {problem.message}
            </p>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function ToolCardView({ card, onRemove }: { card: ToolCard; onRemove: () => void }) {
  const parameters = `${card.parameterCount} parameter${card.parameterCount === 1 ? '' : 's'}`;
  return (
    <li className="card">
      <div>
        <b className="mono">{card.name}</b>
        {card.description && <p>{card.description}</p>}
        <small>{card.isFunction ? parameters : 'not a function, passed through'}</small>
      </div>
      <IconButton size="small" label={`Remove ${card.name}`} onClick={onRemove}>
        <Trash2 className="i s" aria-hidden />
      </IconButton>
    </li>
  );
}
