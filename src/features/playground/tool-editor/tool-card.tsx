import { ChevronRight, CircleAlert, Copy, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';

import { checkJson } from '../../../conversation/reply/json-check.ts';
import { plural } from '../../../lib/format.ts';
import { isJsonObject, parseJson, stringProperty, type Json, type JsonObject } from '../../../lib/json.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Segmented } from '../../../ui/controls/segmented.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { foldLook } from '../../../ui/display/card.tsx';
import { JsonEditor } from '../../../ui/json-editor/json-editor.tsx';
import { fieldsOf } from './schema-fields.ts';
import { SchemaForm } from './schema-form.tsx';
import { definitionOf, withDefinition } from './tool-edits.ts';
import { toolProblems, type ToolProblem } from './tool-problems.ts';

interface ToolCardProps {
  tool: Json;
  tools: readonly Json[];
  open: boolean;
  onOpen: (open: boolean) => void;
  onChange: (tool: Json) => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

/** One tool: folded its name and what it is for, open the form over its definition. */
export function ToolCard({ tool, tools, open, onOpen, onChange, onDuplicate, onRemove }: ToolCardProps) {
  const id = useId();
  const definition = definitionOf(tool);
  const name = stringProperty(definition, 'name') || stringProperty(tool, 'type') || 'unnamed tool';
  const description = stringProperty(definition, 'description') ?? '';
  const problems = toolProblems(tool, tools);
  const parameters = definition?.['parameters'];
  const count = isJsonObject(parameters) ? fieldsOf(parameters).length : 0;
  return (
    <li className="card tool-card" aria-label={`Tool ${name}`}>
      <header>
        <button
          type="button"
          className={foldLook}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => onOpen(!open)}
        >
          <ChevronRight className="i s" aria-hidden />
          <b className="mono">{name}</b>
        </button>
        <small>{definition ? plural(count, 'parameter') : 'not a function, passed through'}</small>
        <span className="grow" />
        <IconButton size="small" label={`Duplicate ${name}`} onClick={onDuplicate}>
          <Copy className="i s" aria-hidden />
        </IconButton>
        <IconButton size="small" label={`Remove ${name}`} tip="Remove the tool" onClick={onRemove}>
          <Trash2 className="i s" aria-hidden />
        </IconButton>
      </header>
      {!open && description !== '' && <p>{description}</p>}
      {!open && problems[0] && <Problem problem={problems[0]} />}
      {open && definition && (
        <div className="tool-form" id={id}>
          <Definition tool={tool} definition={definition} problems={problems} onChange={onChange} />
        </div>
      )}
      {open && !definition && (
        <p className="hint" id={id}>
          This is not a function, so it has no form. Edit it in the JSON beside the cards; it is sent
          unchanged.
        </p>
      )}
    </li>
  );
}

interface DefinitionProps {
  tool: Json;
  definition: JsonObject;
  problems: readonly ToolProblem[];
  onChange: (tool: Json) => void;
}

type View = 'form' | 'json';
const views: readonly { value: View; label: string }[] = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
];

function Definition({ tool, definition, problems, onChange }: DefinitionProps) {
  const id = useId();
  const [view, setView] = useState<View>('form');
  const name = stringProperty(definition, 'name') ?? '';
  const { parameters } = definition;
  const schema = isJsonObject(parameters) ? parameters : undefined;
  const of = (field: ToolProblem['field']) => problems.filter((problem) => problem.field === field);
  const isNameWrong = of('name').some(({ tone }) => tone === 'err');
  return (
    <>
      <label className="row" htmlFor={`${id}name`}>
        <span>Name</span>
        <input
          id={`${id}name`}
          className="field mono"
          aria-invalid={isNameWrong || undefined}
          aria-describedby={`${id}said`}
          spellCheck={false}
          value={name}
          onInput={(event) => onChange(withDefinition(tool, { name: event.currentTarget.value }))}
        />
      </label>
      <div id={`${id}said`}>
        {of('name').map((problem) => (
          <Problem key={problem.sentence} problem={problem} />
        ))}
      </div>
      <label className="row" htmlFor={`${id}about`}>
        <span>Description</span>
        <TextArea
          id={`${id}about`}
          className="area"
          dir="auto"
          rows={2}
          placeholder="What it does and when to use it; the model sees only this."
          value={stringProperty(definition, 'description') ?? ''}
          onText={(description) => onChange(withDefinition(tool, { description }))}
        />
      </label>
      <div className="row head">
        <span>Parameters</span>
        <Segmented label={`Edit parameters of ${name} as`} value={view} choices={views} onChange={setView} />
      </div>
      {view === 'form' ? (
        <SchemaForm
          schema={schema ?? { type: 'object', properties: {} }}
          of={name}
          onChange={(next) => onChange(withDefinition(tool, { parameters: next }))}
        />
      ) : (
        <ParametersJson
          name={name}
          value={parameters}
          onChange={(next) => onChange(withDefinition(tool, { parameters: next }))}
        />
      )}
      {of('parameters').map((problem) => (
        <Problem key={problem.sentence} problem={problem} />
      ))}
    </>
  );
}

function Problem({ problem }: { problem: ToolProblem }) {
  return (
    <p className={problem.tone === 'err' ? 'er' : 'hint'}>
      {problem.tone === 'err' && <CircleAlert className="i s" aria-hidden />}
      {problem.sentence}
    </p>
  );
}

interface ParametersJsonProps {
  /** Of the tool. */
  name: string;
  value: Json | undefined;
  onChange: (value: Json) => void;
}

/** The parameters as JSON. What is typed stays as it was typed; it counts as soon as it is an object. */
function ParametersJson({ name, value, onChange }: ParametersJsonProps) {
  const current = value === undefined ? '' : JSON.stringify(value, null, 2);
  const [typed, setTyped] = useState<{ text: string; for: string }>();
  // Changed elsewhere since: what was typed here is no longer about it.
  const text = typed?.for === current ? typed.text : current;
  const problem = problemOf(text);
  const change = (next: string) => {
    const reading = parseJson(next);
    const isObject = reading.ok && isJsonObject(reading.value);
    setTyped({ text: next, for: isObject ? JSON.stringify(reading.value, null, 2) : current });
    if (isObject) onChange(reading.value);
  };
  return (
    <div className="parameters-json">
      <JsonEditor
        label={`Parameters of ${name}`}
        value={text}
        onChange={change}
        minLines={6}
        problem={problem}
      />
      {problem && (
        <p className="er">
          <CircleAlert className="i s" aria-hidden />
          {problem.message}
        </p>
      )}
    </div>
  );
}

function problemOf(text: string): { message: string; at?: number } | undefined {
  const reading = parseJson(text);
  if (reading.ok)
    return isJsonObject(reading.value) ? undefined : { message: 'Parameters must be a JSON Schema object.' };
  const check = checkJson(text);
  const message = 'Not valid JSON yet. The last valid parameters are kept.';
  return check.state === 'broken' ? { message, at: check.at } : { message };
}
