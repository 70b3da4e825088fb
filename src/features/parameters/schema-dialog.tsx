import { useId, useMemo, useState, type FormEvent, type KeyboardEvent } from 'react';

import { checkJson } from '../../conversation/reply/json-check.ts';
import {
  schemaExamples,
  validateSchemaName,
  stringifySchemaFormat,
  type SchemaFormat,
} from '../../conversation/setup/json-schema-format.ts';
import { formatExactJson, parseExactNumbers } from '../../lib/exact-json.ts';
import { pluralize } from '../../lib/format.ts';
import { inferSchema } from '../../lib/infer-schema.ts';
import { isDeeperThan, isJsonObject, maxJsonDepth, parseJson, type JsonObject } from '../../lib/json.ts';
import { Button, buttonVariants } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { FieldError, Hint } from '../../ui/controls/field.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { copyText } from '../../ui/display/copy-text.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { StatusLabel } from '../../ui/display/status-label.tsx';
import { Braces, CheckIcon, ChevronDown } from '../../ui/icons.tsx';
import { AlignLeft, Copy } from '../../ui/late-icons.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { FormBesideJson } from './tool-editor/form-parts.tsx';
import { SchemaForm } from './tool-editor/schema-form.tsx';

interface SchemaDialogProps {
  format: SchemaFormat;
  /** Number of lanes to which the schema will be applied. */
  laneCount: number;
  onUse: (text: string) => void;
  onClose: () => void;
}

/**
 * Editor of a schema by fields or as JSON. The JSON is authoritative; changes take effect only when the schema is
 * applied.
 */
export function SchemaDialog({ format, laneCount, onUse, onClose }: SchemaDialogProps) {
  const nameId = useId();
  const announce = useAnnounce();
  const [name, setName] = useState(format.name);
  const [strict, setStrict] = useState(format.strict);
  const [text, setText] = useState(() => formatSchema(format.schema));
  const [isGenerating, setIsGenerating] = useState(false);
  const { schema, problem } = useMemo(() => parseSchema(text), [text]);
  const nameProblem = validateSchemaName(name);
  const canUse = schema !== undefined && name.trim() !== '';

  const setSchema = (next: JsonObject) => setText(formatSchema(next));
  const submit = () => {
    if (!schema || !canUse) return;
    onUse(stringifySchemaFormat({ ...format, name: name.trim(), strict, schema }));
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  const copy = async () => {
    const isCopied = await copyText(text);
    announce(isCopied ? 'Copied the schema.' : 'The browser blocked copying.');
  };

  return (
    <Dialog
      title="Schema"
      isWide
      onClose={onClose}
      note={
        <div className="flex min-w-0 flex-[99_1_auto] flex-wrap items-center gap-x-4 gap-y-1 max-phone:order-1 max-phone:basis-full">
          <input
            className="h-8 w-40 rounded-2 border border-edge bg-raised px-2.5 font-mono text-mono-12 aria-invalid:border-err"
            aria-label="Schema name"
            aria-invalid={name.trim() === '' || undefined}
            aria-describedby={nameProblem && nameId}
            spellCheck={false}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <label className="flex h-6 cursor-pointer items-center gap-2 text-13 text-ink-2">
            <Checkbox checked={strict} onChange={() => setStrict(!strict)} />
            strict
          </label>
          <span className="flex-1" />
          <Menu
            label="Examples"
            className={buttonVariants()}
            items={schemaExamples.map(({ label, format: exampleFormat }) => ({
              label,
              onPick: () => {
                setName(exampleFormat.name);
                setStrict(exampleFormat.strict);
                setSchema(exampleFormat.schema);
              },
            }))}
          >
            Examples
            <ChevronDown className="icon-14" aria-hidden />
          </Menu>
          <Button aria-expanded={isGenerating} onClick={() => setIsGenerating(!isGenerating)}>
            <Braces className="icon-14" aria-hidden />
            Make one from JSON
          </Button>
        </div>
      }
      footer={
        <>
          <span className="text-12 text-ink-3">
            {laneCount > 1 ? `Applies to ${pluralize(laneCount, 'lane')}.` : 'Applies to the next message.'}
          </span>
          <span className="min-w-0 flex-1" />
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={!canUse} aria-keyshortcuts="Control+Enter" onClick={submit}>
            Use this schema
          </Button>
        </>
      }
    >
      {nameProblem &&
        (name.trim() === '' ? (
          <FieldError icon={false} id={nameId}>
            {nameProblem}
          </FieldError>
        ) : (
          <Hint id={nameId}>{nameProblem}</Hint>
        ))}
      {isGenerating && (
        <SchemaFromExample
          onCreate={(newSchema) => {
            setSchema(newSchema);
            setIsGenerating(false);
          }}
        />
      )}
      <FormBesideJson
        form={
          schema ? (
            <SchemaForm
              schema={schema}
              onChange={setSchema}
              parentName={name === '' ? 'the schema' : name}
              noun="field"
            />
          ) : (
            <Hint>Fix the JSON to edit the fields.</Hint>
          )
        }
        title="JSON Schema, as sent"
        tools={
          <>
            {schema && (
              <StatusLabel tone="ok" icon={<CheckIcon aria-hidden />}>
                Valid
              </StatusLabel>
            )}
            <Button
              size="small"
              variant="ghost"
              disabled={schema === undefined}
              onClick={() => schema && setSchema(schema)}
            >
              <AlignLeft className="icon-14" aria-hidden />
              Format
            </Button>
            <IconButton size="small" label="Copy schema" onClick={() => void copy()}>
              <Copy className="icon-14" aria-hidden />
            </IconButton>
          </>
        }
        label="JSON Schema"
        value={text}
        onChange={setText}
        problem={problem}
        onKeyDown={onKeyDown}
      />
    </Dialog>
  );
}

function formatSchema(schema: JsonObject): string {
  return formatExactJson(schema);
}

function parseSchema(text: string): { schema?: JsonObject; problem?: { message: string; offset?: number } } {
  const result = parseExactNumbers(text);
  if (result.ok) {
    if (!isJsonObject(result.value)) return { problem: { message: 'A schema must be a JSON object.' } };
    if (isDeeperThan(maxJsonDepth, result.value))
      return { problem: { message: `A schema can have at most ${maxJsonDepth} levels.` } };
    return { schema: result.value };
  }
  const check = checkJson(text);
  const message = 'Not valid JSON yet.';
  return { problem: check.state === 'broken' ? { message, offset: check.offset } : { message } };
}

/** Creates a schema from an example. */
function SchemaFromExample({ onCreate }: { onCreate: (schema: JsonObject) => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const parsed = parseJson(text);
  const isTooDeep = parsed.ok && isDeeperThan(maxJsonDepth, parsed.value);
  const isReady = parsed.ok && !isTooDeep;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (parsed.ok && !isTooDeep) onCreate(inferSchema(parsed.value));
  };
  return (
    <form className="mb-4 grid gap-2 rounded-3 border border-line-2 p-3" onSubmit={onSubmit}>
      <label htmlFor={id} className="text-12 text-ink-2">
        An example answer as JSON. The schema is created from its fields and types.
      </label>
      <TextArea
        id={id}
        variant="code"
        className="max-h-60 overflow-y-auto"
        rows={4}
        spellCheck={false}
        autoFocus
        placeholder='{ "title": "Slow checkout", "severity": "high" }'
        value={text}
        onText={setText}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={!isReady}>
          Create schema
        </Button>
        {text.trim() !== '' && !isReady && (
          <span className="text-12 text-ink-3">
            {isTooDeep ? 'Nested too deeply.' : 'Not valid JSON yet.'}
          </span>
        )}
      </div>
    </form>
  );
}
