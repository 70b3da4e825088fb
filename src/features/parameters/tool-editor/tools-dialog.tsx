import { importTools, type ToolImportResult } from '../../../conversation/request/openapi-tools-import.ts';
import { indentJson } from '../../../lib/exact-json.ts';
import { pluralize } from '../../../lib/format.ts';
import { parseJson, type Json } from '../../../lib/json.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Hint } from '../../../ui/controls/field.tsx';
import { AlignLeft } from '../../../ui/late-icons.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import type { RowControlProps } from '../row-control.ts';
import { toEditorProblem } from '../text-controls.tsx';
import { FormBesideJson, FormIcon } from './form-parts.tsx';
import { ToolCardList } from './tool-card-list.tsx';
import { listFunctionNames, stringifyTools } from './tool-edits.ts';
import { parseTools } from './tool-list.ts';

interface ToolsDialogProps extends Pick<RowControlProps, 'lastText' | 'state' | 'mixedText' | 'onText'> {
  /** Effect of a tools edit on tool_choice. */
  choiceRemark: string | undefined;
  onClose: () => void;
}

/** Dialog with the tools as cards beside their JSON. Every change takes effect immediately. */
export function ToolsDialog({ lastText, state, mixedText, onText, onClose, choiceRemark }: ToolsDialogProps) {
  const tools = parseTools(lastText);
  const problem = toEditorProblem(state);
  const parsed = parseJson(lastText);
  const sentText = state.state === 'sent' ? 'sent with each request' : 'not sent';
  const note =
    mixedText === undefined ? sentText : 'The lanes have different tools. Changes apply to all lanes.';
  const formatted = parsed.ok ? indentJson(lastText) : undefined;
  // The field for the list also takes what the import takes.
  const importResult = tools === undefined ? importTools(lastText, []) : undefined;
  return (
    <Dialog
      title="Tools"
      note={<span className="text-ink-3">{note}</span>}
      isWide
      onClose={onClose}
      footer={
        <>
          <span className="text-ink-3" role="status">
            {choiceRemark}
          </span>
          <span className="min-w-0 flex-1" />
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <FormBesideJson
        form={
          tools ? (
            <ToolCardList tools={tools} onChange={(next) => onText(stringifyTools(next))} />
          ) : (
            <FoundTools result={importResult} onUse={(found) => onText(stringifyTools(found))} />
          )
        }
        title="JSON of all tools"
        tools={
          <Button
            size="small"
            variant="ghost"
            disabled={formatted === undefined || formatted === lastText}
            title={formatted === lastText ? 'Already formatted' : undefined}
            onClick={() => formatted !== undefined && onText(formatted)}
          >
            <FormIcon icon={AlignLeft} />
            Format
          </Button>
        }
        label="tools"
        value={lastText}
        onChange={onText}
        problem={importResult?.ok ? undefined : problem}
        placeholder="A JSON array of tools"
      />
    </Dialog>
  );
}

interface FoundToolsProps {
  result: ToolImportResult | undefined;
  onUse: (tools: readonly Json[]) => void;
}

/** Tools in a text that is not a list of tools, such as an OpenAPI document, with a button to use them. */
function FoundTools({ result, onUse }: FoundToolsProps) {
  if (!result?.ok) return <Hint>Fix the JSON array to see the cards.</Hint>;
  const { tools, remarks } = result;
  return (
    <div className="grid justify-items-start gap-2" role="status">
      <Hint>
        {pluralize(tools.length, 'tool')} found: {listFunctionNames(tools).slice(0, 8).join(', ')}.{' '}
        {remarks.join(' ')}
      </Hint>
      <Button size="small" variant="primary" onClick={() => onUse(tools)}>
        Use {tools.length === 1 ? 'this tool' : `these ${tools.length} tools`}
      </Button>
    </div>
  );
}
