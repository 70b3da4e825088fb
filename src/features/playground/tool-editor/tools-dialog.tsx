import { AlignLeft, CircleAlert } from 'lucide-react';

import { parseJson } from '../../../lib/json.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import type { RowControl } from '../setup/row-control.ts';
import { problemOf } from '../setup/text-controls.tsx';
import { textOfTools } from './tool-edits.ts';
import { toolsIn } from './tool-list.ts';
import { ToolsCards } from './tools-cards.tsx';

import './tools-editor.css';

interface ToolsDialogProps extends RowControl {
  /** What an edit of the tools did to tool_choice. */
  choiceRemark: string | undefined;
  onClose: () => void;
}

/** The tools as cards, and beside them the JSON of all. Every change is in the setup at once. */
export function ToolsDialog({ lastText, state, mixed, onText, onClose, choiceRemark }: ToolsDialogProps) {
  const tools = toolsIn(lastText);
  const problem = problemOf(state);
  const reading = parseJson(lastText);
  const sent = state.state === 'sent' ? 'sent with each request' : 'not sent';
  const note = mixed === undefined ? sent : 'The lanes have different tools. Changes apply to all lanes.';
  const formatted = reading.ok ? JSON.stringify(reading.value, null, 2) : undefined;
  return (
    <Dialog
      title="Tools"
      note={<span className="mut">{note}</span>}
      wide
      onClose={onClose}
      footer={
        <>
          <span className="mut" role="status">
            {choiceRemark}
          </span>
          <span className="grow" />
          <Button look="ink" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="tools-editor">
        {tools ? (
          <ToolsCards tools={tools} onChange={(next) => onText(textOfTools(next))} />
        ) : (
          <p className="hint">Fix the JSON array to see the cards.</p>
        )}
        <div className="tools-json">
          <div className="line">
            <h3>JSON of all tools</h3>
            <span className="grow" />
            <Button
              size="small"
              look="quiet"
              disabled={formatted === undefined || formatted === lastText}
              title={formatted === lastText ? 'Already formatted' : undefined}
              onClick={() => formatted !== undefined && onText(formatted)}
            >
              <AlignLeft className="i s" aria-hidden />
              Format
            </Button>
          </div>
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
