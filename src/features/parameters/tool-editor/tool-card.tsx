import { clsx } from 'clsx';
import { useId, useState } from 'react';

import { checkJson } from '../../../conversation/reply/json-check.ts';
import { formatExactJson, parseExactNumbers } from '../../../lib/exact-json.ts';
import { pluralize } from '../../../lib/format.ts';
import { isJsonObject, parseJson, getStringProperty, type Json, type JsonObject } from '../../../lib/json.ts';
import { FieldError, Hint } from '../../../ui/controls/field.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { cardVariants, DisclosureButton } from '../../../ui/display/card.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { ChevronRight, Copy, Trash2 } from '../../../ui/late-icons.tsx';
import { FormField, FormTitle } from './form-parts.tsx';
import { listFields } from './schema-fields.ts';
import { SchemaForm } from './schema-form.tsx';
import { getDefinition, withDefinition } from './tool-edits.ts';
import { findToolProblems, type ToolProblem } from './tool-problems.ts';

interface ToolCardProps {
  tool: Json;
  tools: readonly Json[];
  isOpen: boolean;
  onOpen: (open: boolean) => void;
  onChange: (tool: Json) => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

/** Tool as a card: name and description if collapsed, a form for its definition if expanded. */
export function ToolCard({ tool, tools, isOpen, onOpen, onChange, onDuplicate, onRemove }: ToolCardProps) {
  const id = useId();
  const definition = getDefinition(tool);
  const name = getStringProperty(definition, 'name') || getStringProperty(tool, 'type') || 'unnamed tool';
  const description = getStringProperty(definition, 'description') ?? '';
  const problems = findToolProblems(tool, tools);
  const parameters = definition?.['parameters'];
  const count = isJsonObject(parameters) ? listFields(parameters).length : 0;
  return (
    <li className={clsx(cardVariants(), 'pt-1 pr-1.5 pb-1.5 pl-2.5')} aria-label={`Tool ${name}`}>
      <header className="flex min-h-7 items-center gap-2">
        <DisclosureButton
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => onOpen(!isOpen)}
        >
          <ChevronRight className="icon-14" aria-hidden />
          <b className="wrap-anywhere [font:var(--m-12)]">{name}</b>
        </DisclosureButton>
        <small className="text-12 whitespace-nowrap text-ink-3 normal-nums">
          {definition ? pluralize(count, 'parameter') : 'not a function, sent unchanged'}
        </small>
        <span className="min-w-0 flex-1" />
        <IconButton size="small" label={`Duplicate ${name}`} onClick={onDuplicate}>
          <Copy className="icon-14" aria-hidden />
        </IconButton>
        <IconButton size="small" label={`Remove ${name}`} tip="Remove tool" onClick={onRemove}>
          <Trash2 className="icon-14" aria-hidden />
        </IconButton>
      </header>
      {!isOpen && description !== '' && (
        <p className="mr-1.5 mb-1 ml-5 text-[13px]/4.75 font-400 wrap-anywhere text-ink-2 normal-nums">
          {description}
        </p>
      )}
      {!isOpen && problems[0] && (
        <ProblemMessage className="mr-1.5 mb-1 ml-5 wrap-anywhere" problem={problems[0]} />
      )}
      {isOpen && definition && (
        <div className="grid gap-2 pt-1 pr-1.5 pb-1.5" id={id}>
          <DefinitionForm tool={tool} definition={definition} problems={problems} onChange={onChange} />
        </div>
      )}
      {isOpen && !definition && (
        <p
          className="mr-1.5 mb-1 ml-5 text-[13px]/4.75 font-400 text-pretty wrap-anywhere text-ink-2 normal-nums"
          id={id}
        >
          This is not a function, so it has no form. Edit it in the JSON beside the cards. It is sent
          unchanged.
        </p>
      )}
    </li>
  );
}

interface DefinitionFormProps {
  tool: Json;
  definition: JsonObject;
  problems: readonly ToolProblem[];
  onChange: (tool: Json) => void;
}

type ParametersView = 'form' | 'json';
const parametersViews: readonly { value: ParametersView; label: string }[] = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
];

function DefinitionForm({ tool, definition, problems, onChange }: DefinitionFormProps) {
  const id = useId();
  const [view, setView] = useState<ParametersView>('form');
  const name = getStringProperty(definition, 'name') ?? '';
  const { parameters } = definition;
  const schema = isJsonObject(parameters) ? parameters : undefined;
  const getProblems = (field: ToolProblem['field']) => problems.filter((problem) => problem.field === field);
  const isNameWrong = getProblems('name').some(({ tone }) => tone === 'err');
  return (
    <>
      <label className="grid gap-0.5" htmlFor={`${id}name`}>
        <FormTitle>Name</FormTitle>
        <FormField
          isCode
          id={`${id}name`}
          aria-invalid={isNameWrong || undefined}
          aria-describedby={`${id}said`}
          spellCheck={false}
          value={name}
          onInput={(event) => onChange(withDefinition(tool, { name: event.currentTarget.value }))}
        />
      </label>
      <div id={`${id}said`}>
        {getProblems('name').map((problem) => (
          <ProblemMessage key={problem.message} problem={problem} />
        ))}
      </div>
      <label className="grid gap-0.5" htmlFor={`${id}about`}>
        <FormTitle>Description</FormTitle>
        <TextArea
          id={`${id}about`}
          variant="prose"
          className="pointer-coarse:text-[16px]"
          dir="auto"
          rows={2}
          placeholder="What it does and when to use it. The model relies on this text."
          value={getStringProperty(definition, 'description') ?? ''}
          onText={(description) => onChange(withDefinition(tool, { description }))}
        />
      </label>
      <div className="mt-0.5 flex items-center justify-between gap-0.5">
        <FormTitle>Parameters</FormTitle>
        <Segmented
          label={`Edit parameters of ${name} as`}
          value={view}
          choices={parametersViews}
          onChange={setView}
        />
      </div>
      {view === 'form' ? (
        <SchemaForm
          schema={schema ?? { type: 'object', properties: {} }}
          parentName={name}
          onChange={(next) => onChange(withDefinition(tool, { parameters: next }))}
        />
      ) : (
        <ParametersJson
          name={name}
          value={parameters}
          onChange={(next) => onChange(withDefinition(tool, { parameters: next }))}
        />
      )}
      {getProblems('parameters').map((problem) => (
        <ProblemMessage key={problem.message} problem={problem} />
      ))}
    </>
  );
}

interface ProblemMessageProps {
  problem: ToolProblem;
  /** Classes for the position. */
  className?: string;
}

function ProblemMessage({ problem: { tone, message }, className = '' }: ProblemMessageProps) {
  const MessageComponent = tone === 'err' ? FieldError : Hint;
  return <MessageComponent className={className}>{message}</MessageComponent>;
}

interface ParametersJsonProps {
  /** Name of the tool. */
  name: string;
  value: Json | undefined;
  onChange: (value: Json) => void;
}

/** JSON editor for the parameters. The text stays as typed and takes effect as soon as it is a valid object. */
function ParametersJson({ name, value, onChange }: ParametersJsonProps) {
  const currentText = value === undefined ? '' : formatExactJson(value);
  const [draft, setDraft] = useState<{ text: string; baseText: string }>();
  // The parameters were changed elsewhere, so the typed text is obsolete.
  const text = draft?.baseText === currentText ? draft.text : currentText;
  const problem = findJsonProblem(text);
  const change = (next: string) => {
    const parsed = parseExactNumbers(next);
    const isObject = parsed.ok && isJsonObject(parsed.value);
    setDraft({ text: next, baseText: isObject ? formatExactJson(parsed.value) : currentText });
    if (isObject) onChange(parsed.value);
  };
  return (
    <div className="grid gap-1 [--editor-max:300px]">
      <JsonEditor
        label={`Parameters of ${name}`}
        value={text}
        onChange={change}
        minLines={6}
        problem={problem}
      />
      {problem && <FieldError>{problem.message}</FieldError>}
    </div>
  );
}

function findJsonProblem(text: string): { message: string; offset?: number } | undefined {
  const parsed = parseJson(text);
  if (parsed.ok)
    return isJsonObject(parsed.value) ? undefined : { message: 'Parameters must be a JSON Schema object.' };
  const check = checkJson(text);
  const message = 'Not valid JSON yet. The last valid parameters are used.';
  return check.state === 'broken' ? { message, offset: check.offset } : { message };
}
