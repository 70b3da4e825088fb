import { clsx } from 'clsx';
import { useId, useState } from 'react';

import type { JsonObject } from '../../../lib/json.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Checkbox } from '../../../ui/controls/checkbox.tsx';
import { FieldError, Hint } from '../../../ui/controls/field.tsx';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Select, type SelectOption } from '../../../ui/controls/select.tsx';
import { DisclosureButton } from '../../../ui/display/card.tsx';
import { Plus, X } from '../../../ui/icons.tsx';
import { ChevronRight } from '../../../ui/late-icons.tsx';
import { FormField, FormIcon, FormLine } from './form-parts.tsx';
import {
  validateFieldName,
  listFields,
  fieldTypes,
  getItemSchema,
  withField,
  withFieldAdded,
  withAllowedValues,
  withFieldDescription,
  withFieldList,
  withFieldRemoved,
  withFieldRenamed,
  withFieldRequired,
  withFieldType,
  type FieldType,
  type EditableField,
} from './schema-fields.ts';

interface SchemaFormProps {
  schema: JsonObject;
  onChange: (schema: JsonObject) => void;
  /** Name of the parent, used in the labels of controls. */
  parentName: string;
  depth?: number;
  /** Word for the rows in labels. */
  noun?: 'parameter' | 'field';
}

/** Maximum depth of the form; deeper objects are edited as JSON, since there is no space for them. */
const maxDepth = 3;

/** Properties of an object schema, a line each, at most one of them expanded; nested for objects. */
export function SchemaForm({ schema, onChange, parentName, depth = 0, noun = 'parameter' }: SchemaFormProps) {
  const fields = listFields(schema);
  const [openIndex, setOpenIndex] = useState(fields.length === 1 ? 0 : undefined);
  return (
    <div className={clsx('grid justify-items-start', depth > 0 && 'pl-2.5')}>
      {fields.map((field, index) => (
        <FieldRow
          key={index}
          field={field}
          schema={schema}
          onChange={onChange}
          parentName={parentName}
          depth={depth}
          noun={noun}
          isOpen={openIndex === index}
          onOpen={(isOpen) => setOpenIndex(isOpen ? index : undefined)}
        />
      ))}
      <Button
        size="small"
        variant="ghost"
        className="mt-1"
        onClick={() => {
          onChange(withFieldAdded(schema));
          setOpenIndex(fields.length);
        }}
      >
        <FormIcon icon={Plus} />
        Add a {noun}
        {depth > 0 && ` to ${parentName}`}
      </Button>
    </div>
  );
}

const typeOptions: readonly SelectOption<FieldType>[] = fieldTypes.map((type) => ({
  value: type,
  label: type,
}));
const otherOption: SelectOption<FieldType> = { value: 'other', label: 'other', note: 'custom' };

interface FieldRowProps extends Required<SchemaFormProps> {
  field: EditableField;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** A property in one line: name, type and description, and below them the form if expanded. */
function FieldRow({ isOpen, onOpen, ...props }: FieldRowProps) {
  const { field, schema, onChange, parentName, noun } = props;
  const { name, type, isList, isRequired, description } = field;
  const id = useId();
  return (
    <fieldset
      className="w-full min-w-0 border-b border-line"
      aria-label={`${noun === 'field' ? 'Field' : 'Parameter'} ${name} of ${parentName}`}
    >
      <div className="flex min-h-8 items-center gap-2">
        <DisclosureButton
          className="min-w-0"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => onOpen(!isOpen)}
        >
          <ChevronRight className="icon-14" aria-hidden />
          <b className="truncate [font:var(--m-12)]">{name}</b>
        </DisclosureButton>
        <small className="text-12 whitespace-nowrap text-ink-3 normal-nums">
          {isList ? `array of ${type}` : type}
          {isRequired && ', required'}
        </small>
        <span className="min-w-0 flex-1 truncate text-12 text-ink-2" dir="auto">
          {!isOpen && description}
        </span>
        <IconButton
          size="small"
          label={`Remove ${noun} ${name}`}
          onClick={() => {
            onChange(withFieldRemoved(schema, name));
            onOpen(false);
          }}
        >
          {/* A cross, so that it is not mistaken for the delete icon of the tool above. */}
          <X className="icon-14" aria-hidden />
        </IconButton>
      </div>
      {isOpen && <FieldForm id={id} {...props} />}
    </fieldset>
  );
}

function FieldForm({
  id,
  field,
  schema,
  onChange,
  depth,
  noun,
}: Omit<FieldRowProps, 'isOpen' | 'onOpen'> & { id: string }) {
  const { name, type, isList, isRequired, description, allowedValues } = field;
  const change = (next: JsonObject) => onChange(withField(schema, name, next));
  const hasChoice = type === 'string' || type === 'number' || type === 'integer';
  return (
    <div id={id} className="grid gap-1.5 pb-2.5 pl-5">
      <FormLine>
        <NameField
          schema={schema}
          name={name}
          onRename={(newName) => onChange(withFieldRenamed(schema, name, newName))}
        />
        <Select
          label={`Type of ${name}`}
          value={type}
          options={type === 'other' ? [...typeOptions, otherOption] : typeOptions}
          onChange={(nextType) => change(withFieldType(field.schema, nextType))}
        />
        <label className="inline-flex h-6 cursor-pointer items-center gap-1.5 text-12 text-ink-2">
          <Checkbox checked={isList} onChange={() => change(withFieldList(field.schema, !isList))} />
          array
        </label>
        <label className="inline-flex h-6 cursor-pointer items-center gap-1.5 text-12 text-ink-2">
          <Checkbox
            checked={isRequired}
            onChange={() => onChange(withFieldRequired(schema, name, !isRequired))}
          />
          required
        </label>
      </FormLine>
      <FormLine>
        <FormField
          className="flex-[2_1_130px]"
          aria-label={`Description of ${name}`}
          dir="auto"
          placeholder="Description"
          value={description}
          onInput={(event) => change(withFieldDescription(field.schema, event.currentTarget.value))}
        />
        {hasChoice && (
          <AllowedField
            name={name}
            allowedValues={allowedValues}
            onChange={(text) => change(withAllowedValues(field.schema, text))}
          />
        )}
      </FormLine>
      {type === 'object' && depth < maxDepth && (
        <SchemaForm
          schema={getItemSchema(field.schema)}
          onChange={(inner) => change(isList ? { ...field.schema, items: inner } : inner)}
          parentName={name}
          depth={depth + 1}
          noun={noun}
        />
      )}
      {(type === 'other' || (type === 'object' && depth >= maxDepth)) && (
        <Hint>This schema is too complex for the form. Edit the JSON.</Hint>
      )}
    </div>
  );
}

/** Field for a name. While the name is invalid, it is only kept here and marked as an error. */
function NameField({
  schema,
  name,
  onRename,
}: {
  schema: JsonObject;
  name: string;
  onRename: (newName: string) => void;
}) {
  const [typedName, setTypedName] = useState<string>();
  const problem = typedName === undefined ? undefined : validateFieldName(schema, name, typedName);
  return (
    <div className="grid gap-0.5">
      <FormField
        isCode
        className="w-32"
        aria-label={`Name of ${name}`}
        aria-invalid={problem !== undefined || undefined}
        spellCheck={false}
        value={typedName ?? name}
        onInput={(event) => {
          const newName = event.currentTarget.value;
          setTypedName(newName);
          if (newName !== name && validateFieldName(schema, name, newName) === undefined) onRename(newName);
        }}
        onBlur={() => setTypedName(undefined)}
      />
      {problem && <FieldError icon={false}>{problem}</FieldError>}
    </div>
  );
}

/** Field that keeps the text as typed, because a trailing comma does not start a value yet. */
function AllowedField({
  name,
  allowedValues,
  onChange,
}: {
  name: string;
  allowedValues: string;
  onChange: (text: string) => void;
}) {
  const [typedText, setTypedText] = useState<string>();
  return (
    <FormField
      isCode
      className="flex-[1_1_130px]"
      aria-label={`Allowed values of ${name}`}
      placeholder="Allowed: one, two"
      spellCheck={false}
      value={typedText ?? allowedValues}
      onInput={(event) => {
        setTypedText(event.currentTarget.value);
        onChange(event.currentTarget.value);
      }}
      onBlur={() => setTypedText(undefined)}
    />
  );
}
