import { Plus, X } from 'lucide-react';
import { useState } from 'react';

import type { JsonObject } from '../../../lib/json.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Select, type SelectOption } from '../../../ui/controls/select.tsx';
import { lampLook } from '../../../ui/display/lamp.tsx';
import {
  fieldNameProblem,
  fieldsOf,
  fieldTypes,
  itemOf,
  withField,
  withFieldAdded,
  withFieldAllowed,
  withFieldDescription,
  withFieldList,
  withFieldRemoved,
  withFieldRenamed,
  withFieldRequired,
  withFieldType,
  type FieldType,
  type SchemaField,
} from './schema-fields.ts';

interface SchemaFormProps {
  schema: JsonObject;
  onChange: (schema: JsonObject) => void;
  /** What the fields belong to, for the names of the controls. */
  of: string;
  depth?: number;
  /** What its rows are called. */
  noun?: 'parameter' | 'field';
}

/** Deeper objects are edited as JSON: a form would have no room for them. */
const mostDepth = 3;

/** The properties of an object schema, a row each, nested where a field is an object. */
export function SchemaForm({ schema, onChange, of, depth = 0, noun = 'parameter' }: SchemaFormProps) {
  return (
    <div className="schema-form">
      {fieldsOf(schema).map((field, index) => (
        <FieldRow
          key={index}
          field={field}
          schema={schema}
          onChange={onChange}
          of={of}
          depth={depth}
          noun={noun}
        />
      ))}
      <Button size="small" look="quiet" onClick={() => onChange(withFieldAdded(schema))}>
        <Plus className="i s" aria-hidden />
        Add a {noun}
        {depth > 0 && ` to ${of}`}
      </Button>
    </div>
  );
}

const typeOptions: readonly SelectOption<FieldType>[] = fieldTypes.map((type) => ({
  value: type,
  label: type,
}));
const otherOption: SelectOption<FieldType> = { value: 'other', label: 'other', note: 'custom' };

function FieldRow({
  field,
  schema,
  onChange,
  of,
  depth,
  noun,
}: Required<SchemaFormProps> & { field: SchemaField }) {
  const { name, type, isList, isRequired, description, allowed } = field;
  const change = (next: JsonObject) => onChange(withField(schema, name, next));
  const hasChoice = type === 'string' || type === 'number' || type === 'integer';
  return (
    <fieldset className="schema-field" aria-label={`Parameter ${name} of ${of}`}>
      <div className="line">
        <NameField
          schema={schema}
          name={name}
          onRename={(to) => onChange(withFieldRenamed(schema, name, to))}
        />
        <Select
          label={`Type of ${name}`}
          value={type}
          options={type === 'other' ? [...typeOptions, otherOption] : typeOptions}
          onChange={(chosen) => change(withFieldType(field.schema, chosen))}
        />
        <label className="tick">
          <input
            type="checkbox"
            className={lampLook}
            checked={isList}
            onChange={() => change(withFieldList(field.schema, !isList))}
          />
          list
        </label>
        <label className="tick">
          <input
            type="checkbox"
            className={lampLook}
            checked={isRequired}
            onChange={() => onChange(withFieldRequired(schema, name, !isRequired))}
          />
          required
        </label>
        <span className="grow" />
        <IconButton
          size="small"
          label={`Remove ${noun} ${name}`}
          onClick={() => onChange(withFieldRemoved(schema, name))}
        >
          {/* Not the bin of the tool above it: one took the one for the other. */}
          <X className="i s" aria-hidden />
        </IconButton>
      </div>
      <div className="line">
        <input
          className="field wide"
          aria-label={`Description of ${name}`}
          dir="auto"
          placeholder="Description"
          value={description}
          onInput={(event) => change(withFieldDescription(field.schema, event.currentTarget.value))}
        />
        {hasChoice && (
          <AllowedField
            name={name}
            allowed={allowed}
            onChange={(text) => change(withFieldAllowed(field.schema, text))}
          />
        )}
      </div>
      {type === 'object' && depth < mostDepth && (
        <SchemaForm
          schema={itemOf(field.schema)}
          onChange={(inner) => change(isList ? { ...field.schema, items: inner } : inner)}
          of={name}
          depth={depth + 1}
          noun={noun}
        />
      )}
      {(type === 'other' || (type === 'object' && depth >= mostDepth)) && (
        <p className="hint">This schema is too complex for the form. Edit the JSON.</p>
      )}
    </fieldset>
  );
}

/** A name that cannot be is kept here, and said to be wrong, until it can. */
function NameField({
  schema,
  name,
  onRename,
}: {
  schema: JsonObject;
  name: string;
  onRename: (to: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  const problem = typed === undefined ? undefined : fieldNameProblem(schema, name, typed);
  return (
    <span className="named-field">
      <input
        className="field mono"
        aria-label={`Name of ${name}`}
        aria-invalid={problem !== undefined || undefined}
        spellCheck={false}
        value={typed ?? name}
        onInput={(event) => {
          const to = event.currentTarget.value;
          setTyped(to);
          if (to !== name && fieldNameProblem(schema, name, to) === undefined) onRename(to);
        }}
        onBlur={() => setTyped(undefined)}
      />
      {problem && <span className="er">{problem}</span>}
    </span>
  );
}

/** The text as it is typed: a comma at its end is not yet a value. */
function AllowedField({
  name,
  allowed,
  onChange,
}: {
  name: string;
  allowed: string;
  onChange: (text: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      className="field mono"
      aria-label={`Allowed values of ${name}`}
      placeholder="Allowed: one, two"
      spellCheck={false}
      value={typed ?? allowed}
      onInput={(event) => {
        setTyped(event.currentTarget.value);
        onChange(event.currentTarget.value);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
