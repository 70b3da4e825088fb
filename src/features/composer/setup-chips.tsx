import { clsx } from 'clsx';
import { useState } from 'react';

import type { LaneId } from '../../conversation/session/types.ts';
import {
  defaultSchemaFormat,
  parseSchemaFormat,
  type SchemaFormat,
} from '../../conversation/setup/json-schema-format.ts';
import {
  getParamState,
  isUnset,
  withText,
  type ParamName,
  type Params,
} from '../../conversation/setup/params.ts';
import { pluralize } from '../../lib/format.ts';
import { useSessionServices, useSessionShallow } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { lazyOverlay } from '../../ui/hooks/lazy-component.tsx';
import { Braces, SquareTerminal, Wrench, type IconComponent } from '../../ui/icons.tsx';
import { editParameters } from '../parameters/setup-actions.ts';
import { parseTools } from '../parameters/tool-editor/tool-list.ts';
import { useToolsEdit } from '../parameters/tool-editor/use-tools-edit.ts';
import { systemPrompt } from '../workspace/playground-focus-targets.ts';

const ToolsDialog = lazyOverlay(
  'The tools',
  async () => (await import('../parameters/tool-editor/tools-dialog.tsx')).ToolsDialog,
);
const SchemaDialog = lazyOverlay(
  'The schema',
  async () => (await import('../parameters/schema-dialog.tsx')).SchemaDialog,
);

interface SetupChipsProps {
  /** Lanes that receive the message. */
  targets: readonly LaneId[];
  /** True if there is only room for what is set. */
  isCompact: boolean;
  /** Classes for the position, never for the style. */
  className: string;
}

/**
 * Tools, schema and system prompt that are sent with the message: a button each, which says what is set and opens the
 * editor.
 */
export function SetupChips({ targets, isCompact, className }: SetupChipsProps) {
  const { actions } = useSessionServices();
  const setups = useSessionShallow((data) => targets.flatMap((id) => data.lanes[id]?.setup ?? [])) ?? [];
  const [openEditor, setOpenEditor] = useState<'tools' | 'schema'>();
  const params = setups.map((setup) => setup.params);
  const [firstParams = {}] = params;

  const edit = (name: ParamName, text: string) => {
    // A value edited by the user is sent, even if the model rejected the field before.
    if (params.some((laneParams) => laneParams[name]?.refused)) actions.clearRefusedField(targets, name);
    editParameters(actions, targets, (current) => withText(current, name, text));
  };
  const { choiceRemark, changeText } = useToolsEdit(firstParams, (text) => edit('tools', text));
  const areToolsMixed = isMixed(params, 'tools');
  const close = () => setOpenEditor(undefined);
  return (
    <>
      <SetupChip
        icon={Wrench}
        label="Tools"
        title="Edit tools"
        value={getCommonText(params.map(describeTools), 'tools differ')}
        isCompact={isCompact}
        className={className}
        onPress={() => setOpenEditor('tools')}
      />
      <SetupChip
        icon={Braces}
        label="Schema"
        title="Edit schema"
        value={getCommonText(params.map(describeFormat), 'schemas differ')}
        isCompact={isCompact}
        className={className}
        onPress={() => setOpenEditor('schema')}
      />
      <SetupChip
        icon={SquareTerminal}
        label="System"
        title="Edit the system prompt"
        value={setups.some(({ system }) => system.trim() !== '') ? 'system: on' : undefined}
        isCompact={isCompact}
        className={className}
        onPress={() => systemPrompt.focus()}
      />
      {openEditor === 'tools' && (
        <ToolsDialog
          lastText={areToolsMixed ? '' : (firstParams.tools?.text ?? '')}
          state={areToolsMixed ? { state: 'unset' } : getParamState(firstParams, 'tools')}
          {...(areToolsMixed ? { mixedText: 'mixed' } : {})}
          onText={changeText}
          choiceRemark={choiceRemark}
          onClose={close}
        />
      )}
      {openEditor === 'schema' && (
        <SchemaDialog
          format={getSchemaFormat(firstParams) ?? defaultSchemaFormat}
          laneCount={targets.length}
          onUse={(text) => edit('response_format', text)}
          onClose={close}
        />
      )}
    </>
  );
}

interface SetupChipProps {
  icon: IconComponent;
  /** Text while nothing is set. */
  label: string;
  title: string;
  /** Text for what is set. */
  value: string | undefined;
  isCompact: boolean;
  className: string;
  onPress: () => void;
}

function SetupChip({ icon: Icon, label, title, value, isCompact, className, onPress }: SetupChipProps) {
  if (isCompact && value === undefined) return null;
  return (
    <Button
      size="small"
      className={clsx(value === undefined ? 'text-ink-2' : 'border-edge bg-sunken', className)}
      title={title}
      onClick={onPress}
    >
      <Icon className="icon-14" aria-hidden />
      <span className="max-w-40 truncate">{value ?? label}</span>
    </Button>
  );
}

function isMixed(params: readonly Params[], name: ParamName): boolean {
  return new Set(params.map((lane) => (isUnset(lane, name) ? undefined : lane[name]?.text))).size > 1;
}

/** Returns the text that all lanes share, `differingText` if they do not share one. */
function getCommonText(texts: readonly (string | undefined)[], differingText: string): string | undefined {
  return new Set(texts).size > 1 ? differingText : texts[0];
}

/** Describes the tools that are sent; `undefined` if none are. */
function describeTools(params: Params): string | undefined {
  if (isUnset(params, 'tools')) return undefined;
  const tools = parseTools(params.tools?.text ?? '');
  return tools ? pluralize(tools.length, 'tool') : 'tools: not valid';
}

/** Describes the format that is requested; `undefined` for plain text. */
function describeFormat(params: Params): string | undefined {
  const text = params.response_format?.text;
  if (isUnset(params, 'response_format') || text === 'text') return undefined;
  if (text === 'json_object') return 'JSON object';
  return `schema: ${getSchemaFormat(params)?.name ?? 'not valid'}`;
}

function getSchemaFormat(params: Params): SchemaFormat | undefined {
  return parseSchemaFormat(params.response_format?.text ?? '');
}
