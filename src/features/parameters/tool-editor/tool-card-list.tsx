import { useState } from 'react';

import { TOOL_TEMPLATES } from '../../../conversation/request/tool-templates.ts';
import { pluralize } from '../../../lib/format.ts';
import { parseJson, getStringProperty, type Json } from '../../../lib/json.ts';
import { Button, buttonVariants } from '../../../ui/controls/button.tsx';
import { Hint } from '../../../ui/controls/field.tsx';
import { Import } from '../../../ui/late-icons.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { FormIcon, FormLine } from './form-parts.tsx';
import { ToolCard } from './tool-card.tsx';
import { getDefinition, emptyTool, withUniqueName } from './tool-edits.ts';
import { ToolImport } from './tool-import.tsx';

interface ToolCardListProps {
  tools: readonly Json[];
  onChange: (tools: readonly Json[]) => void;
}

interface RemovedTool {
  tool: Json;
  index: number;
}

/** All tools as cards, at most one of them expanded, with buttons to add more. */
export function ToolCardList({ tools, onChange }: ToolCardListProps) {
  const [openIndex, setOpenIndex] = useState<number | undefined>(tools.length === 1 ? 0 : undefined);
  const [isImporting, setIsImporting] = useState(false);
  const [removedTool, setRemovedTool] = useState<RemovedTool>();
  const [importMessage, setImportMessage] = useState('');

  const addTools = (newTools: readonly Json[]) => {
    onChange([...tools, ...newTools]);
    setOpenIndex(newTools.length === 1 ? tools.length : undefined);
    setRemovedTool(undefined);
  };
  const addTool = (tool: Json) => {
    setImportMessage('');
    addTools([withUniqueName(tool, tools)]);
  };
  const remove = (index: number) => {
    const tool = tools[index];
    if (tool === undefined) return;
    onChange(tools.toSpliced(index, 1));
    setOpenIndex(undefined);
    setImportMessage('');
    setRemovedTool({ tool, index });
  };
  const restore = ({ tool, index }: RemovedTool) => {
    onChange(tools.toSpliced(index, 0, withUniqueName(tool, tools)));
    setRemovedTool(undefined);
  };

  const items: MenuItem[] = [
    { label: 'Blank tool', onPick: () => addTool(emptyTool) },
    ...TOOL_TEMPLATES.map(({ tool, description }, index): MenuItem => {
      const parsed = parseJson(JSON.stringify(tool));
      return {
        label: tool.function.name,
        hint: description,
        startsGroup: index === 0,
        onPick: () => parsed.ok && addTool(parsed.value),
      };
    }),
  ];

  return (
    <div className="grid gap-2.5">
      <ul className="grid gap-2 empty:hidden">
        {tools.map((tool, index) => (
          <ToolCard
            key={index}
            tool={tool}
            tools={tools}
            isOpen={openIndex === index}
            onOpen={(open) => setOpenIndex(open ? index : undefined)}
            onChange={(next) => onChange(tools.with(index, next))}
            onDuplicate={() => {
              onChange(tools.toSpliced(index + 1, 0, withUniqueName(tool, tools)));
              setOpenIndex(index + 1);
            }}
            onRemove={() => remove(index)}
          />
        ))}
      </ul>
      {tools.length === 0 && !removedTool && (
        <Hint>No tools yet. A tool is a function that the model may call; you supply the result.</Hint>
      )}
      <div role="status">
        {removedTool && (
          <p className="flex items-center gap-2.5 text-13 normal-nums">
            Removed {getToolName(removedTool.tool)}.
            <Button size="small" onClick={() => restore(removedTool)}>
              Undo
            </Button>
          </p>
        )}
        {importMessage !== '' && <Hint>{importMessage}</Hint>}
      </div>
      {isImporting ? (
        <ToolImport
          tools={tools}
          onCancel={() => setIsImporting(false)}
          onImport={(imported, remarks) => {
            addTools(imported);
            setIsImporting(false);
            setImportMessage([`Added ${pluralize(imported.length, 'tool')}.`, ...remarks].join(' '));
          }}
        />
      ) : (
        <FormLine>
          <Menu label="Add a tool" items={items} placement="start" className={buttonVariants()}>
            Add a tool
          </Menu>
          <Button onClick={() => setIsImporting(true)}>
            <FormIcon icon={Import} />
            Import
          </Button>
        </FormLine>
      )}
    </div>
  );
}

function getToolName(tool: Json): string {
  return getStringProperty(getDefinition(tool), 'name') || 'the tool';
}
