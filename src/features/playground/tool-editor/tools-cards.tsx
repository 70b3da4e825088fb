import { useState } from 'react';

import { TOOL_TEMPLATES } from '../../../conversation/request/tool-templates.ts';
import { pluralize } from '../../../lib/format.ts';
import { parseJson, getStringProperty, type Json } from '../../../lib/json.ts';
import { Button, buttonLook } from '../../../ui/controls/button.tsx';
import { Hint } from '../../../ui/controls/field.tsx';
import { Import } from '../../../ui/icons.tsx';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { formIconLook, FormLine } from './form-parts.tsx';
import { ToolCard } from './tool-card.tsx';
import { definitionOf, emptyTool, withFreeName } from './tool-edits.ts';
import { ToolImport } from './tool-import.tsx';

interface ToolsCardsProps {
  tools: readonly Json[];
  onChange: (tools: readonly Json[]) => void;
}

interface Removed {
  tool: Json;
  index: number;
}

/** All tools as cards, one of them open, and the ways to more. */
export function ToolsCards({ tools, onChange }: ToolsCardsProps) {
  const [openIndex, setOpenIndex] = useState<number | undefined>(tools.length === 1 ? 0 : undefined);
  const [importing, setImporting] = useState(false);
  const [removed, setRemoved] = useState<Removed>();
  const [said, setSaid] = useState('');

  const add = (added: readonly Json[]) => {
    onChange([...tools, ...added]);
    setOpenIndex(added.length === 1 ? tools.length : undefined);
    setRemoved(undefined);
  };
  const addOne = (tool: Json) => {
    setSaid('');
    add([withFreeName(tool, tools)]);
  };
  const remove = (index: number) => {
    const tool = tools[index];
    if (tool === undefined) return;
    onChange(tools.toSpliced(index, 1));
    setOpenIndex(undefined);
    setSaid('');
    setRemoved({ tool, index });
  };
  const undo = ({ tool, index }: Removed) => {
    onChange(tools.toSpliced(index, 0, withFreeName(tool, tools)));
    setRemoved(undefined);
  };

  const items: MenuItem[] = [
    { label: 'Empty tool', onPick: () => addOne(emptyTool) },
    ...TOOL_TEMPLATES.map(({ tool, description }, index): MenuItem => {
      const reading = parseJson(JSON.stringify(tool));
      return {
        label: tool.function.name,
        hint: description,
        startsGroup: index === 0,
        onPick: () => reading.ok && addOne(reading.value),
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
            open={openIndex === index}
            onOpen={(open) => setOpenIndex(open ? index : undefined)}
            onChange={(next) => onChange(tools.with(index, next))}
            onDuplicate={() => {
              onChange(tools.toSpliced(index + 1, 0, withFreeName(tool, tools)));
              setOpenIndex(index + 1);
            }}
            onRemove={() => remove(index)}
          />
        ))}
      </ul>
      {tools.length === 0 && !removed && (
        <Hint>No tools yet. A tool is a function that the model may call; you supply the result.</Hint>
      )}
      <div role="status">
        {removed && (
          <p className="flex items-center gap-2.5 text-13 normal-nums">
            Removed {nameOf(removed.tool)}.
            <Button size="small" onClick={() => undo(removed)}>
              Undo
            </Button>
          </p>
        )}
        {said !== '' && <Hint>{said}</Hint>}
      </div>
      {importing ? (
        <ToolImport
          tools={tools}
          onCancel={() => setImporting(false)}
          onImport={(imported, remarks) => {
            add(imported);
            setImporting(false);
            setSaid([`Added ${pluralize(imported.length, 'tool')}.`, ...remarks].join(' '));
          }}
        />
      ) : (
        <FormLine>
          <Menu label="Add a tool" items={items} placement="start" className={buttonLook()}>
            Add a tool
          </Menu>
          <Button onClick={() => setImporting(true)}>
            <Import className={formIconLook} aria-hidden />
            Import
          </Button>
        </FormLine>
      )}
    </div>
  );
}

function nameOf(tool: Json): string {
  return getStringProperty(definitionOf(tool), 'name') || 'the tool';
}
